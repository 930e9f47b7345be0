// Endpoints as the console sees them.
import { SECRET_MASK } from '@mynah/contract'
import type { EndpointInfo, EndpointRow } from '@mynah/contract/types'
import type { MessageStore, Unread } from './api/store.js'
import type { Endpoint } from './endpoint.js'

const nothing: Unread = { messages: 0, requests: 0, notices: 0 }
const SECRET_NAME = /token|secret|password|apikey|api_key/i

/** One row of `endpoint:list`. */
export async function rowOf(endpoint: Endpoint, store: MessageStore | undefined): Promise<EndpointRow> {
  const unread = store ? await store.unread({ adapter: endpoint.adapter, endpoint: endpoint.id }) : nothing
  const { self } = endpoint
  return {
    name: endpoint.id, adapter: endpoint.adapter, connected: endpoint.status === 'online', status: endpoint.status,
    ...(endpoint.definition?.platform ? { platform: endpoint.definition.platform } : {}),
    ...(self.id === undefined ? {} : { selfId: self.id }), ...(self.name === undefined ? {} : { selfName: self.name }), ...(self.avatar === undefined ? {} : { avatar: self.avatar }),
    capabilities: endpoint.capabilities, unread: { ...unread },
    ...(endpoint.error === undefined ? {} : { error: endpoint.error }), since: endpoint.since,
  }
}

/** The configuration of an endpoint with its secrets hidden. */
function shown(endpoint: Endpoint): Record<string, unknown> {
  const properties = (endpoint.definition?.schema?.properties ?? {}) as Record<string, { secret?: boolean } | undefined>
  return Object.fromEntries(Object.entries(endpoint.config).map(([key, value]) =>
    [key, typeof value === 'string' && (properties[key]?.secret || SECRET_NAME.test(key)) ? SECRET_MASK : value]))
}

/** `endpoint:info`. */
export async function infoOf(endpoint: Endpoint, store: MessageStore | undefined): Promise<EndpointInfo> {
  return { ...(await rowOf(endpoint, store)), config: shown(endpoint), stats: { ...endpoint.counters }, ...(endpoint.lastError === undefined ? {} : { lastError: endpoint.lastError }) }
}
