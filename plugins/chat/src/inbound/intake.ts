import { messageOf, type Logger } from '@mynah/kernel'
import type { Awaitable } from '@mynah/kernel/util'
import type { EndpointKey, InboundRecord } from '../api/store.js'
import type { ActiveStore } from '../store/active-store.js'
import type { PendingWrites } from '../store/pending-writes.js'
import type { ActiveMessages } from './active-messages.js'

/** Messages of one endpoint that are handled at the same time. */
const MAX_CONCURRENT = 256

/**
 * Limits how many messages of one endpoint are handled at the same time. The others stay `received` in the store and
 * are started in the order of their arrival.
 */
export class Intake {
  readonly #key: EndpointKey
  readonly #store: ActiveStore
  readonly #pending: PendingWrites
  readonly #messages: ActiveMessages
  readonly #log: Logger
  readonly #start: (intake: Intake, record: InboundRecord) => void
  #active = 0
  /** Whether messages wait in the store: a new one waits behind them. */
  #hasBacklog = false
  /**
   * Rows whose handling began before the end of the read in progress. The result of the read may show them as
   * `received`, even where the handling has ended by then. `undefined` while no read is in progress.
   */
  #startedDuringRead: Set<string> | undefined
  /** Whether a message came while the store was read. */
  #arrivedMeanwhile = false
  /** Whether the store refuses marks: nothing is started until it takes them again. */
  #suspended = false
  #closed = false

  /** @param start starts to handle a message of the backlog */
  constructor(
    key: EndpointKey,
    store: ActiveStore,
    pending: PendingWrites,
    messages: ActiveMessages,
    log: Logger,
    start: (intake: Intake, record: InboundRecord) => void,
  ) {
    this.#key = key
    this.#store = store
    this.#pending = pending
    this.#messages = messages
    this.#log = log
    this.#start = start
  }

  /**
   * Decides whether a new message may start now. If not, it starts from the store when there is room.
   *
   * @param row id of its row
   * @param skipsQueue start it at any rate, since a message in progress waits for it
   */
  tryStart(row: string, skipsQueue = false): boolean {
    if (!skipsQueue && (this.#hasBacklog || !this.#hasRoom)) {
      this.#hasBacklog = true
      this.#arrivedMeanwhile = true
      return false
    }
    this.#active++
    this.#startedDuringRead?.add(row)
    return true
  }

  /** Notes that a message has been handled. */
  finish(): void {
    this.#active--
    if (this.#hasBacklog) void this.#startBacklog()
  }

  /** Notes that a message was not started, since the store did not take its mark: it waits with all later ones. */
  suspend(): void {
    this.#active--
    this.#suspended = true
    this.#hasBacklog = true
  }

  /** Starts messages of the store, as far as there is room. */
  resume(): void {
    this.#suspended = false
    this.#hasBacklog = true
    // A read in progress may have missed the message for which this is called.
    this.#arrivedMeanwhile = true
    void this.#startBacklog()
  }

  /** Starts no more messages: new ones stay in the store. */
  close(): void {
    this.#closed = true
  }

  get #hasRoom(): boolean {
    return !this.#closed && !this.#suspended && this.#active < MAX_CONCURRENT
  }

  async #startBacklog(): Promise<void> {
    if (this.#startedDuringRead || !this.#hasRoom) return
    const started = new Set(this.#messages.rows())
    this.#startedDuringRead = started
    this.#arrivedMeanwhile = false
    try {
      // Rows of active messages may still be `received`, while their state is being written.
      const limit = MAX_CONCURRENT + this.#active
      const read = (): Awaitable<readonly InboundRecord[]> => this.#store.require().listReceived(this.#key, limit)
      const rows = await this.#pending.persist(read, Infinity)
      for (const record of rows) {
        if (!this.#hasRoom) return
        if (started.has(record.id)) continue
        this.#active++
        this.#start(this, record)
      }
      if (rows.length < limit && !this.#arrivedMeanwhile) this.#hasBacklog = false
    } catch (error) {
      if (!this.#closed) this.#log.warn(`failed to load pending messages: ${messageOf(error)}`, { ...this.#key })
      return
    } finally {
      this.#startedDuringRead = undefined
    }
    if (this.#hasBacklog && this.#arrivedMeanwhile) void this.#startBacklog()
  }
}
