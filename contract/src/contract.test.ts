import { expect } from 'chai'
import * as contract from './index.js'
import type { Contract, RestOperation, RpcMethod, StreamEvent } from './contract.js'
import { mistakesIn } from './validate.js'

const contracts = Object.entries<unknown>(contract).filter((pair): pair is [string, Contract] => {
  const [, value] = pair
  return (
    typeof value === 'object' &&
    value !== null &&
    ('rest' in value || 'rpc' in value || 'events' in value) &&
    !('type' in value)
  )
})
const rest = contracts.flatMap(([, { rest: operations }]) =>
  Object.entries((operations ?? {}) as Record<string, RestOperation>),
)
const rpc = contracts.flatMap(([, { rpc: methods }]) => Object.entries((methods ?? {}) as Record<string, RpcMethod>))
const events = contracts.flatMap(([, { events: declared }]) =>
  Object.entries((declared ?? {}) as Record<string, StreamEvent>),
)

describe('contract', () => {
  it('names each address once', () => {
    for (const list of [rest, rpc, events]) {
      const keys = list.map(([key]) => key)
      expect(keys).to.have.lengthOf(new Set(keys).size)
    }
  })

  it('has every operation of the interface', () => {
    expect(rest.map(([key]) => key)).to.include.members([
      'GET /pub/health',
      'GET /pub/openapi.json',
      'GET /pub/marketplace/search',
      'GET /pub/marketplace/detail/*name',
      'GET /entries',
      'GET /system/status',
      'GET /stats',
      'GET /plugins',
      'GET /plugins/:name',
      'GET /endpoints',
      'GET /config',
      'GET /config/:name',
      'POST /config/:name',
      'GET /schemas',
      'GET /schemas/:name',
      'POST /message/send',
      'GET /logs',
      'DELETE /logs',
      'GET /logs/stats',
      'POST /logs/cleanup',
      'GET /marketplace/updates',
      'GET /introspection/commands',
      'GET /introspection/endpoints',
      'GET /introspection/bindings',
      'GET /introspection/tools',
      'GET /introspection/mcp',
      'POST /console/request',
      'GET /events',
      'GET /ready',
      'GET /metrics',
      'GET /console/methods',
      'GET /agent/sessions/:sessionKey/tree',
      'POST /agent/sessions/:sessionKey/leaf',
    ])
  })

  it('has every method of the interface', () => {
    expect(rpc.map(([key]) => key)).to.include.members([
      'ping',
      'entries:get',
      'config:get',
      'config:get-all',
      'config:set',
      'config:get-yaml',
      'config:save-yaml',
      'schema:get',
      'schema:get-all',
      'files:tree',
      'files:read',
      'files:save',
      'files:download',
      'files:upload',
      'files:make-folder',
      'files:move',
      'env:list',
      'env:get',
      'env:save',
      'endpoint:list',
      'endpoint:info',
      'endpoint:sendMessage',
      'cron:list',
      'cron:add',
      'cron:remove',
      'cron:pause',
      'cron:resume',
      'db:info',
      'db:tables',
      'db:select',
      'db:insert',
      'db:update',
      'db:delete',
      'db:drop-table',
      'db:kv:get',
      'db:kv:set',
      'db:kv:delete',
      'db:kv:entries',
      'endpoint:friends',
      'endpoint:groups',
      'endpoint:channels',
      'endpoint:requests',
      'endpoint:requestApprove',
      'endpoint:requestReject',
      'endpoint:requestConsumed',
      'endpoint:noticeConsumed',
      'endpoint:messageConsumed',
      'endpoint:inboxMessages',
      'endpoint:inboxRequests',
      'endpoint:inboxNotices',
      'endpoint:deleteFriend',
      'endpoint:groupMembers',
      'endpoint:groupKick',
      'endpoint:groupMute',
      'endpoint:groupAdmin',
      'system:restart',
      'sandbox:send',
      'sandbox:history',
      'sandbox:request',
      'sandbox:notice',
      'chat:traces',
      'exec:check',
      'exec:pending',
      'exec:answer',
      'exec:refusals',
      'exec:allow',
      'exec:standing',
      'exec:rule-add',
      'exec:rule-remove',
      'exec:revoke',
      'exec:history',
      'exec:rule-check',
    ])
  })

  it('has every event of the stream', () => {
    expect(events.map(([key]) => key)).to.include.members([
      'sync',
      'init-data',
      'data-update',
      'config:updated',
      'endpoint:message',
      'endpoint:request',
      'endpoint:notice',
      'system:restarting',
      'sandbox:message',
      'exec:approval',
    ])
  })

  for (const [key, operation] of rest) {
    it(`declares ${key} completely`, () => {
      const [method = '', path = ''] = key.split(' ')
      expect(method).to.match(/^(GET|POST|PUT|PATCH|DELETE)$/)
      expect(path).to.match(/^\//)
      expect(operation.summary).to.have.length.above(3)
      expect(
        [operation.data, operation.reply, operation.raw].filter((given) => given !== undefined),
        'exactly one of data, reply and raw',
      ).to.have.lengthOf(1)
      const named = [...path.matchAll(/[:*](\w+)/g)].map(([, name]) => name)
      expect(Object.keys(operation.params?.properties ?? {})).to.have.members(named)
      if (operation.body) expect(method).to.not.equal('GET')
      for (const schema of [operation.params, operation.query, operation.body, operation.data, operation.reply])
        if (schema) mistakesIn(schema, undefined)
    })
  }

  for (const [key, method] of rpc) {
    it(`declares ${key} completely`, () => {
      expect(method.summary).to.have.length.above(3)
      // Only these two families take their parameters in `data`.
      expect(method.nested ?? false).to.equal(/^(endpoint|sandbox):/.test(key))
      for (const schema of [method.params, method.data]) if (schema) mistakesIn(schema, undefined)
    })
  }

  for (const [key, event] of events) {
    it(`declares the event ${key} completely`, () => {
      expect(event.summary).to.have.length.above(3)
      mistakesIn(event.data, undefined)
    })
  }

  it('shows examples that fit their schemas', () => {
    const walk = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return
      const { examples } = schema as { examples?: unknown[] }
      for (const example of examples ?? []) expect(mistakesIn(schema, structuredClone(example)), path).to.deep.equal([])
      for (const [key, inner] of Object.entries(schema)) if (key !== 'examples') walk(inner, `${path}/${key}`)
    }
    for (const [key, operation] of rest) walk(operation, key)
    for (const [key, method] of rpc) walk(method, key)
  })

  it('allows demo tokens to write in the sandbox only', () => {
    const demoRest = rest.filter(([, { scope }]) => scope === 'demo').map(([key]) => key)
    expect(demoRest.filter((key) => !key.startsWith('GET '))).to.deep.equal(['POST /console/request'])
    const demoRpc = rpc
      .filter(([, { scope }]) => scope === 'demo')
      .map(([key]) => key)
      .sort()
    expect(demoRpc).to.deep.equal([
      'chat:activity',
      'endpoint:list',
      'entries:get',
      'ping',
      'sandbox:delete',
      'sandbox:edit',
      'sandbox:history',
      'sandbox:notice',
      'sandbox:react',
      'sandbox:request',
      'sandbox:roles',
      'sandbox:send',
      'schema:get',
      'schema:get-all',
    ])
  })
})
