// Servers whose signatures of thoughts and items of reasoning have to come back as they went, as public bug reports
// have them.
import { expect } from 'chai'
import type { AssistantMessage } from '../api/messages.js'
import type { ProviderConfig } from '../config.js'
import { answerOf, chunk, PlayedServer, serviceOf, streamed, type AskedBody } from '../test/support.js'

const WHO = { provider: 'it', model: 'm' }
const DONE = 'data: [DONE]\n\n'
const call = (fields: object, index = 0) => ({
  index,
  id: `fc-${index + 1}`,
  type: 'function',
  function: { name: 'dice', arguments: '{"sides":6}' },
  ...fields,
})
const SIGNATURE = { google: { thought_signature: 'SIG123' } }

interface Case {
  readonly answer: string
  readonly isDocument?: true
  /** The fields of the message that is given back. */
  readonly message?: object
  /** The fields of its calls. */
  readonly calls?: readonly object[]
}
interface Sent {
  readonly role: string
  readonly content?: unknown
  readonly reasoning_content?: unknown
  readonly tool_calls?: readonly AskedBody[]
}
const CASES: Readonly<Record<string, Case>> = {
  'the signature of a call': {
    answer: chunk({ role: 'assistant', content: null, tool_calls: [call({ extra_content: SIGNATURE })] }),
    calls: [{ extra_content: SIGNATURE }],
  },
  'the signature of a call, in a later piece': {
    answer:
      chunk({ tool_calls: [call({ function: { name: 'dice', arguments: '' } })] }) +
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"sides":6}' }, extra_content: SIGNATURE }] }),
    calls: [{ extra_content: SIGNATURE }],
  },
  'the data of another vendor, whatever they are': {
    answer: chunk({
      tool_calls: [call({ extra_content: { vertex: { tokens: [1, { a: null }] } }, thought_signature: 's' })],
    }),
    calls: [{ extra_content: { vertex: { tokens: [1, { a: null }] } }, thought_signature: 's' }],
  },
  'the signature within a function': {
    answer: chunk({
      tool_calls: [call({ function: { name: 'dice', arguments: '{"sides":6}', thought_signature: 'SIG123' } })],
    }),
    calls: [{ function: { name: 'dice', arguments: '{"sides":6}', thought_signature: 'SIG123' } }],
  },
  'the signatures of the calls that have one': {
    answer:
      chunk({ tool_calls: [call({ extra_content: { one: 1 } }), call({}, 1)] }) +
      chunk({ tool_calls: [call({ extra_content: { three: 3 } }, 2)] }),
    calls: [{ extra_content: { one: 1 } }, {}, { extra_content: { three: 3 } }],
  },
  'the signature of a message': {
    answer: chunk({ content: 'Hello.' }) + chunk({ content: '', extra_content: SIGNATURE }),
    message: { extra_content: SIGNATURE },
  },
  'items of reasoning that come in pieces': {
    answer:
      chunk({
        reasoning: 'I ',
        reasoning_details: [{ type: 'reasoning.text', text: 'I ', index: 0, signature: null }],
      }) +
      chunk({ reasoning: 'see', reasoning_details: [{ type: 'reasoning.text', text: 'see', index: 0 }] }) +
      chunk({ reasoning_details: [{ type: 'reasoning.text', signature: 'SIG', index: 0 }] }) +
      chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'abc', index: 1 }] }) +
      chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'def', index: 1 }] }) +
      chunk({ content: 'Hello.' }),
    message: {
      reasoning_details: [
        { type: 'reasoning.text', text: 'I see', index: 0, signature: 'SIG' },
        { type: 'reasoning.encrypted', data: 'abc', index: 1 },
        { type: 'reasoning.encrypted', data: 'def', index: 1 },
      ],
    },
  },
  'blocks of thinking': {
    answer:
      chunk({ thinking_blocks: [{ type: 'thinking', thinking: 'I ', signature: '' }] }) +
      chunk({ thinking_blocks: [{ type: 'thinking', thinking: 'see', signature: 'SIG' }] }) +
      chunk({ reasoning_opaque: 'ab' }) +
      chunk({ reasoning_opaque: 'cd', tool_calls: [call({})] }),
    message: { thinking_blocks: [{ type: 'thinking', thinking: 'I see', signature: 'SIG' }], reasoning_opaque: 'abcd' },
    calls: [{}],
  },
  'the signature of a whole answer': {
    isDocument: true,
    answer: JSON.stringify({
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: null,
            reasoning_details: [
              { type: 'reasoning.text', text: 'one' },
              { type: 'reasoning.text', text: 'two' },
            ],
            tool_calls: [call({ extra_content: SIGNATURE })],
          },
          finish_reason: 'tool_calls',
        },
      ],
    }),
    message: {
      reasoning_details: [
        { type: 'reasoning.text', text: 'one' },
        { type: 'reasoning.text', text: 'two' },
      ],
    },
    calls: [{ extra_content: SIGNATURE }],
  },
}

