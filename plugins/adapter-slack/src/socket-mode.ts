import { toError, type Clock } from '@mynah/kernel'
import { ConfigurationError } from './errors.js'
import { Link, type Envelope } from './link.js'

/** Time that Slack has to close a connection that was replaced, ms. */
const OVERLAP_MS = 30_000

export interface SocketModeOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Returns the address of a new connection. */
  readonly address: () => Promise<string>
  /** Called once, before anything is delivered. */
  readonly onOpen: () => void
  readonly onEnvelope: (envelope: Envelope) => Promise<void>
  readonly onLost: (reason: Error) => void
}

/**
 * Socket Mode. Slack asks for a new connection every few hours: the next one opens while the last still delivers, so
 * that there is no gap.
 */
export class SocketMode {
  readonly #options: SocketModeOptions
  readonly #links = new Set<Link>()
  readonly #timers = new Set<() => void>()
  #current: Link | undefined
  /** Ends the attempt to connect. */
  #reject: ((error: Error) => void) | undefined
  #isReplacing = false
  #isEnded = false

  private constructor(options: SocketModeOptions) {
    this.#options = options
    options.signal.addEventListener('abort', this.#abort, { once: true })
  }

  /** Resolves when Slack has greeted. */
  static async open(options: SocketModeOptions): Promise<SocketMode> {
    const mode = new SocketMode(options)
    try {
      mode.#current = await mode.#connect(options.onOpen)
      return mode
    } catch (error) {
      await mode.close()
      throw error
    }
  }

  async close(): Promise<void> {
    this.#isEnded = true
    this.#options.signal.removeEventListener('abort', this.#abort)
    for (const cancel of this.#timers) cancel()
    await Promise.all(Array.from(this.#links, (link) => link.close()))
  }

  readonly #abort = (): void => {
    this.#isEnded = true
    for (const link of this.#links) void link.close()
    this.#reject?.(new Error('disconnected while connecting'))
  }

  async #connect(onOpen = (): void => {}): Promise<Link> {
    const { clock, address, onEnvelope, signal } = this.#options
    const to = await address()
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      this.#reject = reject
      const link: Link = new Link(to, {
        clock,
        onEnvelope,
        onHello: () => {
          this.#reject = undefined
          onOpen()
          resolve(link)
        },
        onLeave: (reason) => this.#leave(link, reason),
        onEnd: (reason) => {
          this.#links.delete(link)
          reject(reason)
          // A connection that was replaced may end, and so may one whose successor is about to be there.
          if (link === this.#current && !this.#isReplacing) this.#lose(reason)
        },
      })
      this.#links.add(link)
    })
  }

  #leave(link: Link, reason: string): void {
    if (reason === 'link_disabled') {
      const error = new ConfigurationError(
        'Socket Mode is off (link_disabled): switch it on in the settings of the app',
      )
      this.#reject?.(error)
      this.#lose(error)
    } else if (link === this.#current && !this.#isReplacing) void this.#replace(link)
  }

  async #replace(last: Link): Promise<void> {
    this.#isReplacing = true
    try {
      this.#current = await this.#connect()
      const cancel = this.#options.clock.setTimeout(() => {
        this.#timers.delete(cancel)
        this.#links.delete(last)
        void last.close()
      }, OVERLAP_MS)
      this.#timers.add(cancel)
    } catch (error) {
      this.#lose(toError(error))
    } finally {
      this.#isReplacing = false
    }
  }

  #lose(reason: Error): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#options.onLost(reason)
  }
}
