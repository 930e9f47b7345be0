// Looks for the interface of a provider near an address where it is not.
import type { Clock } from '@mynah/kernel'
import { withTimeout } from '@mynah/kernel/util'
import type { Web } from './api/web.js'
import { baseAddress } from './base-address.js'
import type { ProviderConfig } from './config.js'
import { ModelRegistry } from './registry/registry.js'

const SEARCH_MS = 5_000
/** Paths below which servers and relays answer. */
const PATHS = ['/v1', '/api/v1', '/openai/v1', '/v1beta/openai', '/api', '']

/** The parts of the plugin that a search needs. */
export interface SearchParts {
  readonly clock: Clock
  readonly web: Web
  readonly signal: AbortSignal
}

/** Returns an address of the same host that lists models for these settings, if their own one does not. */
export async function findAddress(provider: ProviderConfig, parts: SearchParts): Promise<string | undefined> {
  const { clock, web, signal: parent } = parts
  const { host, models: _, ...settings } = provider
  const written = provider.sdk === 'ollama' ? (host ?? provider.baseUrl) : provider.baseUrl
  const address = written === undefined ? undefined : baseAddress(written, provider.sdk ?? 'openai-compatible')
  if (address === undefined) return undefined
  const addresses = [address, ...nearbyAddresses(address)]
  const providers = Object.fromEntries(addresses.map((baseUrl) => [baseUrl, { ...settings, baseUrl }]))
  const registry = new ModelRegistry({ providers, clock, web })
  try {
    await withTimeout(clock, SEARCH_MS, () => registry.discover(), { parent, message: 'The search took too long' })
  } catch {
    // Those that have answered until then are known.
  }
  const found = registry.list().find(({ models }) => models.length > 0)
  await registry.close()
  return found?.alias === address ? undefined : found?.alias
}

/** Returns other addresses of a host, the likeliest first. A key is never sent with less protection than before. */
function nearbyAddresses(address: string): string[] {
  const { origin, pathname, protocol, port } = new URL(address)
  const path = pathname.replace(/\/$/, '')
  const above = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  const paths = [`${path}/v1`, ...(above ? [above] : []), ...PATHS]
  const secure = protocol === 'http:' && port === '' ? [address.replace(/^http:/, 'https:')] : []
  return [...new Set([...secure, ...paths.map((each) => `${origin}${each}`)])].filter((each) => each !== address)
}
