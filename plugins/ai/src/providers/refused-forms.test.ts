// Servers that refuse a field of a request or the order of its roles, each in its own words, as public bug reports have
// them.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { ModelRequest } from '../api/models.js'
import type { ProviderConfig } from '../config.js'
import {
  answerOf,
  PlayedServer,
  serviceOf,
  streamed,
  textIn,
  partsOf,
  type Asked,
  type TestService,
} from '../test/support.js'

const WHO = { provider: 'it', model: 'm' }
const SECRET = 'sk-very-secret-0123456789abcdef'

interface Refusal {
  readonly status?: number
  readonly body: unknown
}
/** Refusals of `stream_options`. */
const WORDINGS: Readonly<Record<string, Refusal>> = {
  'an error with the field in its message': {
    body: {
      error: { message: "Extra inputs are not permitted, field: 'stream_options'", type: 'invalid_request_error' },
    },
  },
  'a list of validation errors': {
    status: 422,
    body: {
      detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }],
    },
  },
  'one detail': { status: 422, body: { detail: 'Unknown parameter stream_options.' } },
  'a parameter next to the message': {
    body: { error: { message: 'Unsupported parameter.', param: 'stream_options', code: 'unsupported_parameter' } },
  },
  'an error of a Python program': {
    body: {
      object: 'error',
      message:
        "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted'}]",
      code: 400,
    },
  },
  'the name of a part of the field': { body: { error: 'unknown field "include_usage"' } },
  'the name in another spelling': { body: { message: 'Unknown name "streamOptions": Cannot find field.' } },
  'plain text': { status: 422, body: 'json: unknown field "stream_options"' },
}

const refuse = (response: ServerResponse, { status = 400, body }: Refusal): void => {
  const type = typeof body === 'string' ? 'text/plain' : 'application/json'
  response.writeHead(status, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body))
}

