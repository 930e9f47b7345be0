// The bytes behind what came in: asked of the account that handed it over, since only that can resolve its own names.
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { isWireError, WireError } from '@mynah/contract'
import type { Segment } from '@mynah/contract/types'
import type { Bot, FetchLimits } from '../api/adapter.js'
import type { Endpoint } from './endpoint.js'

/** From the question to the last byte, waiting for an account that is away included, ms. */
const PATIENCE_MS = 30_000

interface Deps {
  /** The account, `undefined` while it is still to be made; throws where there is none. */
  readonly find: (adapter: string, id: string) => Endpoint | undefined
  readonly clock: Clock
  readonly log: Logger
}

export class MediaFetcher {
  readonly #deps: Deps
  readonly #waiting = new Set<() => void>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** An account came online: who waited looks again. */
  online(): void {
    for (const look of this.#waiting) look()
  }

  async fetch(adapter: string, id: string, segment: Segment, { maxBytes, signal }: FetchLimits): Promise<Uint8Array> {
    const limit = new AbortController()
    const cancel = this.#deps.clock.setTimeout(
      () =>
        limit.abort(
          new WireError('upstream_unavailable', `"${id}" did not give the medium within ${PATIENCE_MS / 1000} s`),
        ),
      PATIENCE_MS,
    )
    const until = AbortSignal.any([signal, limit.signal])
    try {
      // Raced: an adapter may forget its signal.
      return await Promise.race([aborted(until), this.#fetch(adapter, id, segment, { maxBytes, signal: until })])
    } finally {
      cancel()
      // Whoever waits for an account that never comes is let go.
      limit.abort()
    }
  }

  async #fetch(adapter: string, id: string, segment: Segment, limits: FetchLimits): Promise<Uint8Array> {
    const bot = await this.#online(adapter, id, limits.signal)
    let bytes: unknown
    try {
      bytes = await bot.fetchMedia(segment, limits)
    } catch (error) {
      if (isWireError(error)) throw error
      // What a platform says may hold an address, and that a token: the log takes it out, who asked is not told.
      this.#deps.log.debug(`a medium could not be fetched: ${messageOf(error)}`, { adapter, endpoint: id })
      throw new WireError('upstream_unavailable', `The platform of "${id}" did not give the medium`)
    }
    if (!(bytes instanceof Uint8Array))
      throw new WireError('upstream_unavailable', `The adapter of "${id}" gave no bytes`)
    if (bytes.length > limits.maxBytes)
      throw new WireError('too_large', `The medium is larger than ${limits.maxBytes} bytes`)
    return bytes
  }

  /** The account, once it is online: after a start, messages are gone on with before every account has come back. */
  async #online(adapter: string, id: string, signal: AbortSignal): Promise<Bot & Required<Pick<Bot, 'fetchMedia'>>> {
    for (;;) {
      const endpoint = this.#deps.find(adapter, id)
      const bot = endpoint?.bot
      if (bot && !bot.fetchMedia) throw new WireError('unsupported', `The platform of "${id}" gives no media`)
      if (endpoint?.status === 'online' && bot) return bot as Bot & Required<Pick<Bot, 'fetchMedia'>>
      signal.throwIfAborted()
      await new Promise<void>((resolve) => {
        const look = (): void => {
          this.#waiting.delete(look)
          signal.removeEventListener('abort', look)
          resolve()
        }
        this.#waiting.add(look)
        signal.addEventListener('abort', look, { once: true })
      })
    }
  }
}

/** Rejects with the reason of a signal. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(signal.reason as Error)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
