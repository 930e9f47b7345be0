// Listens to an event log: what it tells while it is being opened is kept until it is known where its ids begin.
import type { EventLog, LoggedEvent } from '../api.js'

export class LogEar {
  readonly #told: (events: readonly LoggedEvent[]) => void
  #kept: LoggedEvent[] | undefined
  #end = (): void => {}

  /** @param told Receives what the log tells, once the ear is open. */
  constructor(told: (events: readonly LoggedEvent[]) => void) {
    this.#told = told
  }

  /** Listens to this log and no other, and keeps what it tells. */
  listen(log: EventLog): void {
    this.close()
    this.#kept = []
    this.#end = log.listen((events) => {
      if (this.#kept) this.#kept.push(...events)
      else this.#told(events)
    })
  }

  /** Gives what was kept; what follows is passed on. */
  open(): readonly LoggedEvent[] {
    const kept = this.#kept ?? []
    this.#kept = undefined
    return kept
  }

  /** Listens no more. */
  close(): void {
    this.#end()
    this.#end = () => {}
  }
}
