import { isWireError, WireError } from '@mynah/contract'
import { messageOf, type Clock } from '@mynah/kernel'
import { ByteCache } from './byte-cache.js'
import { RequestQueue } from './request-queue.js'
import { readParts, type Parts } from './json-stream.js'

const FRESH_MS = 300_000
const TIMEOUT_MS = 10_000
const CACHE_BYTES = 16 * 1024 * 1024

class RegistryTimeout extends Error {}
/** All callers have disconnected. */
class AbandonedError extends Error {}

/** An answer of the registry. `stale` is true for a cached answer while the registry is unavailable. */
export interface RegistryAnswer<T> {
  readonly value: T
  readonly stale: boolean
}

/** Thrown when the registry does not have a document. */
export class NotFoundError extends Error {}

/** A resource of the registry. `reader` extracts what is cached, because an answer may be thousands of times larger. */
export interface Resource<T> {
  readonly path: string
  /** Maximum bytes of its answer. */
  readonly limit: number
  readonly reader: () => Parts & { readonly done: () => T }
}

/** A running request and the number of its callers. */
interface PendingRequest {
  readonly answer: Promise<unknown>
  readonly controller: AbortController
  waiting: number
}

/** Client of an npm registry. Limits the number, time and size of requests, and caches answers for five minutes. */
export class Registry {
  readonly #base: string | undefined
  readonly #clock: Clock
  readonly #signal: AbortSignal
  readonly #answers = new ByteCache(CACHE_BYTES)
  readonly #pending = new Map<string, PendingRequest>()
  readonly #queue: RequestQueue

  constructor(base: string | undefined, clock: Clock, signal: AbortSignal) {
    let end = base?.length ?? 0
    while (base?.[end - 1] === '/') end--
    this.#base = base?.slice(0, end)
    this.#clock = clock
    this.#signal = signal
    this.#queue = new RequestQueue(clock)
  }

  /**
   * Returns a resource, from the cache if it is fresh. A request is cancelled when all of its callers have
   * disconnected.
   *
   * @throws NotFoundError; WireError `not_ready` for too many requests; WireError `upstream_unavailable`
   */
  async get<T>(resource: Resource<T>, caller: AbortSignal): Promise<RegistryAnswer<T>> {
    if (this.#base === undefined)
      throw new WireError('upstream_unavailable', 'No plugin registry is configured: set marketplace.registry')
    const known = this.#answers.get(resource.path)
    if (known && this.#clock.now() - known.at < FRESH_MS) return { value: known.value as T, stale: false }
    try {
      return { value: await this.#getShared(this.#base, resource, caller), stale: false }
    } catch (error) {
      if (error instanceof NotFoundError) throw error
      if (known) return { value: known.value as T, stale: true }
      if (isWireError(error)) throw error
      throw new WireError('upstream_unavailable', `The plugin registry did not answer: ${reason(error)}`, {
        cause: error,
      })
    }
  }

  /** Shares one request among concurrent callers. Cancels it when the last of them has disconnected. */
  async #getShared<T>(base: string, resource: Resource<T>, caller: AbortSignal): Promise<T> {
    let asking = this.#pending.get(resource.path)
    if (!asking) {
      const controller = new AbortController()
      const answer = this.#request(base, resource, AbortSignal.any([controller.signal, this.#signal])).finally(() => {
        if (this.#pending.get(resource.path)?.controller === controller) this.#pending.delete(resource.path)
      })
      // Callers get the error from the shared promise. Without callers it must not be an unhandled rejection.
      answer.catch(() => undefined)
      this.#pending.set(resource.path, (asking = { answer, controller, waiting: 0 }))
    }
    const mine = asking
    mine.waiting++
    let gone = (): void => {}
    try {
      const abandoned = new Promise<never>((_, reject) => {
        gone = () => reject(new AbandonedError('the caller has disconnected'))
        if (caller.aborted) gone()
        else caller.addEventListener('abort', gone, { once: true })
      })
      return await Promise.race([mine.answer as Promise<T>, abandoned])
    } finally {
      caller.removeEventListener('abort', gone)
      if (--mine.waiting === 0) {
        if (this.#pending.get(resource.path) === mine) this.#pending.delete(resource.path)
        mine.controller.abort(new AbandonedError('all callers have disconnected'))
      }
    }
  }

  async #request<T>(base: string, { path, limit, reader }: Resource<T>, signal: AbortSignal): Promise<T> {
    await this.#queue.enter(signal)
    const patience = new AbortController()
    const cancel = this.#clock.setTimeout(() => patience.abort(new RegistryTimeout()), TIMEOUT_MS)
    try {
      const response = await fetch(base + path, {
        headers: { accept: 'application/json' },
        signal: AbortSignal.any([patience.signal, signal]),
      })
      if (!response.ok) {
        void response.body?.cancel().catch(() => undefined)
        throw response.status === 404
          ? new NotFoundError(path)
          : new Error(`it answered with status ${response.status}`)
      }
      const { done, ...parts } = reader()
      // Also limits reading, because broken compression can leave a body that neither ends nor fails.
      const late = new Promise<never>((_, reject) =>
        patience.signal.addEventListener('abort', () => reject(new RegistryTimeout()), { once: true }),
      )
      await Promise.race([readParts(response, parts, limit), late])
      const value = done()
      this.#answers.set(path, value, this.#clock.now())
      return value
    } finally {
      cancel()
      this.#queue.leave()
    }
  }
}

function reason(error: unknown): string {
  if (error instanceof RegistryTimeout) return `no answer within ${TIMEOUT_MS / 1000} s`
  // The cause of a failed fetch contains addresses, so only its code is shown.
  const code = (error as { cause?: { code?: unknown } } | undefined)?.cause?.code
  if (typeof code === 'string') return code
  if (error instanceof SyntaxError) return 'its answer is not JSON'
  return error instanceof Error ? messageOf(error) : 'unknown reason'
}
