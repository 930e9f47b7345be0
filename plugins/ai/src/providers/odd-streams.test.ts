// Answers of servers that call themselves compatible, as public bug reports have them, read by the packages of the
// families. Each is whole and is asked for once.
import { expect } from 'chai'
import type { ToolCallPart } from '../api/messages.js'
import type { ProviderConfig } from '../config.js'
import { answerOf, PlayedServer, serviceOf } from '../test/support.js'

const chunk = (fields: object): string => `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', ...fields })}\n\n`
const delta = (fields: object, more: object = {}): string => chunk({ choices: [{ index: 0, delta: fields, ...more }] })
const TEXT = delta({ role: 'assistant', content: 'The answer.' }, { finish_reason: null })
const STOP = delta({}, { finish_reason: 'stop' })
const DONE = 'data: [DONE]\n\n'
const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const WHOLE = { id: 'x', object: 'chat.completion', created: 1, model: 'm' }

interface Played {
  readonly body: string
  readonly type?: string
  readonly breaks?: true
}
const TEXTS: Readonly<Record<string, Played>> = {
  'usage without choices': { body: TEXT + STOP + chunk({ usage: USAGE }) + DONE },
  'usage with choices null': { body: TEXT + STOP + chunk({ choices: null, usage: USAGE }) + DONE },
  'no reason of its end': { body: delta({ role: 'assistant', content: 'The answer.' }) + DONE },
  'an empty reason of its end': { body: delta({ content: 'The answer.' }, { finish_reason: '' }) + DONE },
  'no mark of its end': { body: TEXT + STOP },
  'a connection that breaks after its end': { body: TEXT + STOP, breaks: true },
  'one document': {
    body: JSON.stringify({
      ...WHOLE,
      choices: [{ index: 0, message: { role: 'assistant', content: 'The answer.' }, finish_reason: 'stop' }],
      usage: USAGE,
    }),
    type: 'application/json',
  },
  'content in parts': { body: delta({ content: [{ type: 'text', text: 'The answer.' }] }) + STOP + DONE },
  'fields of other types': {
    body:
      chunk({
        id: 7,
        created: '1',
        object: 'chunk',
        choices: [{ index: 0, delta: { content: 'The answer.' }, logprobs: [] }],
      }) +
      STOP +
      chunk({ choices: [], usage: { ...USAGE, prompt_tokens: '10', prompt_tokens_details: [], seconds: 'few' } }) +
      DONE,
  },
  'an empty error': { body: chunk({ error: null, choices: [{ index: 0, delta: { content: 'The answer.' } }] }) + STOP },
}

const called = (args: unknown, fields: object = { index: 0, id: 'a', type: 'function' }): string =>
  delta({ role: 'assistant', tool_calls: [{ ...fields, function: { name: 'dice', arguments: args } }] }) +
  delta({}, { finish_reason: 'tool_calls' }) +
  DONE
const CALLS: Readonly<Record<string, { readonly body: string; readonly input: object }>> = {
  'as an object': { body: called({ sides: 6 }), input: { sides: 6 } },
  null: { body: called(null), input: {} },
  '"null"': { body: called('null'), input: {} },
  empty: { body: called(''), input: {} },
  'encoded twice': { body: called(JSON.stringify('{"sides":6}')), input: { sides: 6 } },
  'without index and id': { body: called('{"sides":6}', {}), input: { sides: 6 } },
}

describe('odd streams', () => {
  let server: PlayedServer
  beforeEach(async () => {
    server = await PlayedServer.start()
  })
  afterEach(() => server.stop())

  const families: Readonly<Record<string, () => ProviderConfig>> = {
    openai: () => ({ sdk: 'openai', apiKey: 'k', baseUrl: `${server.origin}/v1`, models: ['m'] }),
    deepseek: () => ({ sdk: 'deepseek', apiKey: 'k', baseUrl: `${server.origin}/v1`, models: ['m'] }),
    ollama: () => ({ sdk: 'ollama', host: server.origin, models: ['m'] }),
    'openai-compatible': () => ({ sdk: 'openai-compatible', baseUrl: `${server.origin}/v1`, models: ['m'] }),
  }
  const ask = async (config: ProviderConfig, { body, type = 'text/event-stream', breaks }: Played) => {
    server.play((response) => {
      response.writeHead(200, { 'content-type': type }).write(body, () => {
        if (breaks) response.destroy()
        else response.end()
      })
    })
    const { models, log } = serviceOf({ it: config })
    const answer = await answerOf(models, 'hi', { provider: 'it', model: 'm' })
    expect(server.asked, log.lines.map(({ message }) => message).join('\n')).to.have.length(1)
    return answer
  }

  for (const [family, config] of Object.entries(families)) {
    describe(`of ${family}`, () => {
      for (const [what, played] of Object.entries(TEXTS))
        it(`are whole with ${what}`, async () => {
          const { reason, message, usage } = await ask(config(), played)
          expect(reason).to.equal('stop')
          expect(message.content).to.deep.equal([{ type: 'text', text: 'The answer.' }])
          if (played.body.includes('total_tokens')) expect(usage).to.deep.include({ input: 10, output: 5 })
        })

      for (const [how, { body, input }] of Object.entries(CALLS))
        it(`have a call whose arguments are ${how}`, async () => {
          const { reason, message } = await ask(config(), { body })
          expect(reason).to.equal('tool-calls')
          const [call] = message.content as ToolCallPart[]
          expect(call).to.deep.include({ type: 'tool-call', name: 'dice', input })
          expect(call).not.to.have.property('invalid')
        })
    })
  }

  it('are not whole where a text breaks off', async () => {
    let asked = 0
    server.play((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (asked++ === 0) response.write(delta({ content: 'The ' }), () => response.destroy())
      else response.end(delta({ content: 'answer.' }) + STOP + DONE)
    })
    const config = families['openai-compatible']?.() as ProviderConfig
    const { message } = await answerOf(serviceOf({ it: config }).models, 'hi', { provider: 'it', model: 'm' })
    expect(asked).to.equal(2)
    expect(message.content).to.deep.equal([{ type: 'text', text: 'The answer.' }])
  })
})
