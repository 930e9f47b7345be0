import { expect } from 'chai'
import { TestClock, until } from '@mynah/kernel/testing'
import { isModelError, type ModelError } from '../api/errors.js'
import type { Finish } from '../api/models.js'
import {
  answerOf,
  chunk,
  flood,
  partsOf,
  playOnce,
  PlayedServer,
  refused,
  serviceOf,
  textIn,
  type TestService,
} from '../test/support.js'

const WHO = { provider: 'it', model: 'm' }
const SECRET = 'sk-very-secret-0123456789abcdef'

describe('misbehaving provider', () => {
  let server: PlayedServer
  let service: TestService
  let clock: TestClock

  beforeEach(async () => {
    clock = new TestClock()
    server = await PlayedServer.start()
    service = serviceOf(
      { it: { sdk: 'openai-compatible', apiKey: SECRET, baseUrl: server.url, models: ['m'] } },
      { clock },
    )
  })
  afterEach(() => server.stop())

  const failure = async (promise = answerOf(service.models, 'hi', WHO)): Promise<ModelError> => {
    const error = await promise.then(
      (finish) => finish.error,
      (thrown: unknown) => thrown,
    )
    if (!isModelError(error)) throw new Error(`no model error but ${String(error)}`)
    return error
  }
  const stream = (...pieces: (string | Buffer)[]) =>
    server.play(
      playOnce((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        for (const piece of pieces) response.write(piece)
        response.end()
      }),
    )

  it('answers with a web page', async () => {
    server.play(
      (response) =>
        void response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
          .end('<!doctype html><title>Login</title>'),
    )
    const error = await failure()
    expect(error.class).to.equal('server')
    expect(error.message).to.contain('web page')
  })

  it('answers a failure with a web page', async () => {
    server.play(
      (response) =>
        void response
          .writeHead(502, { 'content-type': 'text/html' })
          .end(`<html><body>Bad gateway at https://inner.example/${SECRET}</body></html>`),
    )
    const error = await failure()
    expect([error.class, error.status]).to.deep.equal(['server', 502])
    expect(error.message).not.to.contain('<').and.not.to.contain(SECRET)
  })

  it('answers with nothing', async () => {
    server.play((response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end())
    expect((await failure()).class).to.equal('server')
    server.play((response) => void response.writeHead(200).end())
    expect((await failure()).class).to.equal('server')
    server.play((response) => void response.writeHead(500).end())
    expect((await failure()).class).to.equal('server')
  })

  it('answers 200 with an error inside the stream', async () => {
    for (const [error, expected] of [
      [{ message: 'Rate limit reached', code: 'rate_limit_exceeded' }, 'rate-limit'],
      [{ message: 'Overloaded', type: 'overloaded_error' }, 'overloaded'],
      [{ message: 'maximum context length is 10 tokens', code: 'context_length_exceeded' }, 'overflow'],
      [{ message: 'Insufficient credits', code: 402 }, 'billing'],
      [{ message: 'whatever', code: 503 }, 'overloaded'],
    ] as const) {
      service = serviceOf({ it: { sdk: 'openai-compatible', baseUrl: server.url, models: ['m'] } })
      stream(`data: ${JSON.stringify({ error })}\n\n`, 'data: [DONE]\n\n')
      expect((await failure()).class, error.message).to.equal(expected)
    }
  })

  it('answers 200 with an error in place of a stream', async () => {
    server.play(
      (response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ error: { message: 'no', code: 'insufficient_quota' } })),
    )
    expect((await failure()).class).to.equal('billing')
  })

  it('breaks a character in two, and between two chunks', async () => {
    const bytes = Buffer.from(chunk({ content: 'grün 漢字 🦜' }))
    const at = bytes.indexOf(0xbc)
    stream(
      bytes.subarray(0, at),
      bytes.subarray(at, at + 9),
      bytes.subarray(at + 9),
      chunk({ content: '\ud83e' }),
      chunk({ content: '\udd9c!' }),
      chunk({}, 'stop'),
    )
    const parts = await partsOf(service.models, 'hi', { candidates: [WHO] })
    expect(textIn(parts)).to.equal('grün 漢字 🦜🦜!')
    for (const part of parts)
      if (part.type === 'text')
        expect((part.text as string & { isWellFormed(): boolean }).isWellFormed()).to.equal(true)
  })

  it('ends within a character', async () => {
    const bytes = Buffer.from(chunk({ content: 'so far' }) + chunk({ content: '漢' }))
    stream(bytes.subarray(0, bytes.length - 30))
    const end = await answerOf(service.models, 'hi', WHO)
    expect(end.reason).to.equal('interrupted')
    expect(JSON.stringify(end.message.content)).to.contain('so far')
  })

  it('forgets the last chunk', async () => {
    stream(chunk({ content: 'nearly everything' }))
    const end = await answerOf(service.models, 'hi', WHO)
    expect([end.reason, end.error?.class]).to.deep.equal(['interrupted', 'server'])
    // The mark of the end says that nothing is missing.
    service = serviceOf({ it: { sdk: 'openai-compatible', baseUrl: server.url, models: ['m'] } })
    stream(chunk({ content: 'everything' }), 'data: [DONE]\n\n')
    expect((await answerOf(service.models, 'hi', WHO)).reason).to.equal('stop')
  })

  it('writes comments and empty events between', async () => {
    stream(
      ': one\n\n',
      chunk({ content: 'a' }),
      ': two\n: three\n\n',
      '\n\n',
      chunk({ content: 'b' }),
      'event: ping\ndata: \n\n'.slice(0, 13),
      '\n',
      chunk({}, 'stop'),
    )
    expect(textIn(await partsOf(service.models, 'hi', { candidates: [WHO] }))).to.equal('ab')
  })

  it('writes a chunk that is no JSON', async () => {
    stream(chunk({ content: 'good ' }), 'data: {not json\n\n', chunk({ content: 'lost' }), chunk({}, 'stop'))
    const end = await answerOf(service.models, 'hi', WHO)
    expect(end.reason).to.equal('interrupted')
    expect(end.message.content).to.deep.equal([{ type: 'text', text: 'good ' }])
  })

  it('falls silent in the middle', async () => {
    let reached = () => {}
    const there = new Promise<void>((resolve) => (reached = resolve))
    server.play(
      playOnce((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(chunk({ content: 'and then' }))
      }),
    )
    const parts = service.models.stream(
      { messages: [{ role: 'user', content: 'hi' }] },
      { candidates: [WHO], chunkTimeout: 5_000 },
    )
    const answer = (async () => {
      let end: Finish | undefined
      for await (const part of parts) {
        if (part.type === 'text') reached()
        if (part.type === 'finish') end = part
      }
      return end
    })()
    await there
    await clock.advance(5_000)
    const end = await answer
    expect([end?.reason, end?.error?.class]).to.deep.equal(['interrupted', 'timeout'])
    await until(() => server.closed > 0)
    expect(clock.pending).to.equal(0)
  })

  it('never answers at all, and its socket is given up', async () => {
    let reached = () => {}
    const there = new Promise<void>((resolve) => (reached = resolve))
    server.play(() => reached())
    const answer = failure(
      partsOf(service.models, 'hi', { candidates: [WHO], firstChunkTimeout: 10_000 }).then(
        (parts) => parts.at(-1) as Finish,
      ),
    )
    await there
    await clock.advance(10_000)
    expect((await answer).class).to.equal('timeout')
    await until(() => server.closed > 0)
    expect(clock.pending).to.equal(0)
  })

  it('never ends its answer', async () => {
    const block = chunk({ content: 'x'.repeat(200_000) })
    server.play((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      flood(response, block)
    })
    const end = await answerOf(service.models, 'hi', WHO)
    expect(end.reason).to.equal('interrupted')
    expect(end.error?.message).to.contain('longer than')
  })

  it('never ends the text of a failure', async () => {
    server.play((response) => {
      response.writeHead(500, { 'content-type': 'application/json' })
      flood(response, 'x'.repeat(65_536))
    })
    expect((await failure()).class).to.be.oneOf(['server', 'unknown'])
  })

  it('sends elsewhere', async () => {
    const other = await PlayedServer.start()
    server.play((response) => void response.writeHead(302, { location: `${other.url}/chat/completions` }).end())
    const error = await failure()
    expect(error.message).to.contain('redirect')
    expect(other.asked).to.have.length(0)
    await other.stop()
  })

  it('numbers its calls from nought in each answer, and twice within one', async () => {
    stream(
      chunk({
        tool_calls: [
          { index: 0, id: 'call_0', type: 'function', function: { name: 'f', arguments: '{}' } },
          { index: 1, id: 'call_0', type: 'function', function: { name: 'g', arguments: '{}' } },
        ],
      }),
      chunk({}, 'tool_calls'),
    )
    const before = { type: 'tool-call' as const, id: 'call_0', name: 'f', input: {} }
    const end = await answerOf(
      service.models,
      {
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: [before] },
          { role: 'tool', content: [{ type: 'tool-result', id: 'call_0', name: 'f', output: 'ok' }] },
        ],
        tools: [],
      },
      WHO,
    )
    const ids = (end.message.content as unknown as { id: string }[]).map(({ id }) => id)
    expect(new Set([...ids, 'call_0']).size).to.equal(ids.length + 1)
  })

  it('writes arguments that are no JSON, too deep or too many', async () => {
    const call = (args: string) => {
      stream(
        chunk({ tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: args } }] }),
        chunk({}, 'tool_calls'),
      )
      return answerOf(service.models, 'hi', WHO).then(
        ({ message }) => (message.content as unknown as { input: unknown; invalid?: string }[])[0],
      )
    }
    expect((await call('{"a": '))?.invalid).to.contain('JSON')
    expect((await call('[1, 2]'))?.invalid).to.contain('object')
    expect((await call(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`))?.invalid).to.contain('deeper')
    expect((await call(`{"a":"${'x'.repeat(1_100_000)}"}`))?.invalid).to.contain('characters')
    expect(await call('')).to.deep.include({ input: {} })
  })

  it('never makes a key or an address part of an error or a line of the log', async () => {
    const words = `Incorrect API key provided: ${SECRET}. See https://user:pw@inner.example/keys?key=${SECRET} and Authorization: Bearer ${SECRET}`
    for (const status of [400, 401, 403, 404, 429, 500]) {
      service = serviceOf({ it: { sdk: 'openai-compatible', apiKey: SECRET, baseUrl: server.url, models: ['m'] } })
      server.play((response) => refused(response, status, { message: words }))
      const error = await failure()
      const told = `${error.message} ${JSON.stringify(error)} ${service.log.lines.map(({ message }) => message).join()}`
      expect(told, String(status)).not.to.contain('0123456789abcdef').and.not.to.contain('inner.example')
    }
  })
})
