import type { WaitingFor } from '../session/types.js'

/** Returns the waits that a journal holds. */
const allOf = (waiting: WaitingFor | null): readonly WaitingFor[] => {
  if (!waiting) return []
  const { beside = [], ...main } = waiting
  return [...beside, main]
}
const keyOf = ({ call, id }: WaitingFor): string => call ?? id

/** Pending waits of a turn, including answers not yet turned into tool results. */
export class OpenWaits {
  /** By call; the newest last. */
  readonly #all: Map<string, WaitingFor>
  /** Calls that wait here and now. */
  readonly #waiting = new Set<string>()
  /** Calls that waited when the host stopped, before they had done anything. */
  readonly #before: ReadonlySet<string>

  constructor(journalled: WaitingFor | null) {
    const all = allOf(journalled)
    this.#all = new Map(all.map((waiting) => [keyOf(waiting), waiting]))
    this.#before = new Set(all.filter(({ answer }) => answer === undefined).map(keyOf))
  }

  /** How many calls wait now. */
  get size(): number {
    return this.#waiting.size
  }

  /** The newest wait of a call that waits now. */
  get newest(): WaitingFor | undefined {
    return Array.from(this.#all.values()).findLast((waiting) => this.#waiting.has(keyOf(waiting)))
  }

  get(call: string): WaitingFor | undefined {
    return this.#all.get(call)
  }

  /** Adds a wait. An answer from before a restart stays. */
  begin(waiting: WaitingFor): void {
    const key = keyOf(waiting)
    const known = this.#all.get(key)
    this.#all.delete(key)
    this.#all.set(key, known?.id === waiting.id ? { ...waiting, ...known } : waiting)
    this.#waiting.add(key)
  }

  /** Replaces a wait, for example to add its answer. */
  update(waiting: WaitingFor): void {
    this.#all.set(keyOf(waiting), waiting)
  }

  /**
   * Ends a wait. An answer stays until it has become a result, so that it is not asked again.
   *
   * @param isOver whether the wait is over for good and may be forgotten
   */
  end(call: string, isOver: boolean): void {
    this.#waiting.delete(call)
    if (isOver && this.#all.get(call)?.answer === undefined) this.#all.delete(call)
  }

  /** Forgets the wait of a call that has its result. Returns the wait when it was not over. */
  resolve(call: string): WaitingFor | undefined {
    const unfinished = this.#all.get(call)
    this.#all.delete(call)
    return unfinished
  }

  /** Returns whether a call waited when the host stopped. */
  waitedBefore(call: string): boolean {
    return this.#before.has(call)
  }

  /** Returns the waits as the journal holds them: the newest, with the others in `beside`. */
  journalled(): WaitingFor | null {
    const main = this.newest ?? Array.from(this.#all.values()).at(-1)
    if (!main) return null
    const beside = Array.from(this.#all.values()).filter((other) => other !== main)
    return beside.length ? { ...main, beside } : main
  }

  /** Questions without an answer, including those from before a restart that were not yet sent again. */
  get questions(): readonly WaitingFor[] {
    return Array.from(this.#all.values()).filter(({ kind, answer }) => kind === 'question' && answer === undefined)
  }

  /** Rows of the messages that answered. */
  get answerRows(): readonly string[] {
    return Array.from(this.#all.values()).flatMap(({ answerRow }) => answerRow ?? [])
  }

  /** Ids of requests for approval, to be withdrawn when the turn ends. */
  get approvals(): readonly string[] {
    return Array.from(this.#all.values())
      .filter(({ kind }) => kind === 'approval')
      .map(({ id }) => id)
  }
}
