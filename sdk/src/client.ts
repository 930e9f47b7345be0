import type { Contract } from '@mynah/contract/types'
import { fillPath, normalizeBase, queryString, splitOperation } from './address.js'
import { systemClock, type Clock } from './clock.js'
import { defaultStorage, type ConnectionStorage } from './connection.js'
import type {
  CallOptions,
  CoreWire,
  Hints,
  Methods,
  Operations,
  RestArguments,
  RestResult,
  RpcArguments,
  RpcResult,
  Wire,
  WireWith,
} from './contract-types.js'
import { isRecord, NetworkError } from './errors.js'
import { Events, type EventStream } from './events.js'
import { Http } from './http.js'
import type { Fetch } from './obstacle.js'
import { OperationRules } from './operation-rules.js'

const TIMEOUT_MS = 30_000

/** Options of a client. */
export interface ClientOptions {
  /** Address of the host, without the management prefix. */
  readonly base: string
  readonly token?: string | undefined
  readonly fetch?: Fetch
  /** Where a rejected token is removed; default: the local storage of the page. */
  readonly storage?: ConnectionStorage
  /** Time that a call may take, in milliseconds; default 30,000. */
  readonly timeout?: number
  readonly clock?: Clock
}

/** A client of a host. Contracts type its operations, methods and events. */
export interface Client<W extends Wire = CoreWire> {
  readonly base: string
  /** Undefined after the host has rejected it. */
  readonly token: string | undefined
  readonly events: EventStream<W>
  /**
   * Calls an operation. Resolves to its `data`, or to the whole reply when it has no envelope.
   *
   * @throws HostError when the host reports an error
   * @throws NetworkError when there is no valid response
   * @throws the reason of the signal when it is aborted
   * @example const plugin = await client.rest('GET /plugins/:name', { params: { name: 'chat' } })
   */
  rest<K extends Operations<W>>(operation: K, ...input: RestArguments<W['rest'][K]>): Promise<RestResult<W['rest'][K]>>
  /**
   * Calls an RPC method. Resolves to its result, and rejects like {@link Client.rest}.
   *
   * @example const { rows } = await client.rpc('db:select', { table: 'notes', page: 2 })
   */
  rpc<K extends Methods<W>>(type: K, ...input: RpcArguments<W['rpc'][K]>): Promise<RpcResult<W['rpc'][K]>>
  /**
   * Returns this client with the contract of a plugin added to its types.
   *
   * @example const greeter = client.with<typeof import('./contract.js').greeter>()
   */
  with<C extends Contract>(...hints: {} extends Hints<C> ? [] : [hints: Hints<C>]): Client<WireWith<W, C>>
  /** Returns the full address of an operation, to show or to copy. */
  url<K extends Operations<W>>(operation: K, ...input: RestArguments<W['rest'][K]>): Promise<string>
  /** Ends the event stream. Calls still work. */
  close(): void
}

interface Input extends CallOptions {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

class HostClient {
  readonly events: Events
  readonly #http: Http
  readonly #rules: OperationRules
  readonly #counter: { requestId: number }

  constructor(http: Http, rules: OperationRules, events: Events, counter: { requestId: number }) {
    this.#http = http
    this.#rules = rules
    this.events = events
    this.#counter = counter
  }

  get base(): string {
    return this.#http.base
  }

  get token(): string | undefined {
    return this.#http.token
  }

  async rest(operation: string, input: Input = {}): Promise<unknown> {
    const { method, path } = splitOperation(operation)
    const body = await this.#http.send({
      ...input,
      method,
      path: fillPath(path, input.params) + queryString(input.query),
      secured: !this.#rules.outside(operation),
    })
    const enveloped = isRecord(body) && body['success'] === true && !this.#rules.whole(operation)
    return enveloped ? body['data'] : body
  }

  async rpc(type: string, params: Readonly<Record<string, unknown>> = {}, options: CallOptions = {}): Promise<unknown> {
    const requestId = ++this.#counter.requestId
    const envelope = { type, requestId }
    const body = this.#rules.nested(type) ? { ...envelope, data: params } : { ...params, ...envelope }
    const reply = await this.#http.send({ ...options, method: 'POST', path: '/console/request', secured: true, body })
    if (
      !isRecord(reply) ||
      reply['success'] !== true ||
      (reply['requestId'] !== undefined && reply['requestId'] !== requestId)
    ) {
      throw new NetworkError('bad-response', `The response to ${type} does not belong to it`)
    }
    return reply['data']
  }

  with(hints: ConstructorParameters<typeof OperationRules>[0] = {}): HostClient {
    return new HostClient(this.#http, this.#rules.with(hints), this.events, this.#counter)
  }

  async url(operation: string, input: Input = {}): Promise<string> {
    const prefix = this.#rules.outside(operation) ? '' : await this.#http.prefix()
    return this.base + prefix + fillPath(splitOperation(operation).path, input.params) + queryString(input.query)
  }

  close(): void {
    this.events.close()
  }
}

/**
 * Creates a client. It sends nothing before the first call or listener.
 *
 * @throws TypeError when `base` is no base address
 */
export function createClient(options: ClientOptions): Client {
  const http = new Http({
    base: normalizeBase(options.base),
    token: options.token,
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    storage: options.storage ?? defaultStorage(),
    timeout: options.timeout ?? TIMEOUT_MS,
    clock: options.clock ?? systemClock,
  })
  return new HostClient(http, new OperationRules(), new Events(http), { requestId: 0 }) as unknown as Client
}
