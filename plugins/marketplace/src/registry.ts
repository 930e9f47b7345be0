// Talking to an npm registry: few requests at once, each bounded in time and size, answers kept for five minutes.
import { isWireError, WireError } from '@mynah/contract'
import { messageOf, type Clock } from '@mynah/kernel'
import { Cache } from './cache.js'
import { Queue } from './queue.js'
import { readParts, TooLarge, type Parts } from './stream.js'

const FRESH_MS = 300_000
const TIMEOUT_MS = 10_000
const CACHE_BYTES = 16 * 1024 * 1024

class TimedOut extends Error {}
/** Nobody waits for the answer any more. */
class Abandoned extends Error {}

/** What a registry said, and whether it is the last good answer of one that no longer answers. */
export interface Said<T> {
  readonly value: T
  readonly stale: boolean
}

/** Thrown where the registry has no such document. */
export class Missing extends Error {}

/** A resource of the registry; `reader` makes what is kept of its answer, which may be thousands of times larger. */
export interface Resource<T> {
  readonly path: string
  /** Bytes that its answer may have. */
  readonly limit: number
  readonly reader: () => Parts & { readonly done: () => T }
}

/** One question, and how many wait for its answer. */
interface Asking {
  readonly answer: Promise<unknown>
  readonly controller: AbortController
  waiting: number
}

export class Registry {
  readonly #base: string | undefined
  readonly #clock: Clock
  readonly #signal: AbortSignal
  readonly #answers = new Cache(CACHE_BYTES)
  readonly #asking = new Map<string, Asking>()
  readonly #queue: Queue

  constructor(base: string | undefined, clock: Clock, signal: AbortSignal) {
    let end = base?.length ?? 0
    while (base?.[end - 1] === '/') end--
    this.#base = base?.slice(0, end)
    this.#clock = clock
    this.#signal = signal
    this.#queue = new Queue(clock)
  }

  /**
   * A resource, from the cache where it is fresh. A path is always read in the same way. Whoever has gone is not asked for.
   *
   * @throws Missing; WireError `not_ready` where too many ask, `upstream_unavailable` where the registry does not answer.
   */
  async get<T>(resource: Resource<T>, caller: AbortSignal): Promise<Said<T>> {
    if (this.#base === undefined)
      throw new WireError('upstream_unavailable', 'No plugin registry is configured: set marketplace.registry')
    const known = this.#answers.get(resource.path)
    if (known && this.#clock.now() - known.at < FRESH_MS) return { value: known.value as T, stale: false }
    try {
      return { value: await this.#together(this.#base, resource, caller), stale: false }
    } catch (error) {
      if (error instanceof Missing) throw error
      if (known) return { value: known.value as T, stale: true }
      if (isWireError(error)) throw error
      throw new WireError('upstream_unavailable', `The plugin registry did not answer: ${reason(error)}`, {
        cause: error,
      })
    }
  }

  /** One question for all who ask the same; it is given up when the last of them has gone. */
  async #together<T>(base: string, resource: Resource<T>, caller: AbortSignal): Promise<T> {
    let asking = this.#asking.get(resource.path)
    if (!asking) {
      const controller = new AbortController()
      const answer = this.#ask(base, resource, AbortSignal.any([controller.signal, this.#signal])).finally(() => {
        if (this.#asking.get(resource.path)?.controller === controller) this.#asking.delete(resource.path)
      })
      // Those who wait hear of a failure; where nobody does any more, nobody needs to.
      answer.catch(() => undefined)
      this.#asking.set(resource.path, (asking = { answer, controller, waiting: 0 }))
    }
    const mine = asking
    mine.waiting++
    let gone = (): void => {}
    try {
      const abandoned = new Promise<never>((_, reject) => {
        gone = () => reject(new Abandoned('the caller has gone'))
        if (caller.aborted) gone()
        else caller.addEventListener('abort', gone, { once: true })
      })
      return await Promise.race([mine.answer as Promise<T>, abandoned])
    } finally {
      caller.removeEventListener('abort', gone)
      if (--mine.waiting === 0) {
        if (this.#asking.get(resource.path) === mine) this.#asking.delete(resource.path)
        mine.controller.abort(new Abandoned('all callers have gone'))
      }
    }
  }

  async #ask<T>(base: string, { path, limit, reader }: Resource<T>, signal: AbortSignal): Promise<T> {
    await this.#queue.enter(signal)
    const patience = new AbortController()
    const cancel = this.#clock.setTimeout(() => patience.abort(new TimedOut()), TIMEOUT_MS)
    try {
      const response = await fetch(base + path, {
        headers: { accept: 'application/json' },
        signal: AbortSignal.any([patience.signal, signal]),
      })
      if (!response.ok) {
        void response.body?.cancel().catch(() => undefined)
        throw response.status === 404 ? new Missing(path) : new Error(`it answered with status ${response.status}`)
      }
      const { done, ...parts } = reader()
      // By its own clock too: a broken compression can leave a body that neither ends nor fails.
      const late = new Promise<never>((_, reject) =>
        patience.signal.addEventListener('abort', () => reject(new TimedOut()), { once: true }),
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
  if (error instanceof TimedOut) return `no answer within ${TIMEOUT_MS / 1000} s`
  // The cause of a failed fetch holds addresses: only its code is told.
  const code = (error as { cause?: { code?: unknown } } | undefined)?.cause?.code
  if (typeof code === 'string') return code
  return error instanceof SyntaxError
    ? 'its answer is not JSON'
    : error instanceof TooLarge || error instanceof Error
      ? messageOf(error)
      : 'unknown reason'
}
