import { isWireError, WireError } from '@mynah/contract'
import { isUnavailable, unavailableReason } from '../driver-errors.js'

const PROBE_MS = 1_000

/** Timers of the plugin, which end with it. */
interface Timers {
  setTimeout(callback: () => void, ms: number): () => void
}

/**
 * Availability of the database. A failure makes it unavailable at once; a successful probe makes it available again.
 */
export class Availability {
  readonly #timers: Timers
  readonly #probe: () => Promise<void>
  readonly #changed: (reason: string | undefined) => void
  #reason: string | undefined
  #closed = false
  #cancel: (() => void) | undefined

  /**
   * @param probe writes a small row; resolves if writing works
   * @param changed receives the reason when the database becomes unavailable, and `undefined` when it is available
   * again
   */
  constructor(timers: Timers, probe: () => Promise<void>, changed: (reason: string | undefined) => void) {
    this.#timers = timers
    this.#probe = probe
    this.#changed = changed
  }

  get reason(): string | undefined {
    return this.#reason
  }

  /** Throws while the database is unavailable, so that callers fail fast. */
  assertAvailable(): void {
    if (this.#reason !== undefined) throw new WireError('not_ready', `The database is not available: ${this.#reason}`)
    if (this.#closed) throw new WireError('not_ready', 'The database is closed')
  }

  /** Throws once the database is not used any more because of what it contains. */
  assertUsed(): void {
    if (this.#closed && this.#reason !== undefined) this.assertAvailable()
  }

  /** Inspects a failure. A failure of the database itself makes it unavailable until a probe succeeds. */
  reportFailure(error: unknown): void {
    if (this.#closed || this.#reason !== undefined || !isUnavailable(error)) return
    this.#reason = unavailableReason(error)
    this.#changed(this.#reason)
    this.#schedule()
  }

  #schedule(): void {
    this.#cancel = this.#timers.setTimeout(() => void this.#try(), PROBE_MS)
  }

  async #try(): Promise<void> {
    try {
      await this.#probe()
    } catch (thrown) {
      if (this.#closed) return
      const error = isWireError(thrown) ? thrown.cause : thrown
      // Reports a changed reason, such as a full disk after a locked file.
      const reason = isUnavailable(error) ? unavailableReason(error) : this.#reason
      if (reason !== this.#reason) this.#changed((this.#reason = reason))
      this.#schedule()
      return
    }
    if (this.#closed) return
    this.#reason = undefined
    this.#changed(undefined)
  }

  /** @param reason why the database is not used any more, unless its plugin stops */
  close(reason?: string): void {
    if (this.#closed) return
    this.#closed = true
    this.#cancel?.()
    this.#reason = reason ?? this.#reason
  }
}
