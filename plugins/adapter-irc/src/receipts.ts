// What became of lines that were sent: servers that echo them tell, the others only complain.
import type { Clock } from '@mynah/kernel'

/** A server that has said nothing for this long will not, ms. */
const PATIENCE_MS = 10_000

/** An echoed line with its id, a refusal with its reason, or neither. */
export type Outcome = { readonly kind: 'echoed'; readonly id: string | undefined } | { readonly kind: 'refused' | 'unknown'; readonly reason: string }

interface Pending { readonly target: string; readonly settle: (outcome: Outcome) => void }

export class Receipts {
  readonly #clock: Clock
  readonly #pending: Pending[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A line to this target leaves now; the server answers lines to one target in the order in which it reads them. */
  expect(target: string): Promise<Outcome> {
    return new Promise((resolve) => {
      const pending: Pending = { target, settle: (outcome) => { cancel(); resolve(outcome) } }
      const cancel = this.#clock.setTimeout(() => {
        this.#pending.splice(this.#pending.indexOf(pending), 1)
        resolve({ kind: 'unknown', reason: 'The server did not say what became of the message' })
      }, PATIENCE_MS)
      this.#pending.push(pending)
    })
  }

  #settle(target: string, outcome: Outcome): boolean {
    const index = this.#pending.findIndex((pending) => pending.target === target)
    if (index < 0) return false
    this.#pending.splice(index, 1)[0]?.settle(outcome)
    return true
  }

  echoed(target: string, id: string | undefined): void {
    this.#settle(target, { kind: 'echoed', id })
  }

  /** Whether somebody waited for this target. */
  refused(target: string, reason: string): boolean {
    return this.#settle(target, { kind: 'refused', reason })
  }

  close(reason: string): void {
    for (const { settle } of this.#pending.splice(0)) settle({ kind: 'unknown', reason })
  }
}
