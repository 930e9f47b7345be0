import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { TestClock } from '@mynah/kernel/testing'
import type { ProviderConfig } from '../config.js'
import { ModelRegistry } from './registry.js'
import { flood, keptLog, PlayedServer } from '../test/support.js'

const json = (value: unknown) => (response: import('node:http').ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
const ids = (registry: ModelRegistry, alias = 'it') => registry.get(alias)?.models.map(({ id }) => id)

describe('discover', () => {
  let server: PlayedServer
  let clock: TestClock
  let folder: string
  const file = () => join(folder, 'data', 'model-registry-cache.json')
  let begun: ModelRegistry[] = []
  const start = (config: Partial<ProviderConfig> = {}, more: object = {}) => {
    const registry = new ModelRegistry({
      providers: { it: { sdk: 'openai-compatible', apiKey: 'secret-key', baseUrl: server.url, ...config } },
      clock,
      cacheFile: file(),
      ...more,
    })
    begun.push(registry)
    return registry
  }

  beforeEach(async () => {
    clock = new TestClock()
    server = await PlayedServer.start()
    folder = await mkdtemp(join(tmpdir(), 'mynah-ai-'))
  })
  afterEach(async () => {
    await Promise.all(begun.map((registry) => registry.close()))
    begun = []
    await server.stop()
    await rm(folder, { recursive: true })
  })

  it('asks a compatible server for its list, with the key', async () => {
    server.play(
      json({
        data: [
          { id: 'llama-3.1-8b' },
          {
            id: 'gpt-5',
            context_length: 400_000,
            architecture: { input_modalities: ['text', 'image'] },
            supported_parameters: ['tools'],
          },
          { id: 5 },
          null,
          { id: 'text-embedding-3-small' },
        ],
      }),
    )
    const registry = start()
    await registry.discover('it')
    expect(server.asked.map(({ method, path, headers }) => [method, path, headers.authorization])).to.deep.equal([
      ['GET', '/v1/models', 'Bearer secret-key'],
    ])
    expect(ids(registry)).to.deep.equal(['gpt-5', 'llama-3.1-8b', 'text-embedding-3-small'])
    expect(registry.model({ provider: 'it', model: 'gpt-5' })).to.deep.include({
      contextWindow: 400_000,
      capabilities: { vision: true, toolCalling: true, thinking: false },
    })
    expect(registry.get('it')?.status).to.equal('ready')
  })

  it('finds the list of a bare address with and without a path', async () => {
    for (const prefix of ['/v1', '']) {
      server.play((response, asked) =>
        asked.path === `${prefix}/models`
          ? json({ data: [{ id: 'm' }] })(response)
          : void response.writeHead(404).end(),
      )
      const registry = start({ baseUrl: server.origin })
      await registry.discover()
      expect(ids(registry)).to.deep.equal(['m'])
    }
  })

  it('finds the list below an address without a version, once', async () => {
    server.play((response, { path }) =>
      path === '/relay/v1/models' ? json({ data: [{ id: 'm' }] })(response) : void response.writeHead(404).end(),
    )
    const registry = start({ baseUrl: `${server.origin}/relay` })
    for (let time = 0; time < 2; time++) await registry.discover()
    expect(ids(registry)).to.deep.equal(['m'])
    expect(server.asked.map(({ path }) => path)).to.deep.equal([
      '/relay/models',
      '/relay/v1/models',
      '/relay/v1/models',
    ])
  })

  it('asks the families in their own way', async () => {
    server.play(json({ data: [{ type: 'model', id: 'claude-opus-4-5', display_name: 'Opus' }], has_more: false }))
    const anthropic = start({ sdk: 'anthropic' })
    await anthropic.discover()
    expect(ids(anthropic)).to.deep.equal(['claude-opus-4-5'])
    expect(server.asked[0]?.headers).to.deep.include({ 'x-api-key': 'secret-key', 'anthropic-version': '2023-06-01' })
    server.play(
      json({
        models: [
          {
            name: 'models/gemini-2.5-pro',
            inputTokenLimit: 1_048_576,
            supportedGenerationMethods: ['generateContent'],
            thinking: true,
          },
          { name: 'models/embedding-001', supportedGenerationMethods: ['embedContent'] },
        ],
      }),
    )
    const google = start({ sdk: 'google', baseUrl: `${server.origin}/v1beta` })
    await google.discover()
    expect(ids(google)).to.deep.equal(['gemini-2.5-pro'])
    expect(google.model({ provider: 'it', model: 'gemini-2.5-pro' })).to.deep.include({
      contextWindow: 1_048_576,
      capabilities: { thinking: true, video: true, pdf: true },
    })
    expect(server.asked[0]?.headers['x-goog-api-key']).to.equal('secret-key')
    expect(server.asked[0]?.path)
      .to.match(/^\/v1beta\/models/)
      .and.not.to.contain('secret-key')
  })

  describe('of ollama', () => {
    const tags = (...names: string[]) => ({
      models: names.map((name) => ({
        name,
        model: name,
        details: { parameter_size: '8.0B', family: 'llama', quantization_level: 'Q4_K_M' },
      })),
    })
    const show = {
      details: { parameter_size: '8.0B', family: 'llama', quantization_level: 'Q4_0' },
      model_info: { 'general.architecture': 'llama', 'llama.context_length': 131_072 },
      capabilities: ['completion', 'tools', 'vision'],
    }
    const ollama = (extra = {}) => ({
      baseUrl: undefined as never,
      sdk: 'ollama' as const,
      host: server.origin,
      ...extra,
    })

    it('asks for the details of new models only, several at once', async () => {
      let open = 0
      let most = 0
      server.play(async (response, { path }) => {
        if (path === '/api/tags') return json(tags(...Array.from({ length: 20 }, (_, index) => `m${index}`)))(response)
        most = Math.max(most, ++open)
        await new Promise((resolve) => setTimeout(resolve, 5))
        open--
        json(show)(response)
      })
      const registry = start(ollama())
      await registry.discover('it')
      expect(server.asked.filter(({ path }) => path === '/api/show')).to.have.length(20)
      expect(most).to.be.within(2, 6)
      expect(registry.model({ provider: 'it', model: 'm7' })).to.deep.include({
        contextWindow: 131_072,
        billions: 8,
        capabilities: { vision: true, toolCalling: true, thinking: false },
      })
      server.play((response, { path }) =>
        path === '/api/tags' ? json(tags('m7', 'new'))(response) : json(show)(response),
      )
      await registry.discover('it')
      expect(server.asked.filter(({ path }) => path === '/api/show').map(({ body }) => body.model)).to.deep.equal([
        'new',
      ])
      expect(ids(registry)).to.have.members(['m7', 'new'])
    })

    it('is found when only a host is configured', async () => {
      server.play((response, { path }) => json(path === '/api/tags' ? tags('a') : show)(response))
      const registry = start(ollama({ host: server.origin.replace('http://', '') }))
      await registry.discover('it')
      expect(ids(registry)).to.deep.equal(['a'])
    })

    it('is found by the address of either of its interfaces', async () => {
      server.play((response, { path }) => {
        if (path === '/api/tags') return json(tags('a'))(response)
        if (path === '/api/show') return json(show)(response)
        return void response.writeHead(404).end()
      })
      for (const path of ['/v1', '/v1/', '/api', '/api/chat', '/v1/chat/completions', '//v1'])
        for (const field of ['baseUrl', 'host']) {
          const registry = start({ sdk: 'ollama', baseUrl: undefined as never, [field]: `${server.origin}${path}` })
          await registry.discover('it')
          expect(ids(registry), `${field} ${path}`).to.deep.equal(['a'])
          expect(registry.get('it')?.endpoint.below('/v1').base).to.equal(`${server.origin}/v1`)
        }
    })

    it('works without details that fail to load', async () => {
      server.play((response, { path }) =>
        path === '/api/tags' ? json(tags('a', 'b'))(response) : void response.writeHead(500).end('no'),
      )
      const registry = start(ollama())
      await registry.discover('it')
      expect(ids(registry)).to.have.members(['a', 'b'])
      expect(registry.model({ provider: 'it', model: 'a' })?.score).to.equal(60)
    })

    it('uses the window of the configuration', async () => {
      server.play((response, { path }) => json(path === '/api/tags' ? tags('a') : show)(response))
      const registry = start(ollama({ num_ctx: 4096, capabilities: { vision: false } }))
      await registry.discover('it')
      expect(registry.model({ provider: 'it', model: 'a' })).to.deep.include({
        contextWindow: 4096,
        capabilities: { vision: false, toolCalling: true, thinking: false },
      })
    })
  })

  it('keeps its results for a start without requests', async () => {
    server.play(json({ data: [{ id: 'gpt-5', context_length: 400_000 }] }))
    const first = start()
    await first.discover()
    await first.close()
    const stored = JSON.parse(await readFile(file(), 'utf8'))
    expect(stored).to.deep.include({
      version: 1,
      updatedAt: clock.now(),
      providers: { it: [{ id: 'gpt-5', cachedAt: clock.now(), contextWindow: 400_000 }] },
    })
    expect(JSON.stringify(stored)).not.to.contain('secret-key').and.not.to.contain('127.0.0.1')

    const second = start()
    await second.load()
    expect(ids(second)).to.deep.equal(['gpt-5'])
    expect(second.isStale('it')).to.equal(false)
    await clock.advance(24 * 3_600_000)
    expect(second.isStale('it')).to.equal(true)
    expect(ids(second)).to.deep.equal(['gpt-5'])
    // Another server under the same alias has other models.
    const moved = start({ baseUrl: `${server.origin}/elsewhere` })
    await moved.load()
    expect(ids(moved)).to.deep.equal([])
    expect(server.asked).to.have.length(1)
  })

  it('reads a file with any content', async () => {
    const registry = start()
    await registry.load()
    for (const content of [
      '',
      'no json',
      '[]',
      '{"version": 2, "providers": {"it": [{"id": "x", "cachedAt": 1}]}}',
      '{"version":1,"providers":{"it":5}}',
      '{"version":1,"providers":{"it":[null,{"id":7},{"id":"x"}]},"sources":[]}',
    ]) {
      server.play(json({ data: [{ id: 'm' }] }))
      const other = start()
      await registry.discover()
      await registry.close()
      await writeFile(file(), content)
      await other.load()
      expect(ids(other), content).to.deep.equal([])
    }
  })

  it('is one request for all callers', async () => {
    server.play(json({ data: [{ id: 'm' }] }))
    const registry = start()
    await Promise.all([registry.discover('it'), registry.discover(), registry.discover('it')])
    expect(server.asked).to.have.length(1)
  })

  it('reports why it failed, and keeps the old list', async () => {
    const log = keptLog()
    for (const [play, words] of [
      [
        (response: import('node:http').ServerResponse) =>
          void response.writeHead(401).end('{"error":{"message":"bad key secret-key"}}'),
        'refuses the key',
      ],
      [
        (response: import('node:http').ServerResponse) =>
          void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
        'web page',
      ],
      [json({ whatever: true }), 'is none'],
      [(response: import('node:http').ServerResponse) => void response.writeHead(200).end('{"data": ['), 'not JSON'],
      [(response: import('node:http').ServerResponse) => void response.destroy(), 'could not be reached'],
    ] as const) {
      server.play(play)
      const registry = start({}, { log })
      await registry.discover()
      const { status, error, models } = registry.get('it') ?? {}
      expect([status, models], words).to.deep.equal(['failed', []])
      expect(error).to.match(/^it /).and.to.contain(words).and.not.to.contain('secret-key')
      expect(log.lines.at(-1)).to.deep.equal({ level: 'warn', message: error })
    }
    server.play(json({ data: [{ id: 'm' }] }))
    const registry = start()
    await registry.discover()
    server.play((response) => void response.destroy())
    await registry.discover()
    expect(registry.get('it')).to.deep.include({ status: 'ready' })
    expect(registry.get('it')?.error).to.contain('could not be reached')
    expect(ids(registry)).to.deep.equal(['m'])
  })

  it('abandons a server that does not answer, and one that never ends', async () => {
    let reached = () => {}
    const there = new Promise<void>((resolve) => (reached = resolve))
    server.play(() => reached())
    const registry = start()
    const running = registry.discover()
    await there
    await clock.advance(15_000)
    await running
    expect(registry.get('it')?.error).to.contain('15 s')
    server.play((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      flood(response, ' '.repeat(1_000_000))
    })
    await registry.discover()
    expect(registry.get('it')?.error).to.contain('too long')
  })

  it('stops with its host', async () => {
    let reached = () => {}
    const there = new Promise<void>((resolve) => (reached = resolve))
    server.play(() => reached())
    const registry = start()
    const running = registry.discover()
    await there
    await registry.close()
    await running
    expect(registry.get('it')?.status).to.equal('discovering')
  })

  it('is off when the models are configured', async () => {
    const registry = start({ models: ['b', 'gpt-5'] })
    await registry.discover()
    expect(server.asked).to.have.length(0)
    expect(ids(registry)).to.deep.equal(['gpt-5', 'b'])
    expect(registry.allows({ provider: 'it', model: 'b' })).to.equal(true)
    expect(registry.allows({ provider: 'it', model: 'c' })).to.equal(false)
    expect(start({ models: [] }).allows({ provider: 'it', model: 'c' })).to.equal(false)
  })

  it('refuses no model before it has a list', async () => {
    const registry = start()
    expect(registry.allows({ provider: 'it', model: 'anything' })).to.equal(true)
    server.play(json({ data: [{ id: 'only' }] }))
    await registry.discover()
    expect(registry.allows({ provider: 'it', model: 'anything' })).to.equal(false)
    expect(registry.allows({ provider: 'other', model: 'only' })).to.equal(false)
  })
})
