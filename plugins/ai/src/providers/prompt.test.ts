import { expect } from 'chai'
import type { ModelMessage, ToolResultPart } from '../api/messages.js'
import type { ModelRequest } from '../api/models.js'
import { toPrompt, type PromptTarget } from './prompt.js'
import { PlayedServer, partsOf, serviceOf, streamed, type Asked, type AskedBody } from '../test/support.js'

const target = (more: Partial<PromptTarget> = {}): PromptTarget => ({
  model: 'it:m',
  toolMedia: true,
  cacheMarks: false,
  media: true,
  vision: true,
  video: true,
  pdf: true,
  takesUrl: () => false,
  loaded: new Map(),
  ...more,
})
const image = { type: 'image' as const, mediaType: 'image/png', data: 'aGk=' }
const result = (id: string, output: ToolResultPart['output'] = 'ok', isError = false): ToolResultPart => ({
  type: 'tool-result',
  id,
  name: 'f',
  output,
  ...(isError ? { isError } : {}),
})
const call = (id: string, input: unknown = {}) => ({ type: 'tool-call' as const, id, name: 'f', input })

describe('prompts of providers', () => {
  it('are repaired where a provider would refuse them', () => {
    const messages: ModelMessage[] = [
      { role: 'system', content: 'Be kind.' },
      { role: 'tool', content: [result('stray')] },
      { role: 'user', content: 'go\0 on \ud800' },
      { role: 'assistant', content: [call('1'), call('2', 'no object')] },
      { role: 'tool', content: [result('2')] },
      { role: 'tool', content: [result('other')] },
      { role: 'system', content: 'Late.' },
      { role: 'assistant', content: [] },
      { role: 'assistant', content: '' },
    ]
    const prompt = toPrompt(messages, target())
    expect(prompt.map(({ role }) => role)).to.deep.equal(['system', 'user', 'assistant', 'tool', 'user'])
    expect(prompt[1]?.content).to.deep.equal([{ type: 'text', text: 'go\uFFFD on \uFFFD' }])
    expect(prompt[2]?.content).to.deep.equal([
      { type: 'tool-call', toolCallId: '1', toolName: 'f', input: {} },
      { type: 'tool-call', toolCallId: '2', toolName: 'f', input: {} },
    ])
    expect(
      (prompt[3]!.content as { toolCallId: string; output: { type: string } }[]).map(({ toolCallId, output }) => [
        toolCallId,
        output.type,
      ]),
    ).to.deep.equal([
      ['1', 'error-text'],
      ['2', 'text'],
    ])
  })

  it('keep reasoning and metadata for the model that made them', () => {
    const message: ModelMessage = {
      role: 'assistant',
      model: 'it:m',
      content: [
        { type: 'reasoning', text: 'hm', providerMetadata: { anthropic: { signature: 's' } } },
        { type: 'text', text: 'yes', providerMetadata: { google: { thoughtSignature: 't' } } },
      ],
    }
    expect(toPrompt([message], target())[0]?.content).to.deep.equal([
      { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 's' } } },
      { type: 'text', text: 'yes', providerOptions: { google: { thoughtSignature: 't' } } },
    ])
    for (const other of [target({ model: 'it:n' }), target({ plain: true })])
      expect(toPrompt([message], other)[0]?.content).to.deep.equal([{ type: 'text', text: 'yes' }])
  })

  it('show media to a model that sees, and name them for others', () => {
    const messages: ModelMessage[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          image,
          { type: 'image', mediaType: 'image/png', url: 'https://x.example/a.png' },
          { type: 'image', mediaType: 'image/png', url: 'data:image/gif;base64,R0lG' },
        ],
      },
    ]
    const shown = (more: Partial<PromptTarget>) =>
      (toPrompt(messages, target(more))[0]!.content as { type: string; data?: unknown; text?: string }[]).map(
        ({ type, data, text }) => [type, String(data ?? text)],
      )
    expect(shown({})).to.deep.equal([
      ['text', 'look'],
      ['file', 'aGk='],
      ['text', '[image: could not be loaded]'],
      ['file', 'R0lG'],
    ])
    expect(shown({ takesUrl: () => true })[2]).to.deep.equal(['file', 'https://x.example/a.png'])
    expect(
      shown({ loaded: new Map([['https://x.example/a.png', { data: 'Ynk=', mediaType: 'image/png' }]]) })[2],
    ).to.deep.equal(['file', 'Ynk='])
    expect(
      shown({ vision: false })
        .slice(1)
        .map(([, text]) => text),
    ).to.deep.equal(Array(3).fill('[image: cannot be shown to this model]'))
  })

  it('show videos to a model that takes them, and name them for others', () => {
    const video = { type: 'file' as const, mediaType: 'video/mp4', filename: 'kite.mp4' }
    const messages: ModelMessage[] = [
      {
        role: 'user',
        content: [
          { ...video, data: 'AAAA' },
          { ...video, url: 'https://x.example/kite.mp4' },
        ],
      },
    ]
    const shown = (more: Partial<PromptTarget>) =>
      (
        toPrompt(messages, target({ takesUrl: () => true, ...more }))[0]!.content as { data?: unknown; text?: string }[]
      ).map(({ data, text }) => String(data ?? text))
    expect(shown({})).to.deep.equal(['AAAA', 'https://x.example/kite.mp4'])
    for (const more of [{ video: false }, { plain: true }])
      expect(shown(more)).to.deep.equal(Array(2).fill('[kite.mp4: cannot be shown to this model]'))
  })

  it('send a PDF to models that are known to take it, and its text to others', async () => {
    const server = await PlayedServer.start((response) => void response.writeHead(400).end('{}'))
    const document = { type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', data: 'JVBERi0=' } as const
    try {
      for (const [sdk, path, model, sent] of [
        ['anthropic', '/v1', 'claude-sonnet-4-5', '"source":{"type":"base64","media_type":"application/pdf"'],
        ['anthropic', '/v1', 'claude-3-haiku-20240307', 'ten plums'],
        ['google', '/v1beta', 'gemini-2.5-pro', '"inlineData":{"mimeType":"application/pdf","data":"JVBERi0="}'],
        ['openai', '/v1', 'gpt-4o', '"file_data":"data:application/pdf;base64,JVBERi0="'],
        ['openai', '/v1', 'gpt-4', 'ten plums'],
        ['openai-compatible', '/v1', 'gpt-4o', 'ten plums'],
      ] as const) {
        const config = { sdk, apiKey: 'k', baseUrl: `${server.origin}${path}`, models: [model] }
        const { models } = serviceOf({ it: config as never })
        const before = server.asked.length
        await partsOf(
          models,
          { messages: [{ role: 'user', content: [{ ...document, text: 'ten plums' }] }] },
          { candidates: [{ provider: 'it', model }] },
        ).catch(() => {})
        const first = JSON.stringify(server.asked[before]?.body)
        expect(first, `${sdk} ${model}`).to.include(sent)
        expect(first.includes('ten plums'), `${sdk} ${model}`).to.equal(sent === 'ten plums')
      }
    } finally {
      await server.stop()
    }
  })

  it('send a video to Gemini as bytes, and to other families as a name', async () => {
    const server = await PlayedServer.start((response) => void response.writeHead(400).end('{}'))
    try {
      const content = [
        { type: 'text', text: 'look' },
        { type: 'file', mediaType: 'video/mp4', filename: 'kite.mp4', data: 'AAAA' },
      ] as const
      for (const [config, model, sent] of [
        [
          {
            sdk: 'google',
            apiKey: 'k',
            baseUrl: `${server.origin}/v1beta`,
            models: ['gemini-2.5-pro', 'gemma-3-27b-it'],
          },
          'gemini-2.5-pro',
          '"inlineData":{"mimeType":"video/mp4","data":"AAAA"}',
        ],
        [
          {
            sdk: 'google',
            apiKey: 'k',
            baseUrl: `${server.origin}/v1beta`,
            models: ['gemini-2.5-pro', 'gemma-3-27b-it'],
          },
          'gemma-3-27b-it',
          '[kite.mp4: cannot be shown to this model]',
        ],
        [
          { sdk: 'openai-compatible', apiKey: 'k', baseUrl: server.url, models: ['gpt'] },
          'gpt',
          '[kite.mp4: cannot be shown to this model]',
        ],
      ] as const) {
        const { models } = serviceOf({ it: config as never })
        await partsOf(
          models,
          { messages: [{ role: 'user', content }] },
          { candidates: [{ provider: 'it', model }] },
        ).catch(() => [])
        expect(JSON.stringify(server.asked[0]?.body), model).to.include(sent)
        server.asked.length = 0
      }
    } finally {
      await server.stop()
    }
  })

  it('put media of a result below it, where results are text only', () => {
    const messages: ModelMessage[] = [
      { role: 'assistant', content: [call('1')] },
      { role: 'tool', content: [result('1', [{ type: 'text', text: 'a chart' }, image])] },
    ]
    const inside = toPrompt(messages, target())
    expect(inside).to.have.length(2)
    expect(JSON.stringify(inside[1])).to.contain('image-data')
    const below = toPrompt(messages, target({ toolMedia: false }))
    expect(below.map(({ role }) => role)).to.deep.equal(['assistant', 'tool', 'user'])
    expect(JSON.stringify(below[1])).to.contain('a chart').and.not.to.contain('aGk=')
    expect(JSON.stringify(below[2])).to.contain('aGk=')
  })

  it('have stable ids of calls that every family accepts', () => {
    const odd = `functions.search:0 ${'é'.repeat(100)}`
    const ids = () =>
      toPrompt(
        [
          { role: 'assistant', content: [call(odd)] },
          { role: 'tool', content: [result(odd)] },
        ],
        target(),
      ).map(({ content }) => (content[0] as unknown as { toolCallId: string }).toolCallId)
    expect(ids()[0]).to.match(/^[A-Za-z0-9_-]{1,64}$/)
    expect(ids()[1]).to.equal(ids()[0])
    expect(ids()).to.deep.equal(ids())
  })

  it('mark the instructions and the last two messages of the user’s side', () => {
    const messages: ModelMessage[] = [
      { role: 'system', content: 's' },
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [call('1')] },
      { role: 'tool', content: [result('1')] },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: 'c' },
    ]
    expect(
      toPrompt(messages, target({ cacheMarks: true })).map((message) => message.providerOptions !== undefined),
    ).to.deep.equal([true, false, false, true, false, true])
    expect(toPrompt(messages, target()).some((message) => message.providerOptions)).to.equal(false)
  })

  describe('over the wire', () => {
    let server: PlayedServer
    const tools = [
      { name: 'b', description: 'second', parameters: { type: 'object' } },
      { name: 'a', description: 'first', parameters: { type: 'object' } },
    ]
    const turn = (...more: ModelMessage[]): ModelRequest => ({
      messages: [{ role: 'system', content: 'Be kind.' }, { role: 'user', content: 'one' }, ...more],
      tools,
      cacheKey: 'session-7',
      temperature: 0.2,
      maxOutputTokens: 99,
      stopSequences: ['END'],
    })
    before(async () => {
      server = await PlayedServer.start()
    })
    after(() => server.stop())

    it('extend the request before, with tools in their order', async () => {
      server.play((response) => streamed(response, 'fine'))
      const { models } = serviceOf({ it: { sdk: 'openai', apiKey: 'k', baseUrl: server.url, models: ['gpt-4o'] } })
      const who = { candidates: [{ provider: 'it', model: 'gpt-4o' }] }
      await partsOf(models, turn(), who)
      await partsOf(
        models,
        turn({ role: 'assistant', content: [call('1')] }, { role: 'tool', content: [result('1')] }),
        who,
      )
      const [first, second] = server.asked.map(({ body }) => body) as [AskedBody, AskedBody]
      expect(JSON.stringify(second.messages).startsWith(JSON.stringify(first.messages).slice(0, -1))).to.equal(true)
      expect(JSON.stringify(second.tools)).to.equal(JSON.stringify(first.tools))
      const asked = first.tools as unknown as readonly { function: { name: string; parameters: object } }[]
      expect(asked.map((tool) => tool.function.name)).to.deep.equal(['b', 'a'])
      expect(asked[0]?.function.parameters).to.deep.equal({ type: 'object', properties: {} })
      expect(first).to.deep.include({ prompt_cache_key: 'session-7', temperature: 0.2, stop: ['END'] })
    })

    it('have at most four marks for anthropic', async () => {
      server.play((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const event = (data: { type: string }) =>
          response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)
        event({
          type: 'message_start',
          message: {
            id: 'm',
            type: 'message',
            role: 'assistant',
            model: 'c',
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { input_tokens: 20, cache_read_input_tokens: 80, cache_creation_input_tokens: 0, output_tokens: 1 },
          },
        } as { type: string })
        event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as { type: string })
        event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'fine' } } as {
          type: string
        })
        event({ type: 'content_block_stop', index: 0 } as { type: string })
        event({
          type: 'message_delta',
          delta: { stop_reason: 'end_turn', stop_sequence: null },
          usage: { output_tokens: 3 },
        } as { type: string })
        event({ type: 'message_stop' })
        response.end()
      })
      const { models, used } = serviceOf({
        it: {
          sdk: 'anthropic',
          apiKey: 'k',
          baseUrl: server.url,
          models: ['claude-sonnet-4-5'],
          prices: { input: 3, cachedInput: 0.3, output: 15 },
        },
      })
      await partsOf(
        models,
        turn({ role: 'assistant', content: [call('1')] }, { role: 'tool', content: [result('1')] }),
        { candidates: [{ provider: 'it', model: 'claude-sonnet-4-5' }] },
      )
      const { body } = server.asked[0] as Asked
      expect(JSON.stringify(body).split('cache_control').length - 1).to.equal(4)
      const tools = body.tools as unknown as readonly AskedBody[]
      expect(tools[1]?.cache_control).to.deep.equal({ type: 'ephemeral' })
      expect(tools[0]).not.to.have.property('cache_control')
      expect(used[0]?.usage).to.deep.include({ input: 100, cachedInput: 80, output: 3 })
      expect(used[0]?.usage.cost).to.be.closeTo((20 * 3 + 80 * 0.3 + 3 * 15) / 1e6, 1e-12)
    })

    it('send the window to the native interface of ollama, and nothing larger than it', async () => {
      server.play(
        (response) =>
          void response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(
            `${JSON.stringify({
              model: 'm',
              created_at: '2026-01-01T00:00:00Z',
              message: { role: 'assistant', content: 'fine' },
              done: true,
              done_reason: 'stop',
              prompt_eval_count: 7,
              eval_count: 2,
            })}\n`,
          ),
      )
      const { models } = serviceOf({
        it: { sdk: 'ollama', host: server.origin, num_ctx: 4096, models: ['llama3.2:3b'] },
      })
      const who = { candidates: [{ provider: 'it', model: 'llama3.2:3b' }] }
      await partsOf(models, turn(), who)
      expect(server.asked[0]?.path).to.equal('/api/chat')
      expect(server.asked[0]?.body.options).to.deep.equal({
        num_ctx: 4096,
        temperature: 0.2,
        num_predict: 99,
        stop: ['END'],
      })
      const error = await partsOf(models, turn({ role: 'user', content: 'x'.repeat(20_000) }), who).catch(
        (thrown: unknown) => thrown,
      )
      expect(error).to.deep.include({ class: 'overflow' })
      expect(server.asked).to.have.length(1)
    })

    it('load pictures through the service Web for families that do not', async () => {
      const pictures = await PlayedServer.start(
        (response) => void response.writeHead(200, { 'content-type': 'image/png' }).end('hi'),
      )
      server.play((response) => streamed(response, 'fine'))
      const request: ModelRequest = {
        messages: [
          { role: 'user', content: [{ type: 'image', mediaType: 'image/png', url: `${pictures.origin}/a.png` }] },
        ],
      }
      const config = { it: { sdk: 'openai-compatible' as const, baseUrl: server.url, models: ['m'] } }
      await partsOf(serviceOf(config).models, request, { candidates: [{ provider: 'it', model: 'm' }] })
      expect(JSON.stringify(server.asked[0]?.body)).to.contain('could not be loaded')
      expect(pictures.asked).to.have.length(0)
      await partsOf(serviceOf(config, { allowHosts: ['127.0.0.1'] }).models, request, {
        candidates: [{ provider: 'it', model: 'm' }],
      })
      expect(JSON.stringify(server.asked[1]?.body)).to.contain('data:image/png;base64,aGk=')
      await pictures.stop()
    })
  })
})
