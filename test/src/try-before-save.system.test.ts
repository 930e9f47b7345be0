// Tries accounts and models over the wire before they are saved, against servers of platforms and of models.
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { loadHost, type LoadedHost } from '@mynah/kernel/loader'
import { Http } from '@mynah/plugin-http-core/api'
import { hasIrcServer, IrcUser, startIrcServer, type IrcServer } from './irc-server.js'
import { ModelServer } from './model-server.js'
import { TelegramServer } from './telegram-server.js'

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
const FULL = 'a-full-token-of-this-test-host'
const DEMO = 'a-demo-token-of-this-test-host'
const BOT_TOKEN = '1:a-token-of-a-bot'

interface Tried {
  readonly ok: boolean
  readonly message: string
  readonly model?: string
  readonly models?: string[]
  readonly tokens?: { readonly input: number; readonly output: number; readonly cost?: number }
  readonly details?: { readonly path: string }[]
  readonly adapters?: { readonly name: string; readonly schema: { readonly properties: object } }[]
  readonly endpoints?: { readonly name: string; readonly status: string }[]
}
interface Reply {
  readonly status: number
  readonly code?: string
  readonly error?: string
  readonly data: Tried
  readonly text: string
}

describe('trying before saving', function () {
  this.timeout(120_000)
  const ends: (() => unknown)[] = []
  let loaded: LoadedHost
  let folder: string
  let telegram: TelegramServer
  let model: ModelServer

  const rpc = async (type: string, params: object, token = FULL): Promise<Reply> => {
    const response = await fetch(`${loaded.host.get(Http)?.origin}/api/console/request`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...params, type }),
    })
    const text = await response.text()
    return { status: response.status, text, ...(JSON.parse(text) as { data: Tried }) }
  }
  const tryAccount = async (account: object): Promise<Tried> => (await rpc('endpoint:test', { data: { account } })).data
  const tryModel = async (provider: object, more: object = {}): Promise<Tried> =>
    (await rpc('models:test', { alias: 'main', provider, ...more })).data
  const modelsAt = async (answer: (path: string) => { status: number; body: object | string }): Promise<string> => {
    const server: Server = createServer((request, response) => {
      const { status, body } = answer(request.url ?? '')
      response
        .writeHead(status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' })
        .end(typeof body === 'string' ? body : JSON.stringify(body))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    ends.push(() => new Promise((resolve) => server.close(resolve)))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mynah-try-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    await symlink(MODULES, join(folder, 'node_modules'))
    telegram = await TelegramServer.start()
    // Its first answer comes with the first message.
    telegram.say({ text: 'early' })
    ends.push(() => telegram.stop())
    model = await ModelServer.start(() => 'ok')
    ends.push(() => model.stop())
    await writeFile(
      join(folder, 'mynah.config.yml'),
      `plugins: [http-core, console-rpc, events, workspace, chat, adapter-sandbox, adapter-irc, adapter-telegram, adapter-webhook, ai]
http: { port: 0, token: ${FULL}, tokens: [{ name: demo, scope: demo, token: ${DEMO} }] }
endpoints:
  - { adapter: sandbox, id: sandbox }
  - { adapter: telegram, id: tg, token: "${BOT_TOKEN}", apiRoot: "${telegram.url}" }
ai:
  providers:
    main: { sdk: openai-compatible, baseUrl: "${model.url}", apiKey: stored-key-of-main }
`,
    )
    loaded = await loadHost(join(folder, 'mynah.config.yml'), {
      env: { BOT_TOKEN, MODEL_KEY: 'key-from-the-environment' },
      log: () => {},
    })
    await loaded.host.start()
    ends.push(() => loaded.host.stop())
    await until(
      async () =>
        (await rpc('endpoint:list', { data: {} })).data.endpoints?.every(({ status }) => status === 'online') === true,
      'the endpoints to be online',
    )
  })
  after(async () => {
    for (const end of ends.reverse()) await end()
  })

  it('lists the platforms with the schema of an account', async () => {
    const { adapters = [] } = (await rpc('endpoint:adapters', { data: {} })).data
    expect(adapters.map(({ name }) => name)).to.deep.equal(['irc', 'sandbox', 'telegram', 'webhook'])
    expect(adapters[0]?.schema.properties).to.include.keys('adapter', 'id', 'master', 'host', 'nick')
  })

  it('asks Telegram whose token it is, while an endpoint polls with the same one', async () => {
    const account = { adapter: 'telegram', id: 'another', token: '${BOT_TOKEN}', apiRoot: telegram.url }
    expect(await tryAccount(account)).to.include({ ok: true, message: 'It connects as a_bot' })
    telegram.say({ text: '/help' })
    await until(() => telegram.said.length > 0, 'an answer of the endpoint that runs')
    const { endpoints } = (await rpc('endpoint:list', { data: {} })).data
    expect(endpoints?.find(({ name }) => name === 'tg')?.status).to.equal('online')
    expect(await readFile(join(folder, 'mynah.config.yml'), 'utf8')).not.to.contain('another')
  })

  it('takes the stored secret for a mask, and the variable for its name', async () => {
    const stored = { adapter: 'telegram', id: 'tg', token: '••••', apiRoot: telegram.url }
    expect((await tryAccount(stored)).ok).to.equal(true)
    expect(await tryAccount({ ...stored, token: '${NOT_SET}' })).to.deep.include({
      ok: false,
      message: 'the variable NOT_SET is not set; used by token',
    })
    const { code } = await rpc('endpoint:test', { data: { account: { ...stored, id: 'unknown' } } })
    expect(code).to.equal('invalid_request:config')
  })

  it('shows no secret of an account that is refused', async () => {
    const api = await modelsAt(() => ({
      status: 401,
      body: { ok: false, error_code: 401, description: `no ${BOT_TOKEN}` },
    }))
    const { text, data } = await rpc('endpoint:test', {
      data: { account: { adapter: 'telegram', id: 'x', token: '${BOT_TOKEN}', apiRoot: api } },
    })
    expect(data.message).to.contain('Telegram refuses the token (401')
    expect(text).not.to.contain(BOT_TOKEN)
  })

  it('opens no test to tokens of the demo, and saves and keeps nothing', async () => {
    for (const [type, params] of [
      ['endpoint:test', { data: { account: { adapter: 'sandbox', id: 'x' } } }],
      ['models:test', { alias: 'x', provider: { sdk: 'ollama' } }],
      ['endpoint:adapters', { data: {} }],
      ['config:enable', { plugins: ['cron'] }],
    ] as const)
      expect((await rpc(type, params, DEMO)).status, type).to.equal(403)
    expect((await tryAccount({ adapter: 'sandbox', id: 'x' })).ok).to.equal(true)
    expect((await tryAccount({ adapter: 'webhook', id: 'x', secret: 'x'.repeat(16) })).ok).to.equal(true)
    expect((await rpc('endpoint:list', { data: {} })).data.endpoints).to.have.length(2)
  })

  describe('with a server of IRC', () => {
    let irc: IrcServer
    before(async function () {
      if (!hasIrcServer()) return this.skip()
      irc = await startIrcServer()
    })
    after(() => irc?.stop())

    it('registers and leaves, without joining a channel', async () => {
      const watcher = await IrcUser.join(irc.port, 'ada', '#quiet')
      const account = { adapter: 'irc', id: 'net', host: '127.0.0.1', port: irc.port, tls: false, nick: 'plum' }
      expect(await tryAccount({ ...account, channels: ['#quiet'] })).to.include({
        ok: true,
        message:
          'It connects as plum. Programs for IRC keep messages that begin with /: set commands.prefix to another ' +
          'character, such as !',
      })
      expect((await tryAccount({ ...account, nick: 'ada' })).message, 'while the nick is taken').to.match(
        /^It connects as ada_\. /,
      )
      watcher.send('NAMES #quiet')
      await watcher.hears(' 366 ada #quiet')
      expect(watcher.heardSoFar).not.to.contain('plum')
      watcher.leave()
    })

    it('says why it cannot connect', async () => {
      const account = { adapter: 'irc', id: 'net', host: '127.0.0.1', port: 1, tls: false, nick: 'plum' }
      expect((await tryAccount(account)).message).to.contain('ECONNREFUSED')
      const { nick: _, ...unnamed } = account
      expect(await tryAccount(unnamed)).to.deep.include({ ok: false, message: 'nick is required' })
    })
  })

  it('asks a model for a word, and says what that has cost', async () => {
    const prices = { input: 1, output: 2 }
    const { tokens, ...tried } = await tryModel({ sdk: 'openai-compatible', baseUrl: model.url, apiKey: 'new', prices })
    expect(tried).to.deep.include({ ok: true, message: 'player answers', model: 'player', models: ['player'] })
    expect(tokens?.output).to.equal(10)
    expect(tokens?.cost).to.be.greaterThan(0)
    expect(JSON.parse(model.bodies.at(-1) ?? '{}')).to.include({ max_tokens: 16 })
  })

  it('tries the stored settings where it is given none', async () => {
    const { data, text } = await rpc('models:test', { alias: 'main' })
    expect(data).to.deep.include({ ok: true, message: 'player answers', model: 'player' })
    expect(text).not.to.contain('stored-key-of-main')
    expect((await rpc('models:test', { alias: 'nobody' })).data.ok).to.equal(false)
  })

  it('takes the stored key for a mask, and a variable by its name', async () => {
    let sent = ''
    const server = createServer((request, response) => {
      sent = request.headers.authorization ?? ''
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    ends.push(() => server.close())
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    for (const [apiKey, key] of [
      ['••••', 'stored-key-of-main'],
      ['${MODEL_KEY}', 'key-from-the-environment'],
    ] as const) {
      const { text } = await rpc('models:test', {
        alias: 'main',
        provider: { sdk: 'openai-compatible', baseUrl, apiKey },
      })
      expect(sent).to.equal(`Bearer ${key}`)
      expect(text).not.to.contain(key)
    }
  })

  const failures: readonly [name: string, answer: { status: number; body: object | string }, says: RegExp][] = [
    ['a refused key', { status: 401, body: { error: { message: 'no' } } }, /refuses the key \(status 401\)/],
    ['a wrong path', { status: 404, body: { error: { message: 'no such page' } } }, /\(status 404\)/],
    ['a web page', { status: 200, body: '<html>hello</html>' }, /answers with a web page/],
  ]
  for (const [name, answer, says] of failures)
    it(`says what is wrong with ${name}`, async () => {
      const baseUrl = await modelsAt(() => answer)
      const { ok, message } = await tryModel({ sdk: 'openai-compatible', baseUrl, apiKey: 'a-key-to-hide' })
      expect(ok).to.equal(false)
      expect(message).to.match(says).and.not.to.contain('a-key-to-hide')
    })

  for (const [written, served, meant] of [
    ['/api', '/v1', '/v1'],
    ['/v2', '/v1', '/v1'],
    ['/chat/v1', '/api/v1', '/api/v1'],
    ['/v1/engines', '/v1', '/v1'],
    ['/v1', '', ''],
  ] as const)
    it(`names the right address, where ${written} is written for ${served || 'none'}`, async () => {
      const base = await modelsAt((path) =>
        path === `${served}/models`
          ? { status: 200, body: { data: [{ id: 'm' }] } }
          : { status: written === '/api' ? 200 : 404, body: '<html>not here</html>' },
      )
      const origin = new URL(base).origin
      // A web page is asked again for an answer, as a server that fails.
      for (const models of written === '/api' ? [undefined] : [undefined, ['m']])
        expect(
          (await tryModel({ sdk: 'openai-compatible', baseUrl: origin + written, ...(models ? { models } : {}) }))
            .message,
        ).to.include(`There are models at ${origin}${meant}: write this address as baseUrl`)
    })

  it('names no other address where the own one lists models', async () => {
    const baseUrl = await modelsAt((path) =>
      path.endsWith('/models')
        ? { status: 200, body: { data: [{ id: 'm' }] } }
        : { status: 403, body: { error: { message: 'no' } } },
    )
    const { ok, message } = await tryModel({ sdk: 'openai-compatible', baseUrl })
    expect(ok).to.equal(false)
    expect(message).to.not.include('There are models at')
  })

  it('understands addresses as people copy them', async () => {
    const bare = model.url.replace('http://', '')
    for (const baseUrl of [
      bare,
      `${model.url}/`,
      `${model.url}/chat/completions`,
      `${model.url}/models`,
      `http:/${bare}`,
      model.url.replace('/v1', '//v1//'),
      model.url.replace('/v1', ''),
      ` ${model.url} `,
    ])
      expect(await tryModel({ sdk: 'openai-compatible', baseUrl }), baseUrl).to.include({ ok: true })
    expect(await tryModel({ sdk: 'openai-compatible', baseUrl: 'ftp://box/v1' })).to.deep.include({
      ok: false,
      details: [{ path: 'baseUrl', message: 'is no address of http or https' }],
    })
  })

  it('says that no server is at an address, and what the settings lack', async () => {
    const gone = await tryModel({ sdk: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' })
    expect(gone).to.include({ ok: false, message: 'main could not be reached' })
    expect(await tryModel({ sdk: 'openai-compatible' })).to.deep.include({
      ok: false,
      message: 'baseUrl is required for openai-compatible',
      details: [{ path: 'baseUrl', message: 'is required for openai-compatible' }],
    })
    expect((await tryModel({ sdk: 'openai', apikey: 'x' })).details?.[0]).to.deep.include({ path: 'apikey' })
  })

  it('asks a model of a provider that lists none', async () => {
    const key = { sdk: 'openai-compatible', baseUrl: model.url, models: ['named'] }
    expect(await tryModel(key)).to.include({ ok: true, message: 'named answers' })
    expect((await tryModel({ sdk: 'openai-compatible', baseUrl: model.url }, { model: 'player' })).ok).to.equal(true)
  })
})
