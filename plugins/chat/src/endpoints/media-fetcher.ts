import { messageOf, type BaseContext } from '@mynah/kernel'
import { TimeoutError, withTimeout } from '@mynah/kernel/util'
import { isWireError, WireError } from '@mynah/contract'
import type { Segment } from '@mynah/contract/types'
import type { Bot, FetchLimits } from '../api/adapter.js'
import type { Endpoints } from './endpoints.js'

/** Time for one fetch, including the wait for an endpoint that is offline, ms. */
const TIMEOUT_MS = 30_000

type FetchingBot = Bot & Required<Pick<Bot, 'fetchMedia'>>

/** Fetches the bytes of inbound media from the endpoint that received them: only that can resolve its ids. */
export class MediaFetcher {
  readonly #ctx: BaseContext<unknown>
  readonly #endpoints: Endpoints
  /** Callbacks of fetches that wait for an endpoint. */
  readonly #waiting = new Set<() => void>()

  constructor(ctx: BaseContext<unknown>, endpoints: Endpoints) {
    this.#ctx = ctx
    this.#endpoints = endpoints
    endpoints.changed.add(({ status }) => {
      if (status === 'online') for (const retry of this.#waiting) retry()
    })
  }

  /** See `Chat.fetchMedia`. */
  async fetch(adapter: string, id: string, segment: Segment, { maxBytes, signal }: FetchLimits): Promise<Uint8Array> {
    try {
      // Returns on time even if the adapter ignores its signal.
      return await withTimeout(
        this.#ctx.clock,
        TIMEOUT_MS,
        (until) => this.#fetch(adapter, id, segment, { maxBytes, signal: until }),
        { parent: signal },
      )
    } catch (error) {
      if (signal.aborted || !(error instanceof TimeoutError)) throw error
      throw new WireError('upstream_unavailable', `"${id}" did not return the media within ${TIMEOUT_MS / 1000} s`)
    }
  }

  async #fetch(adapter: string, id: string, segment: Segment, limits: FetchLimits): Promise<Uint8Array> {
    const bot = await this.#onlineBot(adapter, id, limits.signal)
    let bytes: unknown
    try {
      bytes = await bot.fetchMedia(segment, limits)
    } catch (error) {
      if (isWireError(error)) throw error
      // A platform's message may contain an address with a token. The log redacts it; the caller does not get it.
      this.#ctx.log.debug(`failed to fetch media: ${messageOf(error)}`, { adapter, endpoint: id })
      throw new WireError('upstream_unavailable', `The platform of "${id}" did not return the media`)
    }
    if (!(bytes instanceof Uint8Array))
      throw new WireError('upstream_unavailable', `The adapter of "${id}" returned no bytes`)
    if (bytes.length > limits.maxBytes)
      throw new WireError('too_large', `The media file is larger than ${limits.maxBytes} bytes`)
    return bytes
  }

  /** Resolves when the endpoint is online: after a start, messages are handled before every endpoint is. */
  async #onlineBot(adapter: string, id: string, signal: AbortSignal): Promise<FetchingBot> {
    for (;;) {
      const endpoint = this.#endpoints.isExpected(adapter, id) ? undefined : this.#endpoints.get(adapter, id)
      const bot = endpoint?.bot
      if (bot && !bot.fetchMedia) throw new WireError('unsupported', `The platform of "${id}" cannot return media`)
      if (endpoint?.status === 'online' && bot) return bot as FetchingBot
      signal.throwIfAborted()
      await new Promise<void>((resolve) => {
        const retry = (): void => {
          this.#waiting.delete(retry)
          signal.removeEventListener('abort', retry)
          resolve()
        }
        this.#waiting.add(retry)
        signal.addEventListener('abort', retry, { once: true })
      })
    }
  }
}
