import type { Static, TObject, TSchema } from 'typebox'
import type { BaseCode } from './codes.js'

/**
 * Which callers are allowed.
 *
 * - `public`: all
 * - `demo`: tokens of demo or full scope
 * - `full`: tokens of full scope
 * - `webhook`: all, since the handler checks the signature of the platform
 *
 * `public` and `webhook` paths are absolute, all others are below the management prefix.
 */
export type Scope = 'public' | 'demo' | 'full' | 'webhook'

/** A REST operation. Its key is `'<METHOD> <path>'`, with path parameters `:name`, or `*name` for several segments. */
export interface RestOperation {
  readonly summary: string
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** The field `data` of the success envelope. */
  readonly data?: TSchema
  /** The whole response, if it has no envelope. */
  readonly reply?: TSchema
  /** The content type of a response that the handler writes itself: streams, files, signed webhooks. */
  readonly raw?: string
  /** Default `full`. */
  readonly scope?: Scope
  /** Whether tokens of scope `monitor` may call it too. They may call no other operation. */
  readonly monitored?: true
  /** Error codes of this operation, in addition to those of every operation. */
  readonly errors?: readonly BaseCode[]
  /** HTTP status of success; default 200. */
  readonly status?: number
  /** Another status of success with the same response, and its meaning. */
  readonly also?: { readonly status: number; readonly meaning: string }
}

/** An RPC method. Its key is its `type`. */
export interface RpcMethod {
  readonly summary: string
  readonly params?: TObject
  readonly data: TSchema
  /** Default `full`. */
  readonly scope?: 'demo' | 'full'
  /** The parameters are in the field `data` of the request, not at its top level. */
  readonly nested?: true
  /** It changes nothing, so a process that the host itself has started may call it, too. */
  readonly reads?: true
  readonly errors?: readonly BaseCode[]
}

/** An event of the stream. Its key is its `type`. */
export interface StreamEvent {
  readonly summary: string
  readonly data: TSchema
}

/** REST operations by method and path. */
export type RestOperations = Readonly<Record<string, RestOperation>>
/** RPC methods by type. */
export type RpcMethods = Readonly<Record<string, RpcMethod>>
/** Events of the stream by type. */
export type StreamEvents = Readonly<Record<string, StreamEvent>>

/** The interface of a plugin: any of the three maps. */
export interface Contract {
  readonly rest?: RestOperations
  readonly rpc?: RpcMethods
  readonly events?: StreamEvents
}

/**
 * Declares a contract. Returns the value unchanged, with its exact type, which types handlers and clients.
 *
 * @example
 * export const greeter = contract({
 *   rpc: {
 *     'greeter:greet': {
 *       summary: 'Greets',
 *       params: Type.Object({ name: Type.String() }),
 *       data: Type.Object({ text: Type.String() }),
 *     },
 *   },
 * })
 */
export function contract<const C extends Contract>(declaration: C): C {
  return declaration
}

type StaticOf<S> = S extends TSchema ? Static<S> : Record<string, never>

/** The input of a handler of the operation. */
export interface RestInput<O extends RestOperation> {
  readonly params: StaticOf<O['params']>
  readonly query: StaticOf<O['query']>
  readonly body: O['body'] extends TSchema ? Static<O['body']> : undefined
}

/** The result of a handler of the operation: `data`, the whole `reply`, or nothing when it writes a `raw` response. */
export type RestOutput<O extends RestOperation> = O['raw'] extends string
  ? void
  : O['reply'] extends TSchema
    ? Static<O['reply']>
    : O['data'] extends TSchema
      ? Static<O['data']>
      : undefined

/** The parameters of an RPC method. */
export type RpcInput<M extends RpcMethod> = StaticOf<M['params']>
/** The result of an RPC method. */
export type RpcOutput<M extends RpcMethod> = Static<M['data']>
/** The payload of a stream event. */
export type EventData<E extends StreamEvent> = Static<E['data']>
