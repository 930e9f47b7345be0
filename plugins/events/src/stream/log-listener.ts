import type { EventLog, LoggedEvent } from '../api.js'

export class LogListener {
  readonly #receive: (events: readonly LoggedEvent[]) => void
  #kept: LoggedEvent[] | undefined
  #end = (): void => {}

  /** @param receive called with events of the log once `open` was called */
  constructor(receive: (events: readonly LoggedEvent[]) => void) {
    this.#receive = receive
  }

  /** Listens only to this log and buffers its events. */
  listen(log: EventLog): void {
    this.close()
    this.#kept = []
    this.#end = log.listen((events) => {
      if (this.#kept) this.#kept.push(...events)
      else this.#receive(events)
    })
  }

  /** Returns the buffered events. Later events are passed on. */
  open(): readonly LoggedEvent[] {
    const kept = this.#kept ?? []
    this.#kept = undefined
    return kept
  }

  /** Stops listening. */
  close(): void {
    this.#end()
    this.#end = () => {}
  }
}
