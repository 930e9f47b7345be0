// What the connected host offers, so that a page is in the rail when there is something behind it.
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
}

interface Offered {
  readonly addresses: ReadonlySet<string>
  readonly failed: number
}

const ASSISTANT = 'GET /assistant/jobs'

/** Reads the list of plugins: what each contributes is the same registry that the host serves from. */
export function addressesOf(plugins: readonly PluginItem[]): Set<string> {
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
  // The page that shows the list has it with this answer. It does not share the key: what makes the list stale each second would have the catalogue loaded again too.
  resources.prefill('GET /plugins', plugins)
  return { addresses: addressesOf(plugins), failed: plugins.filter(({ state }) => state === 'failed').length }
}

/** The operation can be there and yet not: the assistant is switched off on its own. Nothing else waits for that answer. */
async function isAssistantOn(signal: AbortSignal): Promise<boolean> {
  const call = host().rest as unknown as (operation: string, input: object) => Promise<unknown>
  return call.call(host(), ASSISTANT, { signal, query: { limit: 1 } }).then(
    () => true,
    (error: unknown) => (error as { status?: unknown } | null)?.status !== 404,
  )
}

const nothing = (): Promise<boolean> => Promise.resolve(false)

/**
 * Until the host has answered nothing is known; a host that names no methods counts as one that has all.
 * `version` changes when plugins come or go, and then it is read again; the rail, which is always there, gives it.
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
    // The first version is told beside the first answer, whichever comes first.
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
    }),
    [data, off],
  )
}
