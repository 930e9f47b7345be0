import { host } from '../app/host.js'

type AnyRpc = (
  type: string,
  params?: Readonly<Record<string, unknown>>,
  options?: { readonly signal?: AbortSignal },
) => Promise<unknown>

/** Calls an RPC method. The type of the answer is not checked. */
export function call<R>(
  type: string,
  params: Readonly<Record<string, unknown>> = {},
  signal?: AbortSignal,
): Promise<R> {
  const client = host()
  return (client.rpc as unknown as AnyRpc).call(client, type, params, signal ? { signal } : {}) as Promise<R>
}
