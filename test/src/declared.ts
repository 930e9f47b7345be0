import * as contract from '@mynah/contract'
import type { Contract, RestOperation, RpcMethod, StreamEvent } from '@mynah/contract'

/** Without that of hosts that share a database: the hosts of these tests are alone. */
const areas = Object.values<unknown>(contract).filter(
  (value): value is Contract =>
    typeof value === 'object' && value !== null && ('rest' in value || 'rpc' in value) && value !== contract.cluster,
)

export const operations = new Map<string, RestOperation>(areas.flatMap(({ rest }) => Object.entries(rest ?? {})))
export const methods = new Map<string, RpcMethod>(areas.flatMap(({ rpc }) => Object.entries(rpc ?? {})))
export const events = new Map<string, StreamEvent>(areas.flatMap((area) => Object.entries(area.events ?? {})))

/** Returns the path of an operation on the wire; parameters that are not given become `x`. */
export function pathOf(key: string, { scope }: RestOperation, params: Readonly<Record<string, string>> = {}): string {
  const path = (key.split(' ')[1] as string).replaceAll(/([:*])(\w+)/g, (_, kind: string, name: string) =>
    kind === '*' ? (params[name] ?? 'x') : encodeURIComponent(params[name] ?? 'x'),
  )
  return scope === 'public' || scope === 'webhook' ? path : `/api${path}`
}

export const verbOf = (key: string): string => key.split(' ')[0] as string
