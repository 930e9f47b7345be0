import type { Clock } from '@mynah/kernel'

/** Time after which no answer to a line is expected any more, ms. */
const REPLY_TIMEOUT_MS = 10_000
/** The same for a server that has never answered a PING, ms. */
const FIRST_REPLY_TIMEOUT_MS = 3_000

/** Accepted with the id of the server, refused with a reason, or neither. */
export type Outcome =
  | { readonly kind: 'taken'; readonly id: string | undefined }
  | { readonly kind: 'refused' | 'unknown'; readonly reason: string }

interface Pending {
  readonly target: string
  readonly number: number
  readonly settle: (outcome: Outcome) => void
}

const SILENCE: Outcome = { kind: 'unknown', reason: 'The server did not confirm or refuse the message' }
const TAKEN: Outcome = { kind: 'taken', id: undefined }

export class Receipts {
  readonly #clock: Clock
  readonly #ask: (token: string) => void
  #pending: Pending[] = []
  #number = 0
  /** The PING that was sent, and the last line before it. */
  #fence: { readonly token: string; readonly upTo: number } | undefined
  #fences = 0
  /** Whether the server answers PINGs; `undefined` until this is known. */
  #answers: boolean | undefined

  /** @param ask sends a PING with a token after the lines sent so far */
  constructor(clock: Clock, ask: (token: string) => void) {
    this.#clock = clock
    this.#ask = ask
  }

  /** Waits for the outcome of a line that is sent now. The server answers lines to one target in order. */
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
        // A server that has never answered a PING gets no more of them: its silence counts as acceptance.
        if (!echoed) this.#answers ??= false
        resolve(echoed || this.#answers ? SILENCE : TAKEN)
      }, patience)
      this.#pending.push(pending)
    })
  }

  /** Sends a PING after the lines sent so far. Its answer means that lines without a refusal were accepted. */
  fence(): void {
    if (this.#fence || this.#pending.length === 0) return
    this.#fence = { token: `mynah-${++this.#fences}`, upTo: this.#number }
    this.#ask(this.#fence.token)
  }

  /** Settles the lines before an answered PING as accepted. */
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

  /**
   * Settles a line as refused. Returns whether one was waiting. Refusals often lack the sign of a rank before a
   * channel.
   */
  refused(target: string, reason: string): boolean {
    return this.#settle((other) => other === target || other.slice(1) === target, { kind: 'refused', reason })
  }

  close(reason: string): void {
    this.#fence = undefined
    for (const { settle } of this.#pending.splice(0)) settle({ kind: 'unknown', reason })
  }
}
