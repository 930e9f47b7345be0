// What the calls of a turn wait for, as its journal tells it: now, before a start, and what was answered and is no result yet.
import type { WaitingFor } from '../session/types.js'

/** All that a journal holds. */
const allOf = (waiting: WaitingFor | null): readonly WaitingFor[] => {
  if (!waiting) return []
  const { beside = [], ...main } = waiting
  return [...beside, main]
}
const keyOf = ({ call, id }: WaitingFor): string => call ?? id

export class OpenWaits {
  /** By call; the newest last. */
  readonly #all: Map<string, WaitingFor>
  /** Calls that wait here and now. */
  readonly #now = new Set<string>()
  /** Calls that waited when the host stopped: they had done nothing yet. */
  readonly #before: ReadonlySet<string>

  constructor(journalled: WaitingFor | null) {
    const all = allOf(journalled)
    this.#all = new Map(all.map((waiting) => [keyOf(waiting), waiting]))
    this.#before = new Set(all.filter(({ answer }) => answer === undefined).map(keyOf))
  }

  /** How many wait now. */
  get size(): number {
    return this.#now.size
  }

  /** The newest that waits now. */
  get newest(): WaitingFor | undefined {
    return Array.from(this.#all.values()).findLast((waiting) => this.#now.has(keyOf(waiting)))
  }

  get(call: string): WaitingFor | undefined {
    return this.#all.get(call)
  }

  /** A call begins to wait; what is known of the same wait from before a start stays. */
  begin(waiting: WaitingFor): void {
    const key = keyOf(waiting)
    const known = this.#all.get(key)
    this.#all.delete(key)
    this.#all.set(key, known?.id === waiting.id ? { ...waiting, ...known } : waiting)
    this.#now.add(key)
  }

  /** More is known of a wait. */
  update(waiting: WaitingFor): void {
    this.#all.set(keyOf(waiting), waiting)
  }

  /** A call waits no longer. `isOver`: for good. What a person has answered stays until it is a result: nobody is asked for it again. */
  end(call: string, isOver: boolean): void {
    this.#now.delete(call)
    if (isOver && this.#all.get(call)?.answer === undefined) this.#all.delete(call)
  }

  /** A call has its result; gives what it waited for, where that was not over. */
  resolve(call: string): WaitingFor | undefined {
    const left = this.#all.get(call)
    this.#all.delete(call)
    return left
  }

  /** Whether an open call waited when the host stopped. */
  waitedBefore(call: string): boolean {
    return this.#before.has(call)
  }

  /** As the journal tells it: what others see first, and the rest beside it. */
  journalled(): WaitingFor | null {
    const main = this.newest ?? Array.from(this.#all.values()).at(-1)
    if (!main) return null
    const beside = Array.from(this.#all.values()).filter((other) => other !== main)
    return beside.length ? { ...main, beside } : main
  }

  /** Questions that nobody has answered; also those of before a start that have not been asked again yet. */
  get questions(): readonly WaitingFor[] {
    return Array.from(this.#all.values()).filter(({ kind, answer }) => kind === 'question' && answer === undefined)
  }

  /** Requests for approval that nobody may use any more when the turn ends. */
  get approvals(): readonly string[] {
    return Array.from(this.#all.values())
      .filter(({ kind }) => kind === 'approval')
      .map(({ id }) => id)
  }
}
