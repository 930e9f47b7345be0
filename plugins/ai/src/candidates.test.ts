import { expect } from 'chai'
import { isModelError } from './api/errors.js'
import { candidatesFor } from './candidates.js'
import type { ModelChoice } from './api/models.js'
import { ModelRegistry } from './registry/registry.js'
import { PlayedServer } from './test/support.js'

describe('candidatesFor', () => {
  let server: PlayedServer
  let registry: ModelRegistry
  const names = async (choice: ModelChoice, from = registry) =>
    (await candidatesFor(choice, from)).map(({ provider, model }) => `${provider}:${model}`)
  const failure = async (choice: ModelChoice, from = registry) => {
    const error = await candidatesFor(choice, from).catch((thrown: unknown) => thrown)
    return isModelError(error) ? [error.class, error.message] : [String(error)]
  }

  beforeEach(async () => {
    server = await PlayedServer.start(
      (response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ data: [{ id: 'found' }, { id: 'gpt-4o' }, { id: 'text-embedding-3-small' }] })),
    )
    registry = new ModelRegistry({
      providers: {
        a: { sdk: 'openai-compatible', baseUrl: 'http://a.example/v1', models: ['gpt-5-mini', 'gpt-5', 'whisper-1'] },
        b: { sdk: 'openai-compatible', baseUrl: server.url },
        c: { sdk: 'deepseek', models: ['deepseek-chat', 'qwen3:8b'] },
      },
    })
  })
  afterEach(() => server.stop())

  it('are the best model of the first provider, its others, and the best of each other provider', async () => {
    expect(await names({})).to.deep.equal(['a:gpt-5', 'a:gpt-5-mini', 'c:deepseek-chat'])
    await registry.discover()
    expect(await names({})).to.deep.equal(['a:gpt-5', 'a:gpt-5-mini', 'b:gpt-4o', 'c:deepseek-chat'])
    expect(await names({ provider: 'c' })).to.deep.equal(['c:deepseek-chat', 'c:qwen3:8b', 'a:gpt-5', 'b:gpt-4o'])
    expect(await names({ provider: 'a', model: 'gpt-5-mini' })).to.deep.equal([
      'a:gpt-5-mini',
      'a:gpt-5',
      'b:gpt-4o',
      'c:deepseek-chat',
    ])
  })

  it('wait for a discovery only when it is necessary', async () => {
    await names({})
    await names({ model: 'deepseek-chat' })
    await names({ provider: 'b', model: 'anything' })
    expect(server.asked).to.have.length(0)
    expect((await names({ provider: 'b' }))[0]).to.equal('b:gpt-4o')
    expect(server.asked).to.have.length(1)
  })

  it('find the provider of a model without an alias, also with a colon in its name', async () => {
    expect((await names({ model: 'qwen3:8b' }))[0]).to.equal('c:qwen3:8b')
    expect((await names({ model: 'c:deepseek-chat' }))[0]).to.equal('c:deepseek-chat')
    expect((await names({ model: 'found' }))[0]).to.equal('b:found')
  })

  it('follow a configured fallback', async () => {
    expect(await names({ provider: 'a', fallback: ['c', 'a:gpt-5-mini', 'absent', 'c:none'] })).to.deep.equal([
      'a:gpt-5',
      'c:deepseek-chat',
      'a:gpt-5-mini',
    ])
    expect(await names({ provider: 'a', fallback: [] })).to.deep.equal(['a:gpt-5'])
  })

  it('leave out models that are known to lack a capability', async () => {
    expect(await names({ provider: 'a', needs: { vision: true } })).to.deep.equal(['a:gpt-5', 'a:gpt-5-mini'])
    expect((await failure({ provider: 'c', needs: { vision: true } }))[0]).to.equal('unconfigured')
  })

  it('name the closest match of a missing model', async () => {
    expect(await failure({ provider: 'a', model: 'gpt-5-mni' })).to.deep.equal([
      'not-allowed',
      'a has no model "gpt-5-mni" in its list models; did you mean "gpt-5-mini"?',
    ])
    expect((await failure({ provider: 'aa' }))[1]).to.contain('did you mean "a"')
    expect((await failure({ model: 'deepseek-chap' }))[1]).to.contain('did you mean "deepseek-chat"')
    expect((await failure({}, new ModelRegistry({ providers: {} })))[0]).to.equal('unconfigured')
  })

  it('say why there are none', async () => {
    server.play((response) => void response.writeHead(401).end('{}'))
    const only = new ModelRegistry({ providers: { b: { sdk: 'openai-compatible', baseUrl: server.url } } })
    expect((await failure({}, only))[1]).to.contain('b refuses the key')
    // Its models are unknown, so none is refused.
    expect(await names({ model: 'anything' }, only)).to.deep.equal(['b:anything'])
  })
})
