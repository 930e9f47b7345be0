import { point } from '@mynah/kernel'
import type { RpcInput, RpcMethod, RpcMethods, RpcOutput } from '@mynah/contract'
import type { Call } from '@mynah/plugin-http-core/api'

type Awaitable<T> = T | Promise<T>

/** A method with its handler. */
export interface BoundMethod {
  readonly type: string
  readonly declaration: RpcMethod
  readonly handler: (params: Record<string, unknown>, call: Call) => Awaitable<unknown>
}

/** All RPC methods of a host. */
export const rpcMethods = point<BoundMethod>({
  id: 'rpc.methods',
  key: (method) => method.type,
  describe: (method) => ({ name: method.type, description: method.declaration.summary }),
})

/**
 * Returns a method that is bound to its handler.
 *
 * @example ctx.contribute(rpcMethods, method(greeter.rpc, 'greeter:greet', ({ name }) => greet(name)))
 */
export function method<M extends RpcMethods, K extends keyof M & string>(
  methods: M,
  type: K,
  handler: (params: RpcInput<M[K]>, call: Call) => Awaitable<RpcOutput<M[K]>>,
): BoundMethod {
  return { type, declaration: methods[type] as RpcMethod, handler: handler as unknown as BoundMethod['handler'] }
}
