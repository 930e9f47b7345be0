// The types of calls and results, derived from contracts. Nothing of this exists at run time.
import type * as contract from '@mynah/contract'
import type {
  Contract,
  EventData,
  RestInput,
  RestOperation,
  RestOutput,
  RpcInput,
  RpcMethod,
  RpcOutput,
  StreamEvent,
} from '@mynah/contract/types'
import type { CoreNested, CoreOutside } from './operation-rules.js'

type Exported = typeof contract
/** All areas of the contract, found by their shape, so that new ones need no entry here. */
type Areas = {
  [K in keyof Exported]: Exported[K] extends { readonly rest: object } | { readonly rpc: object } ? Exported[K] : never
}[keyof Exported]
type Part<C, K extends keyof Contract> = C extends { readonly [P in K]: infer M } ? M : never
type All<U> = (U extends unknown ? (each: U) => void : never) extends (each: infer I) => void ? I : never

/** Operations, methods and events by their address. */
export interface Wire {
  readonly rest: object
  readonly rpc: object
  readonly events: object
}

/** The interface of a host without third-party plugins. */
export interface CoreWire extends Wire {
  readonly rest: All<Part<Areas, 'rest'>>
  readonly rpc: All<Part<Areas, 'rpc'>>
  readonly events: All<Part<Areas, 'events'>>
}

/** A wire with the contract of a plugin added. */
export interface WireWith<W extends Wire, C extends Contract> extends Wire {
  readonly rest: W['rest'] & (C extends { readonly rest: infer M extends object } ? M : unknown)
  readonly rpc: W['rpc'] & (C extends { readonly rpc: infer M extends object } ? M : unknown)
  readonly events: W['events'] & (C extends { readonly events: infer M extends object } ? M : unknown)
}

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** Timeout in milliseconds; default: that of the client. The call rejects with a `NetworkError` then. */
  readonly timeout?: number
}

type Field<N extends string, T> = {} extends T ? { readonly [K in N]?: T } : { readonly [K in N]: T }
// Separate from the tests of single fields, which together would turn optional input into never.
type Handled<O> = O extends RestOperation ? RestInput<O> : never
type Given<O, N extends 'params' | 'query' | 'body', T> = O extends { readonly [K in N]: object }
  ? Field<N, T>
  : unknown
type Input<O> = Given<O, 'params', Handled<O>['params']> &
  Given<O, 'query', Handled<O>['query']> &
  Given<O, 'body', Handled<O>['body']>

/** Addresses of the operations with one response. The event stream is `client.events`. */
export type Operations<W extends Wire> = {
  [K in keyof W['rest'] & string]: W['rest'][K] extends { readonly raw: `text/event-stream${string}` } ? never : K
}[keyof W['rest'] & string]
/** Arguments of an operation after its address, optional when none is required. */
export type RestArguments<O> = {} extends Input<O> ? [input?: Input<O> & CallOptions] : [input: Input<O> & CallOptions]
/** The result of an operation: `data`, the whole reply, or the text of a raw response. */
export type RestResult<O> = O extends { readonly raw: `application/json${string}` }
  ? unknown
  : O extends { readonly raw: string }
    ? string
    : O extends RestOperation
      ? RestOutput<O>
      : never

/** The types of the RPC methods of a contract. */
export type Methods<W extends Wire> = keyof W['rpc'] & string
type ParametersOf<M> = M extends RpcMethod ? RpcInput<M> : never
/** Arguments of a method after its type, optional when no parameter is required. */
export type RpcArguments<M> = M extends { readonly params: object }
  ? {} extends ParametersOf<M>
    ? [params?: ParametersOf<M>, options?: CallOptions]
    : [params: ParametersOf<M>, options?: CallOptions]
  : [params?: Record<string, never>, options?: CallOptions]
/** The result of a method. */
export type RpcResult<M> = M extends RpcMethod ? RpcOutput<M> : never

/** The payload of an event. */
export type EventPayload<E> = E extends StreamEvent ? EventData<E> : never

type Flags<N extends string, K extends string> = [K] extends [never]
  ? unknown
  : { readonly [P in N]: Readonly<Record<K, true>> }
type KeysOf<M, Test> = { [K in keyof M & string]: M[K] extends Test ? K : never }[keyof M & string]

/**
 * Facts of a contract that the client cannot know at run time without its schemas. The type requires exactly what is
 * needed, which for most contracts is nothing.
 */
export type Hints<C extends Contract> = (C extends { readonly rpc: infer M }
  ? Flags<'nested', Exclude<KeysOf<M, { readonly nested: true }>, CoreNested>>
  : unknown) &
  (C extends { readonly rest: infer M }
    ? Flags<'outside', Exclude<KeysOf<M, { readonly scope: 'public' | 'webhook' }>, CoreOutside>>
    : unknown) &
  (C extends { readonly rest: infer M } ? Flags<'whole', KeysOf<M, { readonly reply: object }>> : unknown)
