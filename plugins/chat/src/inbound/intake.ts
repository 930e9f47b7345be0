// How many messages of an endpoint are handled at once: the rest stays `received` in the store, and is taken up in order.
import type { EndpointKey, InboundRecord, MessageStore } from '../api/store.js'

/** Messages of one endpoint that are handled at once. */
export const AT_ONCE = 256

interface Deps {
  readonly key: EndpointKey
  readonly store: () => MessageStore | undefined
  /** Rows of messages that are handled now, of all endpoints. */
  readonly begun: () => ReadonlySet<string>
  /** Begins to handle a message of the store. */
  readonly begin: (record: InboundRecord) => void
  readonly failed: (error: unknown) => void
}

export class Intake {
  readonly #deps: Deps
  #active = 0
  /** Some wait in the store: who comes now waits behind them. */
  #behind = false
  #taking = false
  /** Something came while the store was read. */
  #missed = false
  #closed = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Whether a message that came in may begin now; otherwise it is taken up from the store in its turn. */
  admits(atOnce = false): boolean {
    if (!atOnce && (this.#closed || this.#behind || this.#active >= AT_ONCE)) {
      this.#behind = true
      this.#missed = true
      return false
    }
    this.#active++
    return true
  }

  /** A message has been handled. */
  ended(): void {
    this.#active--
    if (this.#behind) void this.#take()
  }

  /** Takes up what the store holds, as far as there is room. */
  resume(): void {
    this.#behind = true
    void this.#take()
  }

  /** Begins nothing more: what comes stays in the store. */
  close(): void {
    this.#closed = true
  }

  async #take(): Promise<void> {
    if (this.#taking || this.#closed || this.#active >= AT_ONCE) return
    this.#taking = true
    this.#missed = false
    try {
      const store = this.#deps.store()
      // Those that have begun may still stand as received: their mark is on its way.
      const asked = AT_ONCE + this.#active
      const rows = (await store?.listReceived(this.#deps.key, asked)) ?? []
      const begun = this.#deps.begun()
      for (const record of rows) {
        if (this.#closed || this.#active >= AT_ONCE) return
        if (begun.has(record.id)) continue
        this.#active++
        this.#deps.begin(record)
      }
      if (store && rows.length < asked && !this.#missed) this.#behind = false
    } catch (error) {
      this.#deps.failed(error)
      return
    } finally {
      this.#taking = false
    }
    if (this.#behind && this.#missed) void this.#take()
  }
}
