// Canaries: plants secrets in a host and searches all its output for them and for paths of the machine.
import { expect } from 'chai'
import { restCalls, rpcCalls } from './calls.js'
import { methods, operations, pathOf, verbOf } from './declared.js'
import { DEMO, FULL, WholeHost } from './whole-host.js'

const CANARIES = {
  option: 'canary-option-91aa27',
  nested: 'canary-nested-5d0f3c',
  referenced: 'canary-referenced-e8b1c4',
  environment: 'canary-environment-token-0c77f2',
  database: 'canary-database-2be6a0',
  platform: 'canary-platform-password-8a90d2',
  provider: 'canary-provider-key-77d1e9',
  file: 'canary-file-token-34c0d8',
  firstKey: 'canary-first-key-1f60b2',
  secondKey: 'canary-second-key-c93e57',
}

/** A plugin that is careless with everything it knows, and fails in every way. */
const CARELESS = {
  'adapter-careless.mjs': `import { adapters, defineAdapter } from '@mynah/plugin-chat/api'
export default {
  name: 'adapter-careless',
  setup(ctx) {
    const create = ({ config }) => ({ connect: () => Promise.reject(new Error('the platform refused ' + config.password + ' from ' + import.meta.url)), disconnect: async () => {}, send: async () => ({}) })
    ctx.contribute(adapters, defineAdapter({ name: 'careless', acknowledges: 'never', schema: { type: 'object', properties: { password: { type: 'string', secret: true } } }, create }))
  },
}
`,
  'careless.mjs': `export default {
  name: 'careless',
  config: { key: 'careless', schema: { type: 'object', properties: { apiKey: { type: 'string' }, deep: { type: 'object', properties: { pin: { type: 'string', secret: true } } }, token: { type: 'string' } } } },
  setup(ctx) {
    const { apiKey, deep, token } = ctx.config
    const tell = (level) => ctx.log[level]('calling with ' + apiKey + ' and Bearer ' + token + ' at https://me:' + deep.pin + '@models.example/?api_key=' + apiKey + ' from ' + import.meta.url + ' in ' + process.cwd(), { apiKey, headers: { authorization: 'Bearer ' + token }, nested: [{ deep }], env: process.env.HTTP_TOKEN, path: process.execPath })
    for (const level of ['debug', 'info', 'warn', 'error']) tell(level)
    setImmediate(() => { throw new Error('the provider refused key ' + apiKey + ' (' + deep.pin + ') in ' + import.meta.url) })
    ctx.degrade('refused: ' + apiKey)
    throw Object.assign(new Error('401 from the provider for ' + token), { cause: new Error(apiKey) })
  },
}
`,
}
const CONFIG = `ai: { providers: { listed: { sdk: openai-compatible, baseUrl: "http://127.0.0.1:9/v1", models: [m],
  apiKey: [${CANARIES.firstKey}, "\${SECOND_KEY}"] } } }
careless: { apiKey: ${CANARIES.option}, deep: { pin: ${CANARIES.nested} }, token: "\${CARELESS_TOKEN}" }
# A section that no plugin reads any more.
leftover: { password: ${CANARIES.database}, list: [{ name: one, apiKey: ${CANARIES.provider} }] }
`

