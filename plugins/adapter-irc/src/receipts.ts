// What became of lines that were sent: servers that echo them tell, the others complain, or answer what is asked behind them.
import type { Clock } from '@mynah/kernel'

/** A server that has said nothing for this long will not, ms. */
const REPLY_TIMEOUT_MS = 10_000
/** The same of a server that has never answered what stands behind a line. */
const FIRST_REPLY_TIMEOUT_MS = 3_000

/** A line that the server took, with the id it gave; a refusal with its reason; or neither. */
export type Outcome =
  | { readonly kind: 'taken'; readonly id: string | undefined }
  | { readonly kind: 'refused' | 'unknown'; readonly reason: string }

interface Pending {
  readonly target: string
  readonly number: number
  readonly settle: (outcome: Outcome) => void
}

const SILENCE: Outcome = { kind: 'unknown', reason: 'The server did not say what became of the message' }
const TAKEN: Outcome = { kind: 'taken', id: undefined }

export class Receipts {
  readonly #clock: Clock
  readonly #ask: (token: string) => void
  #pending: Pending[] = []
  #number = 0
  /** The question that is out, and the last line that stands before it. */
  #fence: { readonly token: string; readonly upTo: number } | undefined
  #fences = 0
  /** Whether the server answers questions: `undefined` until it has, or has not. */
  #answers: boolean | undefined

  /** `ask` puts a PING with this token behind the lines that have left. */
  constructor(clock: Clock, ask: (token: string) => void) {
    this.#clock = clock
    this.#ask = ask
  }

  /** A line to this target leaves now; the server answers lines to one target in the order in which it reads them. */
  expect(target: string, echoed: boolean): Promise<Outcome> {
    if (!echoed && this.#answers === false) return Promise.resolve(TAKEN)
    return new Promise((resolve) => {
      const number = ++this.#number
      const pending: Pending = {
        target,
        number,
        settle: (outcome) => {
          cancel()
          resolve(outcome)
        },
      }
      const patience = echoed || this.#answers ? REPLY_TIMEOUT_MS : FIRST_REPLY_TIMEOUT_MS
      const cancel = this.#clock.setTimeout(() => {
        this.#pending = this.#pending.filter((other) => other !== pending)
        // A server that has never answered is not asked again: its silence has to do.
        if (!echoed) this.#answers ??= false
        resolve(echoed || this.#answers ? SILENCE : TAKEN)
      }, patience)
      this.#pending.push(pending)
    })
  }

  /** Asks behind the lines that have left, so that the answer tells that none of them was refused. */
  fence(): void {
    if (this.#fence || this.#pending.length === 0) return
    this.#fence = { token: `mynah-${++this.#fences}`, upTo: this.#number }
    this.#ask(this.#fence.token)
  }

  /** The server has answered a question: what stood before it and was not refused is taken. */
  answered(token: string): void {
    const fence = this.#fence
    if (fence?.token !== token) return
    this.#fence = undefined
    this.#answers = true
    const taken = this.#pending.filter(({ number }) => number <= fence.upTo)
    this.#pending = this.#pending.filter(({ number }) => number > fence.upTo)
    for (const { settle } of taken) settle(TAKEN)
    this.fence()
  }

  #settle(matches: (target: string) => boolean, outcome: Outcome): boolean {
    const index = this.#pending.findIndex(({ target }) => matches(target))
    if (index < 0) return false
    this.#pending.splice(index, 1)[0]?.settle(outcome)
    return true
  }

  echoed(target: string, id: string | undefined): void {
    this.#settle((other) => other === target, { kind: 'taken', id })
  }

  /** Whether somebody waited for this target; the sign of a rank before a channel is often left out of refusals. */
  refused(target: string, reason: string): boolean {
    return this.#settle((other) => other === target || other.slice(1) === target, { kind: 'refused', reason })
  }

  close(reason: string): void {
    this.#fence = undefined
    for (const { settle } of this.#pending.splice(0)) settle({ kind: 'unknown', reason })
  }
}
