// A valid call of every operation and method of the contract, in an order in which all of them succeed.

/** Answers of earlier calls by operation or method. */
type Answers = (key: string) => never

export interface RestCall {
  readonly params?: Record<string, string>
  readonly query?: string
  readonly body?: unknown
  /** Code of the failure that is expected from this host. */
  readonly fails?: string
}
export interface RpcCall {
  readonly params?: (answers: Answers) => Record<string, unknown>
  readonly fails?: string
}

const at = { adapter: 'sandbox', endpointId: 'sandbox' }
const scene = { endpointId: 'sandbox', channel: { type: 'private', id: 'alice' } }
const alice = { id: 'alice', name: 'Alice' }
const said = { ...scene, messageId: 'said', sender: alice }
// The agent of this host has no session.
const noSession = { fails: 'not_found' }

export const restCalls: Readonly<Record<string, RestCall>> = {
  'GET /pub/health': {},
  'GET /pub/openapi.json': {},
  'GET /ready': {},
  'GET /system/status': {},
  'GET /stats': {},
  'GET /metrics': {},
  'GET /plugins': {},
  'GET /plugins/:name': { params: { name: 'http-core' } },
  'GET /plugins/:name/failure': { params: { name: 'http-core' } },
  'GET /endpoints': {},
  'POST /message/send': {
    body: {
      context: 'sandbox',
      endpoint: 'sandbox',
      id: 'alice',
      type: 'private',
      content: [{ type: 'text', data: { text: 'hello' } }],
    },
  },
  'GET /config': {},
  'GET /config/:name': { params: { name: 'http' } },
  'POST /config/:name': { params: { name: 'logs' }, body: { maxRecords: 1_000 } },
  'GET /schemas': {},
  'GET /schemas/:name': { params: { name: 'http-core' } },
  'GET /logs': { query: '?limit=5&level=info' },
  'GET /logs/stats': {},
  'GET /logs/volume': { query: '?minutes=5' },
  'POST /logs/cleanup': { body: { days: 1 } },
  'DELETE /logs': {},
  'GET /pub/marketplace/search': { query: '?q=dice' },
  'GET /pub/marketplace/detail/*name': { params: { name: '@mynah/plugin-dice' } },
  'GET /marketplace/updates': {},
  'GET /introspection/commands': { query: '?pageSize=2&filter=cmd' },
  'GET /introspection/endpoints': {},
  'GET /introspection/bindings': {},
  'GET /introspection/tools': {},
  'GET /introspection/mcp': {},
  'GET /agent/sessions/:sessionKey/tree': { params: { sessionKey: 'none' }, ...noSession },
  'POST /agent/sessions/:sessionKey/leaf': { params: { sessionKey: 'none' }, body: { index: 0 }, ...noSession },
  'GET /assistant/jobs': {},
  'POST /assistant/events': {
    body: { source: 'door', action: { kind: 'agent', prompt: 'who is there' }, notify: { channel: 'silent' } },
  },
  'GET /entries': {},
  'GET /@dev/:id/*path': { params: { id: 'sandbox', path: 'client/index.js' } },
  'POST /console/request': { body: { type: 'ping', requestId: 1 } },
  'GET /console/methods': {},
  'GET /events': {},
}

const first = (list: unknown, field: string): unknown => (list as Record<string, unknown>[])[0]?.[field]

