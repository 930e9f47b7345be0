import { expect } from 'chai'
import { validate } from '@readme/openapi-parser'
import * as contract from '@mynah/contract'
import type { RestOperations } from '@mynah/contract'
import { CONTRACT_VERSION, WireError } from '@mynah/contract'
import { definePlugin, type AnyPlugin, type HostControl } from '@mynah/kernel'
import { route, routes } from '../api.js'
import { createHealthReporter } from '../health.js'
import { json, serve, stopAll } from '../test/support.js'

interface Operation {
  operationId: string
  security: unknown[]
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: unknown }> }
  responses: Record<string, { content: Record<string, { schema: unknown }> }>
}
interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { properties?: object }> }
}

const declared = Object.values(contract).flatMap((value): [string, RestOperations][] =>
  typeof value === 'object' && value !== null && 'rest' in value
    ? Object.keys(value.rest as object).map((key) => [key, value.rest as RestOperations])
    : [],
)

/** Binds every operation of the contract that the server does not serve itself. */
const everything = definePlugin({
  name: 'everything',
  setup(ctx) {
    for (const [key, rest] of declared) {
      if (key === 'GET /pub/health' || key === 'GET /pub/openapi.json') continue
      ctx.contribute(
        routes,
        route(rest, key, () => {
          throw new WireError('not_ready', 'Not here')
        }),
      )
    }
  },
}) as unknown as AnyPlugin

describe('OpenAPI document', () => {
  afterEach(stopAll)

  it('is valid for every operation of the contract', async function () {
    this.timeout(60_000)
    const served = await serve({ base: '/admin' }, { plugins: [everything] })
    const text = await (await served.fetch('/pub/openapi.json', { token: null })).text()
    const document = JSON.parse(text) as Document
    expect(document.openapi).to.equal('3.1.0')
    const result = await validate(JSON.parse(text) as never)
    expect(result).to.deep.include({ valid: true, warnings: [] })

    const served404 = declared.filter(([key, rest]) => {
      const [method = '', path = ''] = key.split(' ')
      const scope = rest[key]?.scope
      const whole = (scope === 'public' || scope === 'webhook' ? path : `/admin${path}`).replaceAll(
        /[:*](\w+)/g,
        '{$1}',
      )
      return !document.paths[whole]?.[method.toLowerCase()]
    })
    expect(served404).to.deep.equal([])
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(new Set(ids)).to.have.length(ids.length)
  })

  it('has the components of the specification', async () => {
    const served = await serve({}, { plugins: [everything] })
    const { components } = (await (await served.fetch('/pub/openapi.json')).json()) as Document
    for (const [name, fields] of Object.entries({
      IntrospectionCommandItem: ['pattern', 'desc', 'plugin'],
      IntrospectionBotItem: ['adapter', 'name', 'online'],
      IntrospectionBindingItem: ['name', 'provider', 'model', 'mcpServers', 'hasAgentFile'],
      IntrospectionToolItem: ['name', 'description', 'source'],
      IntrospectionMcpItem: ['name', 'connected', 'toolCount'],
    }))
      expect(Object.keys(components.schemas[name]?.properties ?? {}), name).to.include.members(fields)
  })

  it('describes security, statuses, examples and parameters of routes', async () => {
    const served = await serve({}, { plugins: [everything] })
    const { paths } = (await (await served.fetch('/pub/openapi.json')).json()) as Document
    expect(JSON.stringify(paths['/api/introspection/endpoints'])).to.contain(
      '#/components/schemas/IntrospectionBotItem',
    )
    expect(paths['/api/system/status']?.get?.security).to.deep.equal([{ bearer: [] }])
    expect(paths['/pub/health']?.get?.security).to.deep.equal([])
    const send = paths['/api/message/send']?.post
    expect(Object.keys(send?.responses ?? {})).to.include.members([
      '200',
      '400',
      '401',
      '403',
      '404',
      '413',
      '415',
      '429',
      '500',
      '503',
    ])
    expect(send?.responses['404']?.content['application/json']?.schema).to.deep.equal({
      $ref: '#/components/schemas/Failure',
    })
    expect(JSON.stringify(send?.requestBody)).to.contain('"examples"')
    expect(paths['/api/logs']?.get?.parameters?.map(({ name }) => name)).to.include.members(['limit', 'level'])
  })

  it('follows the bound routes', async () => {
    const served = await serve()
    const paths = async () => Object.keys(((await (await served.fetch('/pub/openapi.json')).json()) as Document).paths)
    expect(await paths())
      .to.include('/api/things/{name}')
      .and.to.include('/pub/file/{path}')
    await served.host.enable('sample', false)
    expect(await paths()).to.deep.equal(['/pub/health', '/pub/openapi.json'])
  })
})

describe('GET /pub/health', () => {
  afterEach(stopAll)

  it('is public and without envelope', async () => {
    const served = await serve()
    const response = await served.fetch('/pub/health', { token: null })
    expect(response.status).to.equal(200)
    const health = await json(response)
    expect(Object.keys(health)).to.have.members(['status', 'uptime', 'version', 'name', 'apiPrefix', 'contract'])
    expect(health).to.include({ status: 'ok', name: 'mynah', apiPrefix: '/api', contract: CONTRACT_VERSION })
    expect(health.version).to.match(/^\d+\.\d+\.\d+/)
    expect(health.uptime).to.be.a('number')
  })

  it('is degraded with status 200 while an enabled plugin is degraded', async () => {
    let degrade = (): (() => void) => () => {}
    const ill = definePlugin({
      name: 'ill',
      setup(ctx) {
        degrade = () => ctx.degrade('a cold')
      },
    }) as unknown as AnyPlugin
    const served = await serve({}, { plugins: [ill] })
    const status = async () => {
      const response = await served.fetch('/pub/health')
      return `${response.status} ${String((await json(response)).status)}`
    }
    expect(await status()).to.equal('200 ok')
    const recover = degrade()
    expect(await status()).to.equal('200 degraded')
    recover()
    expect(await status()).to.equal('200 ok')
    const dead = definePlugin({
      name: 'dead',
      setup() {
        throw new Error('never')
      },
    }) as unknown as AnyPlugin
    await served.host.add({ plugin: dead })
    expect(await status()).to.equal('200 degraded')
    await served.host.enable('dead', false)
    expect(await status()).to.equal('200 ok')
  })

  it('answers 503 while the host starts', async () => {
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    let answer: Promise<Response> | undefined
    const late = definePlugin({
      name: 'late-comer',
      needs: { http: (await import('../api.js')).Http },
      async setup(ctx) {
        answer = fetch(`${ctx.http.origin}/pub/health`)
        await answer
        release()
        await gate
      },
    }) as unknown as AnyPlugin
    await serve({}, { plugins: [late] })
    const response = await (answer as unknown as Promise<Response>)
    expect(response.status).to.equal(503)
    expect(await json(response)).to.include({ status: 'starting' })
  })

  it('reports that the host stops', () => {
    const host = { status: 'stopping', startedAt: 1_000, inspect: () => [] } as unknown as HostControl
    const health = createHealthReporter({ on: () => () => {}, clock: { now: () => 3_500 } } as never, host, '/api')()
    expect(health).to.include({ status: 'stopping', uptime: 2.5 })
  })
})
