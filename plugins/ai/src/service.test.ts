import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { definePlugin, HostPaths, ref } from '@mynah/kernel'
import { startHost, TestClock, until, type TestHost } from '@mynah/kernel/testing'
import consoleRpc from '@mynah/plugin-console-rpc'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import management from '@mynah/plugin-management'
import { Models, usageReported, type ProviderView, type UsageReport } from './api/models.js'
import { Web } from './api/web.js'
import ai from './index.js'
import { withReadiness } from './readiness.js'
import { answerOf, PlayedServer, refused, streamed } from './test/support.js'

const TOKEN = 'full-token-of-the-model-tests'

describe('ModelService', () => {
  let server: PlayedServer
  let folder: string
  let running: TestHost | undefined
  let clock: TestClock
  const used: UsageReport[] = []
  const watcher = definePlugin({
    name: 'watcher',
    needs: { models: ref(Models) },
    setup: (ctx) => void ctx.on(usageReported, (report) => void used.push(report)),
  })

  const start = async (config: object): Promise<TestHost> =>
    (running = await startHost(
      [
        { plugin: httpCore as never, config: { port: 0, token: TOKEN } },
        { plugin: consoleRpc as never },
        { plugin: management as never },
        { plugin: ai as never, config },
        { plugin: watcher as never },
      ],
      { services: [[HostPaths, { root: folder, data: join(folder, 'data') }]], clock },
    ))
  const get = async (path: string) =>
    fetch(`${running?.host.get(Http)?.origin}/api${path}`, { headers: { authorization: `Bearer ${TOKEN}` } })
  const rpc = async (type: string): Promise<{ providers: ProviderView[] }> => {
    const response = await fetch(`${running?.host.get(Http)?.origin}/api/console/request`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ type }),
    })
    const body = (await response.json()) as { data: { providers: ProviderView[] }; error?: string }
    if (body.error) throw new Error(body.error)
    return body.data
  }
  const ready = async () =>
    ((await (await get('/ready')).json()) as { data: { checks: Record<string, { status: string; reason?: string }> } })
      .data.checks['ai']
  const models = () => running?.host.get(Models) as never

  beforeEach(async () => {
    used.length = 0
    clock = new TestClock()
    server = await PlayedServer.start((response, { path }) =>
      path.endsWith('/models')
        ? void response.end(JSON.stringify({ data: [{ id: 'gpt-5', context_length: 1_000 }, { id: 'llama-3.1-8b' }] }))
        : streamed(response, 'hello'),
    )
    folder = await mkdtemp(join(tmpdir(), 'mynah-ai-'))
  })
  afterEach(async () => {
    await running?.host.stop()
    running = undefined
    await server.stop()
    await rm(folder, { recursive: true })
  })
  const found = async () => {
    await until(async () => (await rpc('models:list')).providers[0]?.status !== 'discovering')
    return (await rpc('models:list')).providers
  }

  it('discovers in the background, and stores and reports the result', async () => {
    let answer = () => {}
    server.play(
      (response) => void (answer = () => void response.end('{"data": [{"id": "gpt-5", "context_length": 1000}]}')),
    )
    await start({ providers: { relay: { sdk: 'openai-compatible', apiKey: 'k', baseUrl: server.url } } })
    expect((await rpc('models:list')).providers).to.deep.equal([
      { alias: 'relay', sdk: 'openai-compatible', status: 'discovering', models: [] },
    ])
    await until(() => server.asked.length > 0)
    answer()
    expect(await found()).to.deep.equal([
      {
        alias: 'relay',
        sdk: 'openai-compatible',
        status: 'ready',
        models: [{ id: 'gpt-5', score: 94, contextWindow: 1_000, capabilities: {} }],
      },
    ])
    await running?.host.stop()
    expect(
      JSON.parse(await readFile(join(folder, 'data', 'model-registry-cache.json'), 'utf8')).providers.relay[0].id,
    ).to.equal('gpt-5')
    server.play((response) => void response.end('{"data": [{"id": "new"}]}'))
    await start({ providers: { relay: { sdk: 'openai-compatible', apiKey: 'k', baseUrl: server.url } } })
    expect((await rpc('models:list')).providers[0]?.models[0]?.id).to.equal('gpt-5')
    await clock.advance(48 * 3_600_000)
    expect(server.asked).to.have.length(0)
    expect((await rpc('models:refresh')).providers[0]?.models[0]?.id).to.equal('new')
  })

  it('answers, and reports the usage', async () => {
    await start({
      providers: {
        relay: {
          sdk: 'openai-compatible',
          apiKey: 'k',
          baseUrl: server.url,
          models: ['m'],
          prices: { input: 1, output: 2 },
        },
      },
    })
    await answerOf(
      models(),
      {
        messages: [{ role: 'user', content: 'hi' }],
        session: 's',
        turn: 't',
        purpose: 'turn',
        origin: { adapter: 'irc', endpoint: 'libera', user: 'ann' },
      },
      { provider: 'relay', model: 'm' },
    )
    expect(used).to.have.length(1)
    expect(used[0]).to.deep.equal({
      at: clock.now(),
      kind: 'text',
      provider: 'relay',
      model: 'm',
      usage: { input: 10, cachedInput: 0, output: 5, cost: 0.00002 },
      session: 's',
      turn: 't',
      purpose: 'turn',
      origin: { adapter: 'irc', endpoint: 'libera', user: 'ann' },
    })
    const metrics = await (await get('/metrics')).text()
    for (const line of [
      'ai_calls_total{provider="relay",model="m",kind="text"} 1',
      'ai_tokens_total{provider="relay",model="m",direction="input"} 10',
      'ai_fallbacks_total 0',
      'ai_cooldowns 0',
    ])
      expect(metrics).to.contain(line)
  })

  it('names an unusable provider, and the host keeps running', async () => {
    server.play((response) => refused(response, 401, { message: 'no' }))
    await start({
      providers: {
        relay: { sdk: 'openai-compatible', apiKey: 'k', baseUrl: server.url },
        keyless: { sdk: 'anthropic', models: ['m'] },
      },
    })
    await found()
    const checks = await ready()
    expect(checks?.status).to.equal('degraded')
    expect(checks?.reason).to.contain('relay refuses the key').and.contain('keyless has no apiKey')
    expect(
      (await rpc('models:list')).providers.map(({ status, error }: { status: string; error?: string }) => [
        status,
        error,
      ]),
    ).to.deep.equal(checks?.reason?.split('; ').map((reason) => ['failed', reason]))
    expect((await get('/ready')).status).to.equal(200)
  })

  it('names a package that is missing', () => {
    const config = {
      providers: { main: { sdk: 'anthropic', apiKey: 'k' }, local: { sdk: 'ollama', num_ctx: 4096 } },
    } as never
    const views = ['main', 'local'].map((alias) => ({ alias, sdk: '', status: 'ready' as const, models: [] }))
    expect(views.map((view) => withReadiness(view, config, undefined, () => false).error)).to.deep.equal([
      'main needs a package: npm install @ai-sdk/anthropic',
      'local needs a package: npm install ollama-ai-provider-v2',
    ])
    expect(views.map((view) => withReadiness(view, config))).to.deep.equal(views)
  })

  it('applies every change of its configuration at once', async () => {
    const host = (
      await start({
        providers: { relay: { sdk: 'openai-compatible', apiKey: 'one', baseUrl: server.url, models: ['m'] } },
      })
    ).host
    const before = host.get(Models)
    const web = host.get(Web)
    await host.update('ai', {
      providers: { relay: { sdk: 'openai-compatible', apiKey: 'two', baseUrl: server.url, models: ['n'] } },
      budget: { tokensPerDay: 5 },
    })
    expect([host.get(Models), host.get(Web)]).to.deep.equal([before, web])
    await answerOf(models(), 'hi', { provider: 'relay', model: 'n' })
    expect(server.asked[0]?.headers.authorization).to.equal('Bearer two')
    const error = await answerOf(models(), 'hi', { provider: 'relay', model: 'n' }).catch((thrown: unknown) => thrown)
    expect(error).to.deep.include({ class: 'budget' })
    await host.update('ai', { providers: {}, web: { allowHosts: ['127.0.0.1'] } })
    expect((await rpc('models:list')).providers).to.deep.equal([])
    server.play((response) => void response.end('page'))
    expect((await web?.fetch(server.origin))?.text()).to.equal('page')
  })

  it('runs without any provider, and says so when it is asked', async () => {
    await start({})
    expect(await ready()).to.deep.equal({ status: 'ok' })
    const error = await (models() as { candidatesFor(choice: object): Promise<unknown> })
      .candidatesFor({})
      .catch((thrown: unknown) => thrown)
    expect(error).to.deep.include({ class: 'unconfigured' })
  })

  it('warns of keys that no plugin reads', async () => {
    const { log } = await start({ defaultProvider: 'x', trigger: { enabled: true }, sessions: {} })
    const warnings = log.filter(({ level }) => level === 'warn').map(({ message }) => message)
    expect(warnings.filter((line) => line.includes('ai.'))).to.deep.equal([
      'ai.trigger is read by no plugin that is enabled',
      'ai.defaultProvider was removed and has no effect: the order of ai.providers decides',
    ])
  })

  it('leaves no timer and no request behind', async () => {
    server.play(() => {})
    const { host } = await start({ providers: { relay: { sdk: 'openai-compatible', baseUrl: server.url } } })
    await host.stop()
    expect(clock.pending).to.equal(0)
  })
})
