/** The events that are counted. An answer counts at the time of the message that it answers. */
export const COUNTS = ['received', 'sent', 'failed', 'answered'] as const
export type Count = (typeof COUNTS)[number]

/** A letter for each state of an endpoint, the best first. */
export const LETTERS = { online: 'o', pending: 'p', offline: 'x' } as const
const NOT_KNOWN = '-'
/** Letters from the one that says least about a time to the one that says most. */
const BY_WEIGHT = `${NOT_KNOWN}opx`

/** Returns the state to show for a time with two of them: the worse one, or the one that is known. */
export const worse = (a: string, b: string): string => (BY_WEIGHT.indexOf(a) < BY_WEIGHT.indexOf(b) ? b : a)

export type Slots = Record<Count, number[]> & { readonly status: string[] }

/** Counts and states of one endpoint in its last slots, which are of equal length and numbered since the epoch. */
export class ActivityRing {
  readonly #size: number
  readonly #counts: Readonly<Record<Count, Uint32Array>>
  readonly #status: string[]
  #letter = NOT_KNOWN
  /** The slot that was written last. */
  #last: number

  constructor(size: number, now: number) {
    this.#size = size
    this.#last = now
    this.#status = Array.from({ length: size }, () => NOT_KNOWN)
    this.#counts = Object.fromEntries(COUNTS.map((what) => [what, new Uint32Array(size)])) as Record<Count, Uint32Array>
  }

  /** Makes `now` the last slot. The slots in between have no messages and the last known state. */
  #advance(now: number): void {
    for (let slot = Math.max(this.#last + 1, now - this.#size + 1); slot <= now; slot++) {
      for (const what of COUNTS) this.#counts[what][slot % this.#size] = 0
      this.#status[slot % this.#size] = this.#letter
    }
    this.#last = Math.max(this.#last, now)
  }

  /** Counts in a slot that may have passed. One that has left the ring is not counted. */
  count(what: Count, slot: number, now: number): void {
    this.#advance(now)
    if (slot <= this.#last - this.#size || slot > this.#last) return
    const ring = this.#counts[what]
    ring[slot % this.#size] = (ring[slot % this.#size] as number) + 1
  }

  setStatus(letter: string, now: number): void {
    this.#advance(now)
    const at = this.#last % this.#size
    this.#letter = letter
    this.#status[at] = letter
  }

  /** Notes a state in a slot that keeps the worst one. */
  noteStatus(letter: string, now: number): void {
    this.#advance(now)
    const at = this.#last % this.#size
    this.#status[at] = worse(this.#status[at] as string, letter)
    this.#letter = letter
  }

  /** Returns the slots from `first` to `last`. Those that are not in the ring are empty and unknown. */
  window(first: number, last: number): Slots {
    this.#advance(last)
    const slots = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    const isKept = (slot: number): boolean => slot > this.#last - this.#size
    const of = (what: Count): number[] =>
      slots.map((slot) => (isKept(slot) ? (this.#counts[what][slot % this.#size] as number) : 0))
    return {
      received: of('received'),
      sent: of('sent'),
      failed: of('failed'),
      answered: of('answered'),
      status: slots.map((slot) => (isKept(slot) ? (this.#status[slot % this.#size] as string) : NOT_KNOWN)),
    }
  }
}
