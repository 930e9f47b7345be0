import { point } from '@mynah/kernel'
import type { RpcInput, RpcMethod, RpcMethods, RpcOutput } from '@mynah/contract'
import type { Call } from '@mynah/plugin-http-core/api'

type Awaitable<T> = T | Promise<T>

/** A method with its handler. */
export interface BoundMethod {
  readonly type: string
  readonly declaration: RpcMethod
  readonly handler: (params: Record<string, unknown>, call: Call) => Awaitable<unknown>
  /**
   * Returns the place, or the owner of the work, that a call is about. In a cluster the host that has it runs the
   * method. The parameters are not checked yet.
   */
  readonly place?: (params: Readonly<Record<string, unknown>>) => Awaitable<string | undefined>
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
 * @param options.place says which host of a cluster runs a call; default: the one that got it
 * @example ctx.contribute(rpcMethods, method(greeter.rpc, 'greeter:greet', ({ name }) => greet(name)))
 */
export function method<M extends RpcMethods, K extends keyof M & string>(
  methods: M,
  type: K,
  handler: (params: RpcInput<M[K]>, call: Call) => Awaitable<RpcOutput<M[K]>>,
  { place }: Pick<BoundMethod, 'place'> = {},
): BoundMethod {
  return {
    type,
    declaration: methods[type] as RpcMethod,
    handler: handler as unknown as BoundMethod['handler'],
    ...(place ? { place } : {}),
  }
}