describe('secrets of a host', function () {
  this.timeout(60_000)
  let host: WholeHost
  const uncaught: unknown[] = []
  const kept = process.listeners('uncaughtException')
  before(async () => {
    // A later error of the careless plugin would end the test run, although a guarded host survives it.
    process.removeAllListeners('uncaughtException')
    process.on('uncaughtException', (error) => {
      uncaught.push(error)
      host?.loaded.host.report('careless', error)
    })
    host = await WholeHost.start(CONFIG, {
      plugins: CARELESS,
      endpoint: `{ adapter: careless, id: lost, password: ${CANARIES.platform} }`,
      env: {
        CARELESS_TOKEN: CANARIES.referenced,
        HTTP_TOKEN: CANARIES.environment,
        FILE_TOKEN: CANARIES.file,
        SECOND_KEY: CANARIES.secondKey,
      },
    })
  })
  after(async () => {
    process.removeAllListeners('uncaughtException')
    for (const listener of kept) process.on('uncaughtException', listener)
    await host.close()
  })

  it('do not appear in answers, stream, log or descriptions', async () => {
    const heard: [string, string][] = []
    const full = await fetch(`${host.origin}/api/events`, { headers: { authorization: `Bearer ${FULL}` } })
    const reader = (full.body as ReadableStream<Uint8Array>).getReader()
    const decoder = new TextDecoder()
    let stream = ''
    const listening = (async () => {
      for (let piece = await reader.read(); !piece.done; piece = await reader.read())
        stream += decoder.decode(piece.value, { stream: true })
    })()
    await host.rpc('config:set', { pluginName: 'marketplace', data: { registry: `${host.registry}/` } })

    const answers = new Map<string, unknown>()
    for (const [type, { params }] of Object.entries(rpcCalls)) {
      const sent = params?.((key) => answers.get(key) as never) ?? {}
      const { text, json } = await host.rpc(type, methods.get(type)?.nested ? { data: sent } : sent)
      answers.set(type, json.data)
      heard.push([type, text])
    }
    for (const [key, { params, query = '', body }] of Object.entries(restCalls)) {
      const operation = operations.get(key) as NonNullable<ReturnType<typeof operations.get>>
      if (key !== 'DELETE /logs')
        heard.push([
          key,
          (
            await host.call(pathOf(key, operation, params) + query, {
              method: verbOf(key),
              ...(body === undefined ? {} : { body }),
            })
          ).text,
        ])
    }
    for (const path of [
      '/api/config/ai',
      '/api/config',
      '/api/config/careless',
      '/api/config/leftover',
      '/api/plugins/careless',
      '/api/logs?limit=1000',
      '/api/logs?search=canary',
      '/api/logs?name=careless',
      '/api/schemas/careless',
    ])
      heard.push([path, (await host.call(path)).text])
    for (const body of [
      { apiKey: 1 },
      { token: '${NOT_SET}' },
      { apiKey: CANARIES.option, unknown: true, deep: 'x' },
      'x',
    ])
      heard.push(['config:set', (await host.rpc('config:set', { pluginName: 'careless', data: body })).text])
    heard.push(['save-yaml', (await host.rpc('config:save-yaml', { yaml: `plugins: [\n${CANARIES.option}` })).text])
    for (const type of ['endpoint:info', 'endpoint:friends', 'endpoint:sendMessage'])
      heard.push([
        type,
        (
          await host.rpc(type, {
            data: { adapter: 'careless', endpointId: 'lost', id: 'x', type: 'private', content: 'x' },
          })
        ).text,
      ])
    expect(heard.filter(([what]) => what === 'endpoint:info').at(-1)?.[1]).to.contain('the platform refused ••••')
    heard.push(['the stream', stream], ['the log', JSON.stringify(host.log)])
    expect(heard.find(([what]) => what === '/api/logs?name=careless')?.[1]).to.contain('calling with ••••')
    expect(stream).to.contain('config:updated')
    expect(new Map(heard).get('/api/config/ai')).to.contain('"listed"').and.contain('••••')
    expect(uncaught).to.have.length(1)

    const found = heard.flatMap(([what, text]) =>
      [...Object.entries(CANARIES), ['full token', FULL] as const, ['demo token', DEMO] as const]
        .filter(([, secret]) => text.includes(secret))
        .map(([name, secret]) => {
          const at = text.indexOf(secret)
          return `${name} in ${what}: …${text.slice(Math.max(0, at - 80), at + 40)}`
        }),
    )
    expect(found).to.deep.equal([])
    const paths = heard
      .filter(([what]) => what !== 'the log')
      .flatMap(([what, text]) =>
        [host.folder, process.cwd(), process.execPath, 'file:///']
          .filter((path) => text.includes(path))
          .map(
            (path) =>
              `${path} in ${what}: …${text.slice(Math.max(0, text.indexOf(path) - 80), text.indexOf(path) + 80)}`,
          ),
      )
    expect(paths).to.deep.equal([])
    await reader.cancel()
    await listening
  })

  it('are masked in the shown configuration, except references', async () => {
    const { data } = (await host.call('/api/config')).json as { data: Record<string, unknown> }
    expect(data.careless).to.deep.equal({ apiKey: '••••', deep: { pin: '••••' }, token: '${CARELESS_TOKEN}' })
    expect(data.leftover).to.deep.equal({ password: '••••', list: [{ name: 'one', apiKey: '••••' }] })
  })
})
