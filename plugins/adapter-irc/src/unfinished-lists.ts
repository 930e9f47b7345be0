import type { Client } from 'irc-framework'

/** Lines between two checks. */
const EVERY = 500
/** Checks in a row with an open list after which it is dropped. Whole networks are listed in less. */
const MAX_CHECKS = 8

/** Drops lists of the library, such as the users of a channel, that the server never ends. */
export class UnfinishedLists {
  readonly #client: Client
  readonly #forgotten: (lines: number) => void
  #lines = 0
  #unfinished = 0

  /** @param forgotten called with the number of lines after which the lists were dropped */
  constructor(client: Client, forgotten: (lines: number) => void) {
    this.#client = client
    this.#forgotten = forgotten
  }

  /** Counts a line. */
  seen(): void {
    if (++this.#lines % EVERY !== 0) return
    const { command_handler: handler } = this.#client
    let open = false
    for (const _ in handler._caches) {
      open = true
      break
    }
    this.#unfinished = open ? this.#unfinished + 1 : 0
    if (this.#unfinished < MAX_CHECKS) return
    this.#unfinished = 0
    handler.resetCache()
    this.#forgotten(EVERY * MAX_CHECKS)
  }
}
