// Streams as servers send them, which differ from those of the specification.
import { expect } from 'chai'
import { repairChatStream } from './chat-stream.js'

type Chunk = Record<string, unknown>

const delta = (fields: Chunk, finish: unknown = null): Chunk => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
})
const sse = (...chunks: (Chunk | string)[]): string =>
  chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`).join('')

/** Returns a body of these pieces. After them it ends, breaks, or stays open. */
function bodyOf(pieces: readonly string[], end: 'ends' | 'breaks' | 'stays open' = 'ends'): ReadableStream<Uint8Array> {
  const left = pieces.map((piece) => new TextEncoder().encode(piece))
  return new ReadableStream({
    pull(controller) {
      const next = left.shift()
      if (next) controller.enqueue(next)
      else if (end === 'ends') controller.close()
      else if (end === 'breaks') controller.error(new TypeError('terminated'))
    },
  })
}

/** Returns the data of the events that the package of a family sees. */
async function seen(...args: Parameters<typeof bodyOf>): Promise<(Chunk | string)[]> {
  const response = repairChatStream(new Response(bodyOf(...args), { headers: { 'content-type': 'text/plain' } }), 20)
  expect(response.headers.get('content-type')).to.equal('text/event-stream')
  return (await response.text())
    .split('\n\n')
    .filter(Boolean)
    .map((event) => event.replace(/^data: /, ''))
    .map((data) => (data.startsWith('{') ? (JSON.parse(data) as Chunk) : data))
}
const choicesOf = (events: readonly (Chunk | string)[]): Chunk[] =>
  events.flatMap((event) => (typeof event === 'string' ? [] : (event['choices'] as Chunk[])))
const finishes = (events: readonly (Chunk | string)[]): unknown[] =>
  choicesOf(events).flatMap(({ finish_reason: reason }) => reason ?? [])
const callsIn = (events: readonly (Chunk | string)[]): Chunk[] =>
  choicesOf(events).flatMap(({ delta: fields }) => ((fields as Chunk)['tool_calls'] as Chunk[] | undefined) ?? [])

const TEXT = delta({ role: 'assistant', content: 'The answer.' })
const STOP = delta({}, 'stop')

describe('repairChatStream', () => {
  it('passes on what is as it should be, unchanged', async () => {
    const chunks = [TEXT, STOP, { id: 'c', choices: [], usage: { prompt_tokens: 1 } }, '[DONE]']
    expect(await seen([sse(...chunks)])).to.deep.equal(chunks)
  })

  for (const [how, choices] of [
    ['missing', {}],
    ['null', { choices: null }],
    ['empty', { choices: [] }],
  ] as const)
    it(`takes the last chunk with usage whose choices are ${how}`, async () => {
      const usage = { prompt_tokens: 10, completion_tokens: 5 }
      const events = await seen([sse(TEXT, STOP, { id: 'c', ...choices, usage }, '[DONE]')])
      expect(events).to.deep.equal([TEXT, STOP, { id: 'c', choices: [], usage }, '[DONE]'])
    })

  it('gives an answer that is marked as done a reason of its end', async () => {
    const none = { choices: [{ index: 0, delta: { content: 'The answer.' } }] }
    for (const last of [none, delta({ content: 'x' }, ''), delta({ content: 'x' }, 'null')])
      expect(finishes(await seen([sse(last, '[DONE]')]))).to.deep.equal(['stop'])
    const call = { id: 'a', type: 'function', function: { name: 'dice', arguments: '{}' } }
    expect(finishes(await seen([sse(delta({ tool_calls: [call] }), '[DONE]')]))).to.deep.equal(['tool_calls'])
  })

  it('gives none to an answer that broke off, or that is empty', async () => {
    expect(finishes(await seen([sse(TEXT)]))).to.deep.equal([])
    expect(await seen([sse('[DONE]')])).to.deep.equal(['[DONE]'])
    expect(
      await seen([sse(TEXT)], 'breaks').then(
        () => 'whole',
        ({ message }: Error) => message,
      ),
    ).to.equal('terminated')
  })

  it('takes an answer as whole after the reason of its end, whatever the connection does', async () => {
    for (const end of ['ends', 'breaks', 'stays open'] as const)
      expect(await seen([sse(TEXT, STOP)], end), end).to.deep.equal([TEXT, STOP, '[DONE]'])
  })

  it('ends at the mark, though the connection stays open', async () => {
    expect(await seen([sse(TEXT, STOP, '[DONE]')], 'stays open')).to.deep.equal([TEXT, STOP, '[DONE]'])
  })

  it('does not end where an answer goes on after a reason of its end', async () => {
    const early = delta({ content: 'The' }, 'stop')
    expect(finishes(await seen([sse(early, delta({ content: ' answer' }))]))).to.deep.equal(['stop'])
    const events = await seen([sse(early), sse(delta({ content: ' answer' })), sse(STOP)])
    expect(events.at(-1)).to.equal('[DONE]')
  })

  it('reads events in any pieces, line ends and forms', async () => {
    const text = `\uFEFF: hello\r\nevent: message\r\ndata:${JSON.stringify(TEXT)}\r\n\r\ndata: ${JSON.stringify(STOP)}`
    expect(await seen(Array.from(text))).to.deep.equal([TEXT, STOP, '[DONE]'])
    const dense = `data: ${JSON.stringify(TEXT)}\ndata: ${JSON.stringify(STOP)}\ndata: [DONE]\n\n`
    expect(await seen([dense])).to.deep.equal([TEXT, STOP, '[DONE]'])
  })

  it('takes a whole answer in place of a stream', async () => {
    const message = {
      role: 'assistant',
      content: 'whole answer',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'dice', arguments: { sides: 6 } } }],
    }
    const usage = { prompt_tokens: 1, completion_tokens: 2 }
    const document = { id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }
    const events = await seen([`\n${JSON.stringify(document, undefined, 2)}`])
    expect(choicesOf(events)[0]?.['delta']).to.deep.equal({
      ...message,
      tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'dice', arguments: '{"sides":6}' } }],
    })
    expect([events[0], events.at(-1)])
      .to.deep.include({ ...(events[0] as Chunk), usage })
      .and.include('[DONE]')
    expect(finishes(await seen([sse(document)]))).to.deep.equal(['stop'])
  })

  it('takes lines of chunks in place of events', async () => {
    const lines = [TEXT, STOP].map((chunk) => `${JSON.stringify(chunk)}\n`).join('')
    expect(await seen([lines])).to.deep.equal([TEXT, STOP, '[DONE]'])
  })

  it('takes calls without index or id, and arguments in any form', async () => {
    const call = (fields: Chunk): Chunk => delta({ tool_calls: [fields] })
    const events = await seen([
      sse(
        call({ function: { name: 'dice', arguments: '{"si' } }),
        call({ function: { arguments: 'des":6}' } }),
        call({ id: 'b', type: 'tool', function: { name: 'coin', arguments: null } }),
        call({ id: 'b', function: { arguments: '{}' } }),
        call({ index: '2', id: 'c', function: { name: 'card', arguments: { of: 52 } } }),
        delta({}, 'tool_calls'),
        '[DONE]',
      ),
    ])
    const calls = callsIn(events)
    expect(calls.map(({ index }) => index)).to.deep.equal([0, 0, 1, 1, 2])
    expect(calls[0]?.['id']).to.match(/^call_/)
    expect(calls.map(({ function: made }) => (made as Chunk)['arguments'])).to.deep.equal([
      '{"si',
      'des":6}',
      null,
      '{}',
      '{"of":52}',
    ])
  })

  it('takes calls of the old form, one that is not in a list, and pieces of content', async () => {
    const old = await seen([sse(delta({ function_call: { name: 'dice', arguments: '{}' } }), '[DONE]')])
    expect(callsIn(old)[0]).to.deep.include({ index: 0, function: { name: 'dice', arguments: '{}' } })
    const single = await seen([sse(delta({ tool_calls: { id: 'a', function: { name: 'dice' } } }), '[DONE]')])
    expect(callsIn(single)[0]).to.deep.include({ index: 0, id: 'a' })
    const parts = await seen([
      sse(delta({ role: 'model', content: [{ type: 'text', text: 'a' }, { text: 'b' }] }), STOP),
    ])
    expect(choicesOf(parts)[0]?.['delta']).to.deep.equal({ role: 'assistant', content: 'ab' })
  })

  it('leaves errors to the package, and drops empty ones', async () => {
    const error = { error: { message: 'out of memory' } }
    expect(await seen([sse(TEXT, error)])).to.deep.equal([TEXT, error])
    expect(await seen([sse({ ...TEXT, error: null }, STOP)])).to.deep.equal([TEXT, STOP, '[DONE]'])
    expect(await seen([sse('not JSON')])).to.deep.equal(['not JSON'])
  })

  it('cancels the connection when it is cancelled', async () => {
    let cancelled: unknown
    const body = new ReadableStream<Uint8Array>({
      pull: () => new Promise(() => {}),
      cancel: (why) => void (cancelled = why),
    })
    const reader = repairChatStream(new Response(body)).body?.getReader()
    void reader?.read()
    await reader?.cancel('enough')
    expect(cancelled).to.equal('enough')
  })
})