export const rpcCalls: Readonly<Record<string, RpcCall>> = {
  ping: {},
  'entries:get': {},
  'system:restart': { fails: 'unsupported' },
  // Nothing installs packages where the host is started by a test.
  'plugins:reload': { params: () => ({ name: 'logs' }), fails: 'unsupported' },
  'dev:status': {},
  'packages:plan': { params: () => ({ add: ['mynah-plugin-dice'] }), fails: 'unsupported' },
  'packages:apply': { params: () => ({ planId: 'none' }), fails: 'unsupported' },
  'packages:cancel': { params: () => ({ runId: 'none' }), fails: 'unsupported' },
  'packages:rollback': { fails: 'unsupported' },
  'packages:runs': { fails: 'unsupported' },
  'config:get': {},
  'config:get-all': {},
  'config:set': { params: () => ({ pluginName: 'logs', data: { maxRecords: 2_000 } }) },
  'config:enable': { params: () => ({ plugins: ['chat'] }) },
  'config:disable': { params: () => ({ plugins: ['nonesuch'] }), fails: 'not_found' },
  'config:remove': { params: () => ({ plugins: ['nonesuch'] }), fails: 'not_found' },
  'config:installed': {},
  'config:describe': { params: () => ({ plugin: 'chat' }) },
  'config:apply': {},
  'config:get-yaml': {},
  'config:save-yaml': { params: (answers) => ({ yaml: (answers('config:get-yaml') as { yaml: string }).yaml }) },
  'config:versions': {},
  'config:version': {
    params: (answers) => ({ id: first((answers('config:versions') as { versions: unknown }).versions, 'id') }),
  },
  'config:restore': {
    params: (answers) => ({ id: first((answers('config:versions') as { versions: unknown }).versions, 'id') }),
  },
  'schema:get': { params: () => ({ pluginName: 'http-core' }) },
  'schema:get-all': {},
  'files:save': { params: () => ({ filePath: 'notes.txt', content: 'a note' }) },
  'files:read': { params: () => ({ filePath: 'notes.txt' }) },
  'files:tree': {},
  'files:make-folder': { params: () => ({ folderPath: 'drawings' }) },
  'files:upload': { params: () => ({ filePath: 'drawings/dot.gif', base64: 'R0lGODlhAQABAAAAADs=' }) },
  'files:move': { params: () => ({ from: 'drawings/dot.gif', to: 'drawings/point.gif' }) },
  'files:download': { params: () => ({ filePath: 'drawings/point.gif' }) },
  'env:save': { params: () => ({ filename: '.env.local', content: 'A=1\n' }) },
  'env:get': { params: () => ({ filename: '.env.local' }) },
  'env:list': {},
  'db:info': {},
  'db:tables': {},
  'db:kv:set': { params: () => ({ table: 'settings', key: 'a', value: { b: 1 }, ttl: 60 }) },
  'db:kv:get': { params: () => ({ table: 'settings', key: 'a' }) },
  'db:kv:entries': { params: () => ({ table: 'settings' }) },
  'db:kv:delete': { params: () => ({ table: 'settings', key: 'a' }) },
  'db:insert': { params: () => ({ table: 'notes', row: { id: 'n1', text: 'one' } }) },
  'db:select': { params: () => ({ table: 'notes', where: { id: 'n1' } }) },
  'db:update': { params: () => ({ table: 'notes', row: { text: 'two' }, where: { id: 'n1' } }) },
  'db:delete': { params: () => ({ table: 'notes', where: { id: 'n1' } }) },
  'db:drop-table': { params: () => ({ table: 'notes' }) },
  'sandbox:send': { params: () => ({ ...scene, sender: alice, content: '/help' }) },
  'sandbox:edit': { params: () => ({ ...said, content: '/help me' }) },
  'sandbox:react': { params: () => ({ ...said, emoji: '👍', added: true }) },
  'sandbox:delete': { params: () => said },
  'sandbox:roles': { params: () => ({ endpointId: 'sandbox' }) },
  'sandbox:history': { params: () => scene },
  'sandbox:request': {
    params: () => ({ endpointId: 'sandbox', kind: 'friend', sender: { id: 'dave', name: 'Dave' } }),
  },
  'sandbox:notice': { params: () => ({ endpointId: 'sandbox', kind: 'poke', operator: alice, payload: { times: 1 } }) },
  'chat:traces': { params: () => ({ limit: 5 }) },
  'chat:activity': { params: () => ({ minutes: 60 }) },
  'endpoint:list': {},
  'endpoint:adapters': {},
  'endpoint:test': { params: () => ({ account: { adapter: 'sandbox', id: 'another' } }) },
  'endpoint:info': { params: () => at },
  'endpoint:sendMessage': { params: () => ({ ...at, id: 'alice', type: 'private', content: 'hello' }) },
  'endpoint:friends': { params: () => at },
  'endpoint:groups': { params: () => at },
  'endpoint:channels': { params: () => at },
  'endpoint:groupMembers': {
    params: (answers) => ({ ...at, groupId: first((answers('endpoint:groups') as { groups: unknown }).groups, 'id') }),
  },
  'endpoint:groupMute': {
    params: (answers) => ({
      ...at,
      groupId: first((answers('endpoint:groups') as { groups: unknown }).groups, 'id'),
      userId: 'carol',
      duration: 60,
    }),
  },
  'endpoint:groupAdmin': {
    params: (answers) => ({
      ...at,
      groupId: first((answers('endpoint:groups') as { groups: unknown }).groups, 'id'),
      userId: 'carol',
      enable: true,
    }),
  },
  'endpoint:groupKick': {
    params: (answers) => ({
      ...at,
      groupId: first((answers('endpoint:groups') as { groups: unknown }).groups, 'id'),
      userId: 'carol',
    }),
  },
  'endpoint:deleteFriend': { params: () => ({ ...at, userId: 'bob' }) },
  'endpoint:requests': { params: () => at },
  'endpoint:inboxRequests': { params: () => at },
  'endpoint:inboxNotices': { params: () => at },
  'endpoint:inboxMessages': { params: () => ({ ...at, limit: 3 }) },
  'endpoint:unsentMessages': { params: () => ({ ...at, limit: 3 }) },
  'endpoint:resendMessage': { params: () => ({ ...at, id: 'none' }), fails: 'not_found' },
  'endpoint:requestApprove': {
    params: (answers) => ({
      ...at,
      requestId: first((answers('endpoint:requests') as { requests: unknown }).requests, 'requestId'),
    }),
  },
  // Answered a moment ago.
  'endpoint:requestReject': {
    params: (answers) => ({
      ...at,
      requestId: first((answers('endpoint:requests') as { requests: unknown }).requests, 'requestId'),
    }),
    fails: 'conflict',
  },
  'endpoint:requestConsumed': {
    params: (answers) => ({
      ...at,
      id: first((answers('endpoint:inboxRequests') as { requests: unknown }).requests, 'id'),
    }),
  },
  'endpoint:noticeConsumed': {
    params: (answers) => ({
      ...at,
      ids: [first((answers('endpoint:inboxNotices') as { notices: unknown }).notices, 'id')],
    }),
  },
  'endpoint:messageConsumed': {
    params: (answers) => ({
      ...at,
      id: first((answers('endpoint:inboxMessages') as { messages: unknown }).messages, 'id'),
    }),
  },
  'exec:check': { params: () => ({ command: 'ls -l | grep x' }) },
  'exec:pending': {},
  'exec:answer': { params: () => ({ id: 'none', approve: false }), fails: 'not_found' },
  'exec:refusals': {},
  'exec:allow': { params: () => ({ addition: { kind: 'host', host: 'a.example' } }) },
  'exec:rule-add': { params: () => ({ ...at, pattern: 'make all', match: ['make all'], noMatch: ['make'] }) },
  'exec:rule-check': { params: () => ({ ...at, pattern: 'make all' }) },
  'exec:standing': {},
  'exec:rule-remove': { params: (answers) => ({ ...at, id: (answers('exec:rule-add') as { id: string }).id }) },
  'exec:revoke': { params: () => at },
  'exec:history': { params: () => ({ limit: 5 }) },
  'cron:preview': { params: () => ({ cronExpression: '0 9 * * *' }) },
  'cron:add': {
    params: () => ({ cronExpression: '0 9 * * *', prompt: 'good morning', notify: { channel: 'silent' } }),
  },
  'cron:list': {},
  ...Object.fromEntries(
    ['cron:get', 'cron:pause', 'cron:resume'].map((type) => [
      type,
      { params: (answers: Answers) => ({ id: (answers('cron:add') as { id: string }).id }) },
    ]),
  ),
  'cron:update': { params: (answers) => ({ id: (answers('cron:add') as { id: string }).id, prompt: 'good evening' }) },
  'jobs:run': { params: (answers) => ({ id: (answers('cron:add') as { id: string }).id }) },
  'jobs:repeat': { params: () => ({ runId: 'none' }), fails: 'not_found' },
  'jobs:resend': { params: () => ({ runId: 'none' }), fails: 'not_found' },
  'jobs:runs': { params: (answers) => ({ id: (answers('cron:add') as { id: string }).id, limit: 3 }) },
  'cron:remove': { params: (answers) => ({ id: (answers('cron:add') as { id: string }).id }) },
}
