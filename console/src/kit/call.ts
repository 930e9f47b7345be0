// Calls of methods whose contract the console has no types for yet; each page says in its `wire.ts` what it expects.
import { host } from '../app/host.js'

type AnyRpc = (
  type: string,
  params?: Readonly<Record<string, unknown>>,
  options?: { readonly signal?: AbortSignal },
) => Promise<unknown>

/** Calls `type` and takes the answer for `R`. */
export function call<R>(
  type: string,
  params: Readonly<Record<string, unknown>> = {},
  signal?: AbortSignal,
): Promise<R> {
  const client = host()
  return (client.rpc as unknown as AnyRpc).call(client, type, params, signal ? { signal } : {}) as Promise<R>
}