describe('own fields of a server', () => {
  let server: PlayedServer
  beforeEach(async () => {
    server = await PlayedServer.start()
  })
  afterEach(() => server.stop())

  const config = (more: ProviderConfig = {}): ProviderConfig => ({
    sdk: 'openai-compatible',
    baseUrl: server.url,
    models: ['m', 'n'],
    ...more,
  })
  /** Plays an answer, then `Hello.` to each further request. */
  const play = ({ answer, isDocument, calls }: Case): void =>
    server.play((response, _asked, index) => {
      if (index > 0 && !isDocument) return streamed(response, 'Hello.')
      response.writeHead(200, { 'content-type': isDocument ? 'application/json' : 'text/event-stream' })
      response.end(isDocument ? answer : `${answer}${chunk({}, calls ? 'tool_calls' : 'stop')}${DONE}`)
    })
  const conversation = (message: AssistantMessage) => ({
    messages: [
      { role: 'user' as const, content: 'roll' },
      // As a store keeps it.
      JSON.parse(JSON.stringify(message)) as AssistantMessage,
      { role: 'user' as const, content: 'again' },
    ],
  })
  /** Returns the message that the last request has given back. */
  const sentBack = (): Sent => {
    const messages = server.asked.at(-1)?.body.messages as unknown as readonly Sent[]
    return messages.find(({ role }) => role === 'assistant') as Sent
  }

  for (const [what, played] of Object.entries(CASES))
    for (const streaming of played.isDocument ? [true, false] : [true])
      it(`are given back as they came: ${what}${streaming ? '' : ', without a stream'}`, async () => {
        play(played)
        const { models } = serviceOf({ it: config({ capabilities: { streaming } }) })
        const { message } = await answerOf(models, 'roll', WHO)
        await answerOf(models, conversation(message), WHO)
        const { role, content, tool_calls: calls, reasoning_content: reasoning, ...own } = sentBack()
        expect(own).to.deep.equal(played.message ?? {})
        const ownOfCalls = calls?.map(({ id: _id, type: _type, function: given, ...fields }) =>
          given && 'thought_signature' in given ? { ...fields, function: given } : fields,
        )
        expect(ownOfCalls).to.deep.equal(played.calls)
        expect([role, content, reasoning].map((value) => typeof value)).to.include('string')
      })

  it('extend the request before', async () => {
    play(CASES['the signature of a call'] as Case)
    const { models } = serviceOf({ it: config() })
    const { message } = await answerOf(models, 'roll', WHO)
    const request = conversation(message)
    await answerOf(models, request, WHO)
    await answerOf(
      models,
      { messages: [...request.messages, { role: 'assistant', content: 'Six.' }, { role: 'user', content: 'Thanks' }] },
      WHO,
    )
    const [, first, second] = server.asked.map(({ body }) => JSON.stringify(body.messages))
    expect(second?.startsWith(first?.slice(0, -1) ?? '-')).to.equal(true)
  })

  it('are those of google and anthropic as well', async () => {
    const google = {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'hm', thought: true },
              { functionCall: { name: 'dice', args: { sides: 6 } }, thoughtSignature: 'SIG123' },
            ],
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
    }
    const anthropic = [
      {
        type: 'message_start',
        message: { id: 'm', role: 'assistant', model: 'c', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'SIG123' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'SEALED' } },
      { type: 'content_block_stop', index: 1 },
      {
        type: 'content_block_start',
        index: 2,
        content_block: { type: 'tool_use', id: 'fc-1', name: 'dice', input: {} },
      },
      { type: 'content_block_stop', index: 2 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 3 } },
      { type: 'message_stop' },
    ]
    for (const [sdk, model, path, body, sent] of [
      ['google', 'gemini-3-pro', '/v1beta', `data: ${JSON.stringify(google)}\n\n`, ['"thoughtSignature":"SIG123"']],
      [
        'anthropic',
        'claude-sonnet-4-5',
        '/v1',
        anthropic.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
        ['"signature":"SIG123"', '"redacted_thinking","data":"SEALED"'],
      ],
    ] as const) {
      server.play((response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body))
      const provider: ProviderConfig = { sdk, apiKey: 'k', baseUrl: `${server.origin}${path}`, models: [model] }
      const { models } = serviceOf({ it: provider, other: provider })
      const { message } = await answerOf(
        models,
        { messages: [{ role: 'user', content: 'roll' }], thinking: 'high' },
        { provider: 'it', model },
      )
      for (const alias of ['it', 'other']) {
        await answerOf(models, { ...conversation(message), thinking: 'high' }, { provider: alias, model })
        for (const text of sent)
          expect(JSON.stringify(server.asked.at(-1)?.body).includes(text), `${sdk} ${alias}`).to.equal(alias === 'it')
      }
    }
  })

  it('are dropped for another model and another provider', async () => {
    play(CASES['the signature of a call'] as Case)
    const { models } = serviceOf({ it: config(), other: config() })
    const { message } = await answerOf(models, 'roll', WHO)
    for (const who of [
      { provider: 'other', model: 'm' },
      { provider: 'it', model: 'n' },
    ]) {
      await answerOf(models, conversation(message), who)
      expect(JSON.stringify(sentBack())).to.contain('dice').and.not.to.contain('SIG123')
    }
  })

  it('are left out where they are larger than 1 MiB, and the log says so', async () => {
    const large = 'x'.repeat(1024 * 1024)
    play({
      answer:
        chunk({ tool_calls: [call({ extra_content: { small: 'SIG123' } }), call({ extra_content: { large } }, 1)] }) +
        chunk({ content: 'Hello.', extra_content: { large } }),
      calls: [],
    })
    const { models, log } = serviceOf({ it: config() })
    const { message } = await answerOf(models, 'roll', WHO)
    expect(JSON.stringify(message).length).to.be.lessThan(1_000)
    expect(log.lines.filter(({ level }) => level === 'warn').map(({ message: text }) => text)).to.deep.equal([
      'it:m sent more than 1 MiB of its own data with an answer: 2097254 bytes of signatures or reasoning are not kept, and not given back',
    ])
    await answerOf(models, conversation(message), WHO)
    expect(JSON.stringify(sentBack())).to.contain('SIG123').and.contain('Hello.').and.not.to.contain('xxx')
  })

  it('change neither the role nor the text of a message', async () => {
    const { models } = serviceOf({ it: config() })
    play({ answer: chunk({ role: 'system', content: 'Hi.', id: 5, name: 'n', tool_calls: [], signature: 's' }) })
    const { message } = await answerOf(models, 'roll', WHO)
    await answerOf(models, conversation(message), WHO)
    expect(sentBack()).to.deep.equal({ role: 'assistant', content: 'Hi.', signature: 's' })
  })
})
