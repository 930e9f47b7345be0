// What the connected host offers, so that a page is in the rail when there is something behind it.
import type { PluginItem } from '@mynah/contract/types'
import { useEffect, useMemo } from 'preact/hooks'
import { useResource } from '../lib/use-resource.js'
import { host } from './host.js'

/** Operations and RPC methods by their address. */
export interface Catalogue {
  readonly known: boolean
  readonly has: (address: string) => boolean
  /** How many plugins have failed. */
  readonly failed: number
}

interface Offered { readonly addresses: ReadonlySet<string>; readonly failed: number }

const ASSISTANT = 'GET /assistant/jobs'

/** Reads the list of plugins: what each contributes is the same registry that the host serves from. */
export function addressesOf(plugins: readonly PluginItem[]): Set<string> {
  return new Set(plugins.flatMap((plugin) => plugin.features.filter((feature) => feature.name === 'routes' || feature.name === 'methods').flatMap((feature) => feature.items.map((item) => item.name))))
}

async function load(signal: AbortSignal): Promise<Offered> {
  const plugins = await host().rest('GET /plugins', { signal })
  const addresses = addressesOf(plugins)
  const offered = { addresses, failed: plugins.filter(({ state }) => state === 'failed').length }
  if (!addresses.has(ASSISTANT)) return offered
  // The operation is there and yet not: the assistant can be switched off on its own.
  const call = host().rest as unknown as (operation: string, input: object) => Promise<unknown>
  const off = await call.call(host(), ASSISTANT, { signal, query: { limit: 1 } }).then(() => false, (error: unknown) => (error as { status?: unknown } | null)?.status === 404)
  if (off) addresses.delete(ASSISTANT)
  return offered
}

/**
 * Until the host has answered nothing is known; a host that names no methods counts as one that has all.
 * `version` changes when plugins come or go, and then it is read again.
 */
export function useCatalogue(version?: string): Catalogue {
  const { data, reload } = useResource('catalogue', load, 'GET /plugins')
  useEffect(() => { if (data && version !== undefined) reload() }, [version])
  return useMemo(() => ({ known: data !== undefined, has: (address) => data !== undefined && (data.addresses.has(address) || !data.addresses.has('ping')), failed: data?.failed ?? 0 }), [data])
}
