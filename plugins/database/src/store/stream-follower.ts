import type { Announcements } from './announcements.js'
import type { Availability } from './availability.js'
import type { Transactions } from './transactions.js'

interface StreamFollowerParts {
  readonly announcements: Announcements
  readonly availability: Availability
  readonly transactions: Transactions
}

/** Delivers what other hosts have announced, on a host that writes nothing meanwhile. */
export class StreamFollower {
  readonly #parts: StreamFollowerParts
  #following: Promise<void> | undefined

  constructor(parts: StreamFollowerParts) {
    this.#parts = parts
  }

  /**
   * Delivers the events of the log that were not delivered, between two transactions.
   *
   * @param newest the newest id of others, where it is known
   */
  follow(newest?: number): void {
    this.#parts.announcements.expect(newest)
    this.#following ??= this.#catchUp().finally(() => (this.#following = undefined))
  }

  async #catchUp(): Promise<void> {
    const { announcements, availability, transactions } = this.#parts
    while (announcements.isBehind && availability.reason === undefined) {
      try {
        // Each transaction begins with what others have announced.
        await transactions.queue.run(() => transactions.top(() => Promise.resolve()))
      } catch {
        // The failure was reported. The next transaction delivers the events, or the next call.
        return
      }
    }
  }
}
