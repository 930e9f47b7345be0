// What a client may call and what it gets, derived from contracts as types; nothing of this exists at run time.
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
/** Every area of the contract, found by its shape, so that a new one is known at once. */
type Areas = {
  [K in keyof Exported]: Exported[K] extends { readonly rest: object } | { readonly rpc: object } ? Exported[K] : never
}[keyof Exported]
type Part<C, K extends keyof Contract> = C extends { readonly [P in K]: infer M } ? M : never
type All<U> = (U extends unknown ? (each: U) => void : never) extends (each: infer I) => void ? I : never

/** The three maps of a wire: operations, methods and events by their address. */
export interface Wire {
  readonly rest: object
  readonly rpc: object
  readonly events: object
}

/** Everything that hosts speak without plugins from outside. */
export interface CoreWire extends Wire {
  readonly rest: All<Part<Areas, 'rest'>>
  readonly rpc: All<Part<Areas, 'rpc'>>
  readonly events: All<Part<Areas, 'events'>>
}

/** A wire together with what a plugin's contract adds to it. */
export interface WireWith<W extends Wire, C extends Contract> extends Wire {
  readonly rest: W['rest'] & (C extends { readonly rest: infer M extends object } ? M : unknown)
  readonly rpc: W['rpc'] & (C extends { readonly rpc: infer M extends object } ? M : unknown)
  readonly events: W['events'] & (C extends { readonly events: infer M extends object } ? M : unknown)
}

/** What every call takes besides its input. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** Milliseconds until the call fails with a `NetworkError` of reason `timeout`; the client's own default otherwise. */
  readonly timeout?: number
}

type Field<N extends string, T> = {} extends T ? { readonly [K in N]?: T } : { readonly [K in N]: T }
// Narrowed apart from the tests on single fields: together they would turn optional input into never.
type Handled<O> = O extends RestOperation ? RestInput<O> : never
type Given<O, N extends 'params' | 'query' | 'body', T> = O extends { readonly [K in N]: object }
  ? Field<N, T>
  : unknown
type Input<O> = Given<O, 'params', Handled<O>['params']> &
  Given<O, 'query', Handled<O>['query']> &
  Given<O, 'body', Handled<O>['body']>

/** Addresses of the operations that answer once; the event stream is at `client.events`. */
export type Operations<W extends Wire> = {
  [K in keyof W['rest'] & string]: W['rest'][K] extends { readonly raw: `text/event-stream${string}` } ? never : K
}[keyof W['rest'] & string]
/** Arguments of an operation after its address; optional where nothing in them is required. */
export type RestArguments<O> = {} extends Input<O> ? [input?: Input<O> & CallOptions] : [input: Input<O> & CallOptions]
/** What an operation gives: `data`, the whole reply, or the text of a raw one. */
export type RestResult<O> = O extends { readonly raw: `application/json${string}` }
  ? unknown
  : O extends { readonly raw: string }
    ? string
    : O extends RestOperation
      ? RestOutput<O>
      : never

export type Methods<W extends Wire> = keyof W['rpc'] & string
type ParametersOf<M> = M extends RpcMethod ? RpcInput<M> : never
/** Arguments of a method after its type; optional where no parameter is required. */
export type RpcArguments<M> = M extends { readonly params: object }
  ? {} extends ParametersOf<M>
    ? [params?: ParametersOf<M>, options?: CallOptions]
    : [params: ParametersOf<M>, options?: CallOptions]
  : [params?: Record<string, never>, options?: CallOptions]
/** What a method gives. */
export type RpcResult<M> = M extends RpcMethod ? RpcOutput<M> : never

/** Payload of an event. */
export type EventPayload<E> = E extends StreamEvent ? EventData<E> : never

type Flags<N extends string, K extends string> = [K] extends [never]
  ? unknown
  : { readonly [P in N]: Readonly<Record<K, true>> }
type KeysOf<M, Test> = { [K in keyof M & string]: M[K] extends Test ? K : never }[keyof M & string]

/**
 * What the types of a contract say and its absent schemas cannot at run time. The type asks for exactly what is needed,
 * which for most contracts is nothing.
 */
export type Hints<C extends Contract> = (C extends { readonly rpc: infer M }
  ? Flags<'nested', Exclude<KeysOf<M, { readonly nested: true }>, CoreNested>>
  : unknown) &
  (C extends { readonly rest: infer M }
    ? Flags<'outside', Exclude<KeysOf<M, { readonly scope: 'public' | 'webhook' }>, CoreOutside>>
    : unknown) &
  (C extends { readonly rest: infer M } ? Flags<'whole', KeysOf<M, { readonly reply: object }>> : unknown)
