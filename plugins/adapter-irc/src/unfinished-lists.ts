// Lists that the library collects until their end comes, such as who is in a channel: forgotten where it never does.
import type { Client } from 'irc-framework'

/** Lines between two looks. */
const EVERY = 500
/** Looks in a row at which something is unfinished; whole networks are listed in less. */
const MAX_CHECKS = 8

export class UnfinishedLists {
  readonly #client: Client
  readonly #forgotten: (lines: number) => void
  #lines = 0
  #unfinished = 0

  /** `forgotten` hears after how many lines the library's lists were dropped. */
  constructor(client: Client, forgotten: (lines: number) => void) {
    this.#client = client
    this.#forgotten = forgotten
  }

  /** A line came. */
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
