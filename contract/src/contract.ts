// How the wire is declared: REST operations, RPC methods and stream events as data, keyed by their address.
import type { Static, TObject, TSchema } from 'typebox'
import type { BaseCode } from './codes.js'

/**
 * Who may call: `public` anyone; `demo` tokens of demo or full scope; `full` tokens of full scope;
 * `webhook` anyone, since the platform's signature is checked by the handler. `public` and `webhook` paths are
 * absolute, the others stand below the management prefix.
 */
export type Scope = 'public' | 'demo' | 'full' | 'webhook'

/** A REST operation, declared under `'<METHOD> <path>'`, with path parameters written `:name` and a rest as `*name`. */
export interface RestOperation {
  readonly summary: string
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** What stands in `data` of the success envelope. */
  readonly data?: TSchema
  /** The whole answer, where it has no envelope. */
  readonly reply?: TSchema
  /** The content type of an answer that the handler writes itself: streams, files, signed webhooks. */
  readonly raw?: string
  /** Default `full`. */
  readonly scope?: Scope
  /** Whether tokens of scope `monitor` may call it too; they may call nothing else. */
  readonly monitored?: true
  /** Codes that this operation adds to those every operation may answer. */
  readonly errors?: readonly BaseCode[]
  /** Status of success, default 200. */
  readonly status?: number
  /** Another status of success, with the same answer, and what it means. */
  readonly also?: { readonly status: number; readonly meaning: string }
}

/** An RPC method, declared under its `type`. */
export interface RpcMethod {
  readonly summary: string
  readonly params?: TObject
  readonly data: TSchema
  /** Default `full`. */
  readonly scope?: 'demo' | 'full'
  /** The parameters stand in the field `data` of the request, not at its top level. */
  readonly nested?: true
  readonly errors?: readonly BaseCode[]
}

/** An event of the stream, declared under its `type`. */
export interface StreamEvent {
  readonly summary: string
  readonly data: TSchema
}

export type RestOperations = Readonly<Record<string, RestOperation>>
export type RpcMethods = Readonly<Record<string, RpcMethod>>
export type StreamEvents = Readonly<Record<string, StreamEvent>>

/** A plugin's wire: any of the three maps. */
export interface Contract {
  readonly rest?: RestOperations
  readonly rpc?: RpcMethods
  readonly events?: StreamEvents
}

/**
 * Declares a contract; the value is returned as it came, its type kept exact so that handlers and clients are typed by it.
 *
 * @example
 * export const greeter = contract({
 *   rpc: { 'greeter:greet': { summary: 'Greets', params: Type.Object({ name: Type.String() }), data: Type.Object({ text: Type.String() }) } },
 * })
 */
export function contract<const C extends Contract>(declaration: C): C {
  return declaration
}

type StaticOf<S> = S extends TSchema ? Static<S> : Record<string, never>

/** What a handler of the operation receives. */
export interface RestInput<O extends RestOperation> {
  readonly params: StaticOf<O['params']>
  readonly query: StaticOf<O['query']>
  readonly body: O['body'] extends TSchema ? Static<O['body']> : undefined
}

/** What a handler of the operation returns: `data`, the whole `reply`, or nothing where it answers `raw`. */
export type RestOutput<O extends RestOperation> = O['raw'] extends string
  ? void
  : O['reply'] extends TSchema
    ? Static<O['reply']>
    : O['data'] extends TSchema
      ? Static<O['data']>
      : undefined

/** Parameters of an RPC method. */
export type RpcInput<M extends RpcMethod> = StaticOf<M['params']>
/** Result of an RPC method. */
export type RpcOutput<M extends RpcMethod> = Static<M['data']>
/** Payload of a stream event. */
export type EventData<E extends StreamEvent> = Static<E['data']>
