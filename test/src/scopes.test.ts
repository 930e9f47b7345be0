import { expect } from 'chai'
import { methods, operations, pathOf, verbOf } from './declared.js'
import { DEMO, FULL, WholeHost } from './whole-host.js'

const DEMO_PATHS = [
  'GET /system/status',
  'GET /stats',
  'GET /plugins',
  'GET /plugins/:name',
  'GET /endpoints',
  'GET /events',
  'POST /console/request',
  'GET /introspection/commands',
  'GET /introspection/endpoints',
  'GET /introspection/bindings',
  'GET /introspection/tools',
  'GET /introspection/mcp',
]
const DEMO_METHODS = [
  'ping',
  'entries:get',
  'endpoint:list',
  'chat:activity',
  'schema:get',
  'schema:get-all',
  'sandbox:send',
  'sandbox:edit',
  'sandbox:delete',
  'sandbox:react',
  'sandbox:history',
  'sandbox:request',
  'sandbox:roles',
  'sandbox:notice',
]

describe('scopes of tokens', function () {
  this.timeout(60_000)
  let host: WholeHost
  // A host for each: a demo token may make fewer requests a minute than there are operations.
  beforeEach(async () => {
    host = await WholeHost.start()
  })
  afterEach(() => host.close())

  it('allow a demo token exactly the listed operations', async () => {
    const found: string[] = []
    for (const [key, operation] of operations) {
      const call = (token: string | null) =>
        host.call(pathOf(key, operation), {
          method: verbOf(key),
          token,
          ...(verbOf(key) === 'GET' ? {} : { body: key === 'POST /console/request' ? { type: 'ping' } : {} }),
        })
      const [none, demo] = [await call(null), await call(DEMO)]
      if (operation.scope === 'public') {
        for (const { status } of [none, demo]) expect(status, key).not.to.be.oneOf([401, 403])
        continue
      }
      expect(none, key).to.have.property('status', 401)
      expect(none.json, key).to.include({ success: false, code: 'unauthorized' })
      expect((await call('wrong-but-well-formed-token')).status, key).to.be.oneOf([401, 429])
      if (demo.status !== 403) found.push(key)
      else expect(demo.json, key).to.include({ success: false, code: 'forbidden' })
    }
    expect(found).to.have.members(DEMO_PATHS)
  })

  it('allow a demo token exactly the listed methods, with the id of the request in a rejection', async () => {
    const found: string[] = []
    for (const type of [...methods.keys(), 'no:such-method', '__proto__']) {
      expect(await host.rpc(type, {}, null), type).to.have.property('status', 401)
      const { status, json } = await host.rpc(type, {}, DEMO)
      expect(json.requestId, type).to.equal(7)
      if (status !== 403) found.push(type)
      else expect(json, type).to.include({ success: false, code: 'forbidden' })
    }
    expect(found).to.have.members(DEMO_METHODS)
  })

  it('allow a full token everything', async () => {
    for (const [key, operation] of operations) {
      const { status } = await host.call(pathOf(key, operation), {
        method: verbOf(key),
        token: FULL,
        ...(verbOf(key) === 'GET' ? {} : { body: {} }),
      })
      expect(status, key).not.to.be.oneOf([401, 403])
    }
    for (const type of methods.keys())
      expect((await host.rpc(type)).json.code, type).not.to.be.oneOf(['unauthorized', 'forbidden'])
  })

  it('forbid unknown paths below the prefix', async () => {
    for (const path of ['/api', '/api/', '/api/no/such', '/api/no/webhook', '/api/system/status/x']) {
      expect(await host.call(path, { token: null }), path).to.have.property('status', 401)
      expect(await host.call(path, { token: DEMO }), path).to.have.property('status', 403)
      expect((await host.call(path)).status, path).to.equal(404)
    }
  })

  it('hide configuration and other endpoints from the stream of a demo token', async () => {
    const [opening, full] = [await host.call('/api/events', { token: DEMO }), await host.call('/api/events')]
    expect(opening.status).to.equal(200)
    expect(full.status).to.equal(200)
    expect(opening.text).not.to.contain('config')
  })
})
