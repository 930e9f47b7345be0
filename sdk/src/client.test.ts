import * as contract from '@mynah/contract'
import { expect } from 'chai'
import { createClient } from './index.js'
import { OperationRules } from './operation-rules.js'
import { rejection } from './test/collector.js'
import { json, ok, TestHost } from './test/test-host.js'

const areas = (Object.values(contract) as unknown[]).filter(
  (value): value is contract.Contract =>
    typeof value === 'object' && value !== null && ('rest' in value || 'rpc' in value),
)

describe('OperationRules', () => {
  const rules = new OperationRules()

  it('agree with every operation of the contract', () => {
    const operations = areas.flatMap(({ rest }) => Object.entries(rest ?? {}))
    expect(operations.length).to.be.greaterThan(25)
    for (const [address, { scope, reply }] of operations) {
      expect(rules.outside(address), address).to.equal(scope === 'public' || scope === 'webhook')
      const looksEnveloped = reply !== undefined && 'success' in (reply as { properties: object }).properties
      expect(rules.whole(address), address).to.equal(looksEnveloped)
    }
  })

  it('agree with every method of the contract', () => {
    const methods = areas.flatMap(({ rpc }) => Object.entries(rpc ?? {}))
    expect(methods.length).to.be.greaterThan(50)
    for (const [type, { nested }] of methods) expect(rules.nested(type), type).to.equal(nested === true)
  })
})

describe('Client', () => {
  let host: TestHost
  beforeEach(async () => {
    host = await new TestHost().start()
  })
  afterEach(() => host.stop())
  const client = () => createClient({ base: host.base, token: 't' })
  const rpcBodies = () => host.to('/api/console/request').map(({ body }) => body)

  it('puts parameters into path, query and body', async () => {
    host
      .on('GET /api/plugins/a%2Fb%20%3F', ok({ name: 'a/b ?' }))
      .on('GET /api/logs', ok([]))
      .on('POST /api/logs/cleanup', ok({ deleted: 1, remaining: 2 }))
    expect(await client().rest('GET /plugins/:name', { params: { name: 'a/b ?' } })).to.deep.equal({ name: 'a/b ?' })
    await client().rest('GET /logs', { query: { limit: 5, level: 'warn', search: undefined as never } })
    expect(host.requests.at(-1)?.url).to.equal('/api/logs?limit=5&level=warn')
    expect(await client().rest('POST /logs/cleanup', { body: { days: 7 } })).to.deep.equal({ deleted: 1, remaining: 2 })
    expect(host.requests.at(-1)).to.deep.include({ body: { days: 7 } })
    expect(host.requests.at(-1)?.headers['content-type']).to.equal('application/json')
    host.on('DELETE /api/logs', ok({ deleted: 3 }))
    expect(await client().rest('DELETE /logs')).to.deep.equal({ deleted: 3 })
    expect(host.requests.at(-1)?.headers).not.to.have.any.keys('content-type', 'transfer-encoding')
    expect(host.requests.at(-1)?.body).to.equal(undefined)
  })

  it('refuses parameters that would change the called path', async () => {
    for (const name of ['', '.', '..'])
      expect(await rejection(client().rest('GET /plugins/:name', { params: { name } })), name).to.be.instanceOf(
        TypeError,
      )
    expect(
      await rejection(client().rest('GET /pub/marketplace/detail/*name', { params: { name: 'a/../../health' } })),
    ).to.be.instanceOf(TypeError)
    expect(host.to('/api/plugins')).to.deep.equal([])
  })

  it('returns the whole reply of an operation without an envelope', async () => {
    const reply = { success: true, data: [], total: 0, page: 1, size: 20 }
    host.on('GET /pub/marketplace/search', json(reply))
    expect(await client().rest('GET /pub/marketplace/search', { query: { q: 'irc' } })).to.deep.equal(reply)
  })

  it('returns the text of a raw answer', async () => {
    host.on(
      'GET /api/metrics',
      (response) => void response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end('up 1\n'),
    )
    expect(await client().rest('GET /metrics')).to.equal('up 1\n')
  })

  it('sends flat parameters with the type, and none of them replaces it', async () => {
    host.on('POST /api/console/request', (response, { body }) =>
      json({ success: true, data: {}, requestId: (body as { requestId: number }).requestId })(response, {} as never),
    )
    const one = client()
    await one.rpc('config:set', { pluginName: 'chat', data: { a: 1 } })
    await one.rpc('db:select', { table: 'notes', type: 'ping', requestId: 7 } as never)
    expect(rpcBodies()).to.deep.equal([
      { type: 'config:set', requestId: 1, pluginName: 'chat', data: { a: 1 } },
      { type: 'db:select', requestId: 2, table: 'notes' },
    ])
  })

  it('nests the parameters of endpoints, the sandbox and hinted methods', async () => {
    host.on('POST /api/console/request', ok({}))
    const one = client()
    await one.rpc('endpoint:info', { adapter: 'irc', endpointId: 'libera' })
    const more = one.with<typeof shop>({
      nested: { 'shop:buy': true },
      outside: { 'GET /shop': true },
      whole: { 'GET /shop': true },
    })
    await more.rpc('shop:buy', { item: 'seed' })
    expect(rpcBodies()).to.deep.equal([
      { type: 'endpoint:info', requestId: 1, data: { adapter: 'irc', endpointId: 'libera' } },
      { type: 'shop:buy', requestId: 2, data: { item: 'seed' } },
    ])
    host.on('GET /shop', json({ success: true, open: true }))
    expect(await more.rest('GET /shop')).to.deep.equal({ success: true, open: true })
  })
})

const { Type } = await import('@mynah/contract/type')
const shop = contract.contract({
  rest: {
    'GET /shop': {
      summary: 'Whether it is open',
      reply: Type.Object({ success: Type.Boolean(), open: Type.Boolean() }),
      scope: 'public',
    },
  },
  rpc: {
    'shop:buy': { summary: 'Buys', params: Type.Object({ item: Type.String() }), nested: true, data: Type.Object({}) },
  },
})
void shop
