import type { PluginItem } from '@mynah/contract/types'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { resources } from '../lib/resources.js'
import { useResource } from '../lib/use-resource.js'
import { host } from './host.js'

/** Operations and RPC methods by their address. */
export interface Catalogue {
  readonly known: boolean
  readonly has: (address: string) => boolean
  /** How many plugins have failed. */
  readonly failed: number
  /** Whether the host would refuse the configuration file on disk. */
  readonly broken: boolean
}

interface Offered {
  readonly addresses: ReadonlySet<string>
  readonly failed: number
  readonly broken: boolean
}

const ASSISTANT = 'GET /assistant/jobs'

/** Collects the addresses that plugins contribute. The host serves from the same registry. */
function addressesOf(plugins: readonly PluginItem[]): Set<string> {
  return new Set(
    plugins.flatMap((plugin) =>
      plugin.features
        .filter((feature) => feature.name === 'routes' || feature.name === 'methods')
        .flatMap((feature) => feature.items.map((item) => item.name)),
    ),
  )
}

async function load(signal: AbortSignal): Promise<Offered> {
  const plugins = await host().rest('GET /plugins', { signal })
  // Prefill the plugin list with this answer. The keys differ, because events that make the list stale every second
  // must not reload the catalogue.
  resources.prefill('GET /plugins', plugins)
  return {
    addresses: addressesOf(plugins),
    failed: plugins.filter(({ state }) => state === 'failed').length,
    broken: plugins.some(({ name, state }) => name === 'workspace' && state === 'degraded'),
  }
}

/**
 * Probes the assistant, which can be disabled although its operation is contributed. Nothing else waits for this
 * answer.
 */
async function isAssistantOn(signal: AbortSignal): Promise<boolean> {
  const call = host().rest as unknown as (operation: string, input: object) => Promise<unknown>
  return call.call(host(), ASSISTANT, { signal, query: { limit: 1 } }).then(
    () => true,
    (error: unknown) => (error as { status?: unknown } | null)?.status !== 404,
  )
}

const nothing = (): Promise<boolean> => Promise.resolve(false)

/**
 * Nothing is known until the host has answered. A host that lists no methods counts as having all of them.
 * A changed `version` (plugins were added or removed) loads the catalogue again. The rail, which is always mounted,
 * passes it.
 */
export function useCatalogue(version?: string): Catalogue {
  const { data, reload } = useResource('catalogue', load, 'GET /plugins')
  const asked = data?.addresses.has(ASSISTANT) === true
  const assistant = useResource(
    asked ? 'catalogue of the assistant' : 'absent assistant',
    asked ? isAssistantOn : nothing,
    ASSISTANT,
  )
  const former = useRef<string>(undefined)
  useEffect(() => {
    if (version === undefined) return
    // The first version belongs to the first answer, in either order.
    if (former.current !== undefined && former.current !== version) {
      reload()
      assistant.reload()
    }
    former.current = version
  }, [version])
  const off = asked && assistant.data !== true
  return useMemo(
    () => ({
      known: data !== undefined,
      has: (address) =>
        data !== undefined &&
        (data.addresses.has(address) ? address !== ASSISTANT || !off : !data.addresses.has('ping')),
      failed: data?.failed ?? 0,
      broken: data?.broken === true,
    }),
    [data, off],
  )
}
