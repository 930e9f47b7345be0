// Which resources an event of the stream concerns.

/** Keys of resources begin with the call that loads them, as `GET /plugins`. */
const concerned: Readonly<Record<string, readonly string[]>> = {
  'data-update': ['GET /stats', 'GET /system/status', 'GET /plugins', 'GET /endpoints', 'GET /ready', 'endpoint:list', 'endpoint:info', 'cron:list', 'GET /introspection'],
  'config:updated': ['config:', 'GET /config', 'schema:', 'GET /plugins'],
  'endpoint:message': ['endpoint:list', 'endpoint:inboxMessages'],
  'endpoint:request': ['endpoint:list', 'endpoint:requests', 'endpoint:inboxRequests'],
  'endpoint:notice': ['endpoint:list', 'endpoint:inboxNotices'],
}

/** Whether the resource of `key` may differ after an event of `type`. */
export function concerns(type: string, key: string): boolean {
  return concerned[type]?.some((prefix) => key.startsWith(prefix)) ?? false
}

/** Types of events that concern any resource. */
export const coupledEvents: readonly string[] = Object.keys(concerned)
