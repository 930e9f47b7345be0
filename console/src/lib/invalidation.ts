/** Keys of resources begin with the call that loads them, as `GET /plugins`. */
const invalidatedKeys: Readonly<Record<string, readonly string[]>> = {
  'data-update': [
    'chat:activity',
    'GET /logs {',
    'GET /stats',
    'GET /system/status',
    'GET /plugins',
    'GET /endpoints',
    'GET /ready',
    'endpoint:list',
    'endpoint:info',
    'cron:list',
    'GET /introspection',
    'GET /assistant/jobs',
    'models:list',
    'mcp:list',
  ],
  'config:updated': ['config:', 'GET /config', 'schema:', 'GET /plugins', 'catalogue', 'exec:'],
  'endpoint:message': [
    'chat:activity',
    'endpoint:list',
    'endpoint:info',
    'endpoint:inboxMessages',
    'endpoint:unsentMessages',
    'chat:traces',
  ],
  'endpoint:messageChanged': ['endpoint:inboxMessages'],
  'endpoint:request': ['endpoint:list', 'endpoint:requests', 'endpoint:inboxRequests'],
  'endpoint:notice': ['endpoint:list', 'endpoint:inboxNotices'],
  'exec:approval': ['exec:'],
  'agent:turn': ['agent:turns', 'agent:session', 'GET /agent/sessions', 'agent:usage', 'jobs:runs'],
  'agent:session': ['agent:session', 'GET /agent/sessions'],
  'job:run': ['cron:list', 'GET /assistant/jobs', 'jobs:runs'],
  'packages:run': ['packages:', 'GET /pub/marketplace/detail', 'GET /marketplace/updates'],
  'knowledge:changed': ['knowledge:list', 'knowledge:files'],
  'mcp:changed': ['mcp:list', 'GET /introspection/mcp'],
}

/** Returns whether an event of `type` makes the resource of `key` stale. */
export function invalidates(type: string, key: string): boolean {
  return invalidatedKeys[type]?.some((prefix) => key.startsWith(prefix)) ?? false
}

/** Returns whether any event makes the resource of `key` stale. */
export const hasInvalidatingEvent = (key: string): boolean =>
  Object.values(invalidatedKeys).some((prefixes) => prefixes.some((prefix) => key.startsWith(prefix)))

/** Types of events that make resources stale. */
export const invalidatingEvents: readonly string[] = Object.keys(invalidatedKeys)
