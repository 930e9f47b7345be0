// Whether the database answers. A failure turns it off at once; a small write that succeeds turns it on again.
import { isWireError, WireError } from '@mynah/contract'
import { isAway, reasonOf } from '../failures.js'

const PROBE_MS = 1_000

/** Timers of the plugin, which go with it. */
interface Timers {
  setTimeout(callback: () => void, ms: number): () => void
}

export class Health {
  readonly #timers: Timers
  readonly #probe: () => Promise<void>
  readonly #changed: (reason: string | undefined) => void
  #reason: string | undefined
  #closed = false
  #cancel: (() => void) | undefined

  /**
   * @param probe Writes something small; resolves when writing works.
   * @param changed Told the reason when the database goes, and `undefined` when it is back.
   */
  constructor(timers: Timers, probe: () => Promise<void>, changed: (reason: string | undefined) => void) {
    this.#timers = timers
    this.#probe = probe
    this.#changed = changed
  }

  get reason(): string | undefined {
    return this.#reason
  }

  /** Throws while the database is away, so that nobody waits for what cannot succeed. */
  assertAvailable(): void {
    if (this.#closed) throw new WireError('not_ready', 'The database is closed')
    if (this.#reason !== undefined) throw new WireError('not_ready', `The database is not available: ${this.#reason}`)
  }

  /** Looks at a failure; one of the database itself turns it off until a probe succeeds. */
  failed(error: unknown): void {
    if (this.#closed || this.#reason !== undefined || !isAway(error)) return
    this.#reason = reasonOf(error)
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
      // A new reason, such as a disk that is full now where the file was locked before, is worth knowing.
      const reason = isAway(error) ? reasonOf(error) : this.#reason
      if (reason !== this.#reason) this.#changed((this.#reason = reason))
      this.#schedule()
      return
    }
    if (this.#closed) return
    this.#reason = undefined
    this.#changed(undefined)
  }

  close(): void {
    this.#closed = true
    this.#cancel?.()
  }
}
