import { expect } from 'chai'
import type { ModelMessage } from '../api/messages.js'
import type { ModelRequest } from '../api/models.js'
import type { ProviderConfig } from '../config.js'
import { answerOf, PlayedServer, refused, serviceOf, streamed, type AskedBody } from '../test/support.js'

describe('level of thinking', () => {
  let server: PlayedServer
  before(async () => {
    server = await PlayedServer.start()
  })
  after(() => server.stop())

  /** Returns the bodies of the requests that one call made. Where the server refuses all, the call has failed. */
  async function bodies(
    provider: Partial<ProviderConfig> & Pick<ProviderConfig, 'sdk'>,
    model: string,
    request: Partial<ModelRequest>,
  ): Promise<readonly AskedBody[]> {
    const { models } = serviceOf({ it: { apiKey: 'k', baseUrl: server.url, models: [model], ...provider } })
    const messages = [{ role: 'user', content: 'hi' }] as const
    await answerOf(models, { messages, ...request }, { provider: 'it', model }).catch(() => {})
    return server.asked.map(({ body }) => body)
  }
  const refuseAll = (): void => server.play((response) => refused(response, 401, { message: 'no' }))

  for (const [model, level, effort] of [
    ['gpt-5-mini', 'high', 'high'],
    ['gpt-5-mini', 'low', 'low'],
    ['gpt-5-mini', 'off', 'minimal'],
    ['gpt-5.1', 'off', 'none'],
    ['o4-mini', 'off', 'low'],
    ['gpt-4o', 'high', undefined],
    ['gpt-5-chat-latest', 'high', undefined],
  ] as const) {
    it(`${level} is the effort ${effort} of ${model}`, async () => {
      refuseAll()
      const [body] = await bodies({ sdk: 'openai' }, model, { thinking: level })
      expect(body).to.include({ model })
      expect(body?.['reasoning_effort']).to.equal(effort)
    })
  }

  for (const [model, level, thinking, effort] of [
    ['claude-sonnet-4-5', 'low', { type: 'enabled', budget_tokens: 2_048 }, undefined],
    ['claude-sonnet-4-20250514', 'high', { type: 'enabled', budget_tokens: 16_384 }, undefined],
    ['claude-opus-4-6', 'high', { type: 'adaptive' }, { effort: 'high' }],
    ['claude-sonnet-4-5', 'off', { type: 'disabled' }, undefined],
    ['claude-3-5-haiku-latest', 'high', undefined, undefined],
  ] as const) {
    it(`${level} is sent to ${model} in the words of anthropic`, async () => {
      refuseAll()
      const [body] = await bodies({ sdk: 'anthropic' }, model, { thinking: level })
      expect(body?.['thinking']).to.deep.equal(thinking)
      expect(body?.['output_config']).to.deep.equal(effort)
    })
  }

  it('is not sent to anthropic while calls without a thought are open', async () => {
    const messages: ModelMessage[] = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'tool-call', id: 'c1', name: 'f', input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', id: 'c1', name: 'f', output: 'done' }] },
    ]
    refuseAll()
    const [open] = await bodies({ sdk: 'anthropic' }, 'claude-sonnet-4-5', { thinking: 'high', messages })
    expect(open?.['messages']).to.have.length(3)
    expect(open).to.not.have.property('thinking')
    refuseAll()
    const closed: ModelMessage[] = [
      ...messages,
      { role: 'assistant', content: 'ok' },
      { role: 'user', content: 'next' },
    ]
    const [next] = await bodies({ sdk: 'anthropic' }, 'claude-sonnet-4-5', { thinking: 'high', messages: closed })
    expect(next?.['thinking']).to.deep.equal({ type: 'enabled', budget_tokens: 16_384 })
  })

  it('overrides the options of the configuration, and keeps the others', async () => {
    refuseAll()
    const providerOptions = { openai: { reasoningEffort: 'medium', serviceTier: 'flex' } }
    const [body] = await bodies({ sdk: 'openai' }, 'gpt-5', { thinking: 'low', providerOptions })
    expect(body).to.include({ reasoning_effort: 'low', service_tier: 'flex' })
  })

  it('is not sent to other families, and to models that are known not to think', async () => {
    refuseAll()
    expect((await bodies({ sdk: 'openai-compatible' }, 'any', { thinking: 'high' }))[0]).to.have.all.keys(
      Object.keys((await bodies({ sdk: 'openai-compatible' }, 'any', {}))[0] ?? {}),
    )
    refuseAll()
    const capabilities = { thinking: false }
    const [body] = await bodies({ sdk: 'openai', capabilities }, 'gpt-5', { thinking: 'high' })
    expect(body).to.include({ model: 'gpt-5' }).and.not.have.property('reasoning_effort')
  })

  it('is left out where the provider refuses it', async () => {
    server.play((response, { body }) =>
      body['reasoning_effort'] === undefined
        ? streamed(response, 'fine')
        : refused(response, 400, { message: 'reasoning_effort is not known' }),
    )
    const asked = await bodies({ sdk: 'openai' }, 'relayed', { thinking: 'high' })
    expect(asked.map((body) => body['reasoning_effort'])).to.deep.equal(['high', undefined])
  })
})
