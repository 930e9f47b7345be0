import { SECRET_MASK } from '@mynah/contract'
import type { EndpointChange, EndpointInfo, EndpointRow } from '@mynah/contract/types'
import type { MessageStore, Unread } from './api/store.js'
import type { Endpoint } from './endpoints/endpoint.js'
import type { EndpointCounters } from './telemetry.js'

const nothing: Unread = { messages: 0, requests: 0, notices: 0 }
const SECRET_NAME = /token|secret|password|apikey|api_key/i

/** Returns a row of `endpoint:list`. `redact` removes secrets from texts of adapters and platforms. */
export async function endpointRow(
  endpoint: Endpoint,
  store: MessageStore | undefined,
  redact: (text: string) => string,
): Promise<EndpointRow> {
  const unread = store ? await store.unread({ adapter: endpoint.adapter, endpoint: endpoint.id }) : nothing
  const { self } = endpoint
  return {
    name: endpoint.id,
    adapter: endpoint.adapter,
    connected: endpoint.status === 'online',
    status: endpoint.status,
    ...(endpoint.definition?.platform ? { platform: endpoint.definition.platform } : {}),
    ...(self.id === undefined ? {} : { selfId: self.id }),
    ...(self.name === undefined ? {} : { selfName: self.name }),
    ...(self.avatar === undefined ? {} : { avatar: self.avatar }),
    capabilities: endpoint.capabilities,
    unread: { ...unread },
    ...(endpoint.error === undefined ? {} : { error: redact(endpoint.error) }),
    since: endpoint.since,
  }
}

interface Shape {
  readonly secret?: boolean
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
}

/** Returns a value of the configuration with its secrets masked at every depth. */
function hidden(value: unknown, name: string, shape: Shape | undefined): unknown {
  if (typeof value === 'string') return shape?.secret || SECRET_NAME.test(name) ? SECRET_MASK : value
  if (Array.isArray(value)) return value.map((item) => hidden(item, name, shape?.items ?? shape))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, hidden(inner, key, shape?.properties?.[key])]),
  )
}

/** Returns the configuration of an endpoint with its secrets masked. */
const shown = (endpoint: Endpoint): Record<string, unknown> =>
  hidden(endpoint.config, '', {
    properties: (endpoint.definition?.schema?.properties ?? {}) as Record<string, Shape>,
  }) as Record<string, unknown>

/** Returns the answer of `endpoint:info`. */
export async function endpointInfo(
  endpoint: Endpoint,
  counters: Readonly<EndpointCounters>,
  store: MessageStore | undefined,
  redact: (text: string) => string,
): Promise<EndpointInfo> {
  const { lastMessageAt, ...stats } = counters
  const changes: readonly EndpointChange[] =
    (await store?.changes({ adapter: endpoint.adapter, endpoint: endpoint.id })) ?? []
  return {
    ...(await endpointRow(endpoint, store, redact)),
    config: shown(endpoint),
    stats,
    ...(endpoint.lastError === undefined ? {} : { lastError: redact(endpoint.lastError) }),
    ...(lastMessageAt === undefined ? {} : { lastMessageAt }),
    changes: changes.map(({ at, status, reason }) => ({
      at,
      status,
      ...(reason === undefined ? {} : { reason: redact(reason) }),
    })),
    ...(endpoint.nextTryAt === undefined ? {} : { nextTryAt: Math.round(endpoint.nextTryAt) }),
  }
}