describe('a model that refuses a part of the request', () => {
  let server: PlayedServer
  let data: string
  const running: TestService[] = []
  beforeEach(async () => {
    server = await PlayedServer.start()
    data = await mkdtemp(join(tmpdir(), 'mynah-forms-'))
  })
  afterEach(async () => {
    // They may still write what they have learned.
    for (const { models } of running.splice(0)) await models.close()
    await server.stop()
    await rm(data, { recursive: true })
  })

  const compatible = (more: ProviderConfig = {}): ProviderConfig => ({
    sdk: 'openai-compatible',
    apiKey: SECRET,
    baseUrl: server.url,
    models: ['m', 'n'],
    ...more,
  })
  const start = async (config = compatible()): Promise<TestService> => {
    const service = serviceOf({ it: config }, { data })
    running.push(service)
    await service.models.start()
    return service
  }
  /** Refuses requests for which `isRefused` holds. */
  const refusing = (isRefused: (body: Asked['body']) => boolean, refusal: Refusal): void =>
    server.play((response, { body }) => (isRefused(body) ? refuse(response, refusal) : streamed(response, 'Hello.')))
  const hasOptions = (body: Asked['body']): boolean => 'stream_options' in body
  const omitsOf = ({ models }: TestService, model = 'm') => models.model({ provider: 'it', model })?.omits

  for (const [what, refusal] of Object.entries(WORDINGS))
    it(`is asked once more without it after ${what}, and from then on`, async () => {
      refusing(hasOptions, refusal)
      const { models } = await start()
      for (let turn = 0; turn < 2; turn++)
        expect(textIn(await partsOf(models, 'hi', { candidates: [WHO] }))).to.equal('Hello.')
      expect(server.asked.map(({ body }) => hasOptions(body))).to.deep.equal([true, false, false])
    })

  it('is remembered over a start, shown, and logged once in its own words', async () => {
    refusing(hasOptions, { body: { error: { message: `No stream_options for ${SECRET}` } } })
    const first = await start()
    await Promise.all([answerOf(first.models, 'hi', WHO), answerOf(first.models, 'hi', WHO)])
    await first.models.close()
    expect(omitsOf(first)).to.deep.equal(['stream_options'])
    expect(omitsOf(first, 'n')).to.equal(undefined)
    expect(first.log.lines).to.deep.equal([
      {
        level: 'info',
        message: 'it:m refuses stream_options and is asked without from now on: No stream_options for (key)',
      },
    ])
    expect(await readFile(join(data, 'model-forms.json'), 'utf8')).not.to.contain(SECRET)
    server.asked.length = 0
    const second = await start()
    await answerOf(second.models, 'hi', WHO)
    expect(server.asked.map(({ body }) => hasOptions(body))).to.deep.equal([false])
    expect(omitsOf(second)).to.deep.equal(['stream_options'])
    expect(second.log.lines).to.deep.equal([])
    // Another server, or another model of this one, may take it.
    await answerOf(second.models, 'hi', { provider: 'it', model: 'n' })
    expect(hasOptions(server.asked[1]?.body ?? {})).to.equal(true)
    const elsewhere = await start(compatible({ baseUrl: `${server.origin}/other/v1` }))
    expect(omitsOf(elsewhere)).to.equal(undefined)
    for (const { models } of [second, elsewhere]) await models.close()
  })

  it('is learned again where the file is broken', async () => {
    for (const content of ['', '{', '[]', '{"refused":{"x":5}}', '{"refused":[]}']) {
      await writeFile(join(data, 'model-forms.json'), content)
      expect(omitsOf(await start()), content).to.equal(undefined)
    }
  })

  it('is asked for everything again after its provider was discovered again', async () => {
    refusing(hasOptions, { body: { error: { message: 'No stream_options' } } })
    const service = await start()
    await answerOf(service.models, 'hi', WHO)
    await service.models.refresh()
    await service.models.close()
    expect(omitsOf(service)).to.equal(undefined)
    const next = await start()
    refusing(() => false, { body: '' })
    await answerOf(next.models, 'hi', WHO)
    expect(server.asked.map(({ body }) => hasOptions(body))).to.deep.equal([true])
  })

  it('is asked without what is configured, at once', async () => {
    refusing(hasOptions, { body: 'no' })
    const service = await start(compatible({ omit: ['stream_options'] }))
    await answerOf(service.models, 'hi', WHO)
    expect(server.asked).to.have.length(1)
    expect(omitsOf(service)).to.deep.equal(['stream_options'])
  })

  it('is asked without each field in turn', async () => {
    const fields = ['stream_options', 'temperature', 'max_tokens']
    server.play((response, { body }) => {
      const refused = fields.find((field) => field in body)
      if (refused === undefined) streamed(response, 'Hello.')
      else refuse(response, { body: { error: { message: `${refused}: Extra inputs are not permitted` } } })
    })
    const service = await start()
    const request: ModelRequest = {
      messages: [{ role: 'user', content: 'hi' }],
      temperature: 0.2,
      maxOutputTokens: 99,
    }
    await answerOf(service.models, request, WHO)
    expect(omitsOf(service)).to.have.members(fields)
    // It has another name there.
    expect(server.asked.at(-1)?.body).to.include({ max_completion_tokens: 99 })
    await answerOf(service.models, request, WHO)
    expect(server.asked).to.have.length(5)
  })

  it('is asked by the name of a limit that it takes', async () => {
    const words = "'max_completion_tokens' is not supported. Use 'max_tokens' instead."
    refusing((body) => 'max_completion_tokens' in body, { body: { error: { message: words } } })
    const service = await start({ ...compatible(), sdk: 'openai', models: ['o3'] })
    const request = { messages: [{ role: 'user' as const, content: 'hi' }], maxOutputTokens: 99 }
    await answerOf(service.models, request, { provider: 'it', model: 'o3' })
    expect(server.asked.map(({ body }) => body.max_tokens ?? body.max_completion_tokens)).to.deep.equal([99, 99])
    expect(server.asked.at(-1)?.body).to.include({ max_tokens: 99 })
  })

  it('is asked without parallel_tool_calls, strict and the role developer', async () => {
    const openai = { ...compatible(), sdk: 'openai' as const, models: ['m', 'o3'] }
    const tools = [{ name: 'f', description: 'does', parameters: { type: 'object' } }]
    const messages = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'hi' },
    ] as const
    const responseSchema = { type: 'object', properties: {}, additionalProperties: false }
    for (const [form, model, request, refusals] of [
      [
        'parallel_tool_calls',
        'm',
        { messages, tools, parallelToolCalls: false },
        [
          { body: { error: { message: 'Unrecognized request argument supplied: parallel_tool_calls' } } },
          { status: 422, body: { detail: [{ loc: ['parallel_tool_calls'], msg: 'no', input: false }] } },
        ],
      ],
      [
        'strict',
        'm',
        { messages, responseSchema },
        [
          { body: { error: { message: 'no', param: 'response_format.json_schema.strict' } } },
          { status: 422, body: { error: 'unknown field `strict`, expected `schema`' } },
        ],
      ],
      [
        'developer',
        'o3',
        { messages },
        [
          { body: { error: { message: 'messages[0].role: unknown variant `developer`, expected one of `system`' } } },
          { status: 422, body: { detail: [{ loc: ['body', 'messages', 0, 'role'], msg: 'no', input: 'developer' }] } },
          { body: { error: { message: "messages.0.role: Input should be 'system', 'user' or 'assistant'" } } },
          { body: { message: 'Role must be in [user, assistant, system]' } },
        ],
      ],
    ] as const)
      for (const refusal of refusals) {
        refusing((body) => JSON.stringify(body).includes(`"${form}"`), refusal)
        await rm(join(data, 'model-forms.json'), { force: true })
        const service = await start(openai)
        for (let turn = 0; turn < 2; turn++) await answerOf(service.models, request, { provider: 'it', model })
        expect(server.asked, form).to.have.length(3)
        expect(omitsOf(service, model)).to.deep.equal([form])
        expect(JSON.stringify(server.asked[2]?.body)).to.contain('Be kind.').and.contain('"hi"')
        await service.models.close()
      }
  })

  it('is not asked again where nothing is named, or the words are those of the user', async () => {
    const text = 'What are stream_options, and must roles alternate?'
    for (const body of [
      { error: { message: 'Bad request' } },
      { error: { message: `Refused to read: ${text}` } },
      { error: { message: `[{'loc': ('body', 'messages', 0, 'content'), 'input': {'stream_options': {}}}]` } },
      { detail: [{ loc: ['body', 'messages', 0], msg: 'Field required', input: { stream_options: {} } }] },
      { error: { message: `'messages' are too long: stream_options`, code: 'context_length_exceeded' } },
      { error: { message: 'The model `stream_options` does not exist', code: 'model_not_found' } },
    ]) {
      refusing(() => true, { body })
      const service = await start()
      await answerOf(service.models, text, WHO).catch(() => {})
      expect(server.asked, JSON.stringify(body)).to.have.length(1)
      expect(omitsOf(service)).to.equal(undefined)
    }
  })

  it('keeps a field whose value is refused, but for a limit of tokens', async () => {
    const request = { messages: [{ role: 'user' as const, content: 'hi' }], temperature: 3, maxOutputTokens: 9_000 }
    for (const message of ['temperature must be less than or equal to 2', 'Invalid temperature: at most 2']) {
      refusing((body) => 'temperature' in body, { body: { error: { message, param: 'temperature' } } })
      const service = await start()
      const error = await answerOf(service.models, request, WHO).catch((thrown: Error) => thrown)
      expect((error as Error).message).to.contain(message)
      expect(omitsOf(service)).to.equal(undefined)
    }
    refusing(({ max_tokens: most }) => Number(most) > 4_096, {
      body: { error: { message: 'max_tokens is too large' } },
    })
    const service = await start()
    await answerOf(service.models, request, WHO)
    expect(omitsOf(service)).to.deep.equal(['max_tokens'])
  })

  it('does not learn what is refused without it as well', async () => {
    refusing(() => true, { body: { error: { message: 'stream_options is refused' } } })
    const service = await start()
    const error = await answerOf(service.models, 'hi', WHO).catch((thrown: Error) => thrown)
    expect((error as Error).message).to.equal('it:m does not take the request (status 400): stream_options is refused')
    expect(server.asked).to.have.length(2)
    expect(omitsOf(service)).to.equal(undefined)
  })

  describe('because of its roles', () => {
    const roles = (body: Asked['body'] | undefined): string[] =>
      ((body?.messages ?? []) as unknown as { role: string }[]).map(({ role }) => role)
    /** Whether roles take turns, after one system message at most. */
    const takeTurns = (list: readonly string[]): boolean =>
      list[list[0] === 'system' ? 1 : 0] === 'user' &&
      list.every((role, index) => {
        const before = list[index - 1]
        if (role === 'system') return index === 0
        if (role === 'tool') return before === 'assistant' || before === 'tool'
        return role !== before && !(role === 'user' && before === 'tool')
      })
    const call = { type: 'tool-call', id: 'c', name: 'f', input: {} } as const
    const result = { type: 'tool-result', id: 'c', name: 'f', output: 'ok' } as const
    const CONVERSATIONS: Readonly<Record<string, ModelRequest['messages']>> = {
      'two messages of the user in a row': [
        { role: 'user', content: 'hello' },
        { role: 'user', content: 'which plums are ripe?' },
      ],
      'a message after the results of tools': [
        { role: 'user', content: 'roll' },
        { role: 'assistant', content: [call] },
        { role: 'tool', content: [result] },
        { role: 'user', content: 'which plums are ripe?' },
      ],
      'instructions that are not first': [
        { role: 'system', content: 'Be kind.' },
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hello' },
        { role: 'system', content: 'It is noon.' },
        { role: 'user', content: 'which plums are ripe?' },
      ],
      'an answer first': [
        { role: 'assistant', content: 'Welcome!' },
        { role: 'user', content: 'which plums are ripe?' },
      ],
      'a picture in one of two messages': [
        { role: 'user', content: 'hello' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'which plums are ripe?' },
            { type: 'image', mediaType: 'image/png', data: 'aGk=' },
          ],
        },
      ],
    }
    const REFUSALS: readonly Refusal[] = [
      { body: { object: 'error', message: 'Conversation roles must alternate user/assistant/user/assistant/...' } },
      { status: 422, body: { detail: "Unexpected role 'user' after role 'tool'" } },
      { status: 500, body: { error: { code: 500, message: 'roles must alternate at row 1', type: 'server_error' } } },
    ]
    for (const [what, messages] of Object.entries(CONVERSATIONS))
      it(`is sent ${what} in turn`, async () => {
        for (const refusal of REFUSALS) {
          refusing((body) => !takeTurns(roles(body)), refusal)
          await rm(join(data, 'model-forms.json'), { force: true })
          const service = await start()
          const before = JSON.stringify(messages)
          for (let turn = 0; turn < 2; turn++) await answerOf(service.models, { messages }, WHO)
          expect(server.asked, JSON.stringify(refusal.body)).to.have.length(3)
          const sent = JSON.stringify(server.asked[2]?.body.messages)
          for (const text of ['hello', 'Be kind.', 'Be brief.', 'It is noon.', 'Welcome!', 'ripe', 'aGk='])
            if (before.includes(text)) expect(sent, text).to.contain(text)
          expect(JSON.stringify(messages)).to.equal(before)
          expect(omitsOf(service)).to.deep.equal(['alternate_roles'])
          await service.models.close()
        }
      })

    it('is sent a conversation that extends the one before', async () => {
      const service = await start(compatible({ omit: ['alternate_roles'] }))
      const messages = CONVERSATIONS['a message after the results of tools'] ?? []
      refusing(() => false, { body: '' })
      await answerOf(service.models, { messages }, WHO)
      await answerOf(service.models, { messages: [...messages, { role: 'user', content: 'And pears?' }] }, WHO)
      const [first, second] = server.asked.map(({ body }) => JSON.stringify(body.messages))
      expect(second?.startsWith(first?.slice(0, -'"}]'.length) ?? '-')).to.equal(true)
    })

    it('is sent the instructions as words of the user where it takes no others', async () => {
      for (const body of ['System role not supported', 'Only user and assistant roles are supported!']) {
        refusing(({ messages }) => JSON.stringify(messages).includes('"system"'), { body })
        await rm(join(data, 'model-forms.json'), { force: true })
        const service = await start()
        await answerOf(
          service.models,
          {
            messages: [
              { role: 'system', content: 'Be kind.' },
              { role: 'user', content: 'hi' },
            ],
          },
          WHO,
        )
        expect(server.asked.at(-1)?.body.messages).to.deep.equal([{ role: 'user', content: 'Be kind.\n\nhi' }])
        await service.models.close()
      }
    })
  })
})
