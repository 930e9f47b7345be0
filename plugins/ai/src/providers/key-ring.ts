import type { Clock } from '@mynah/kernel'

/** The keys of one provider. They are used in turn, and those that were refused rest for a while. */
export class KeyRing {
  readonly #clock: Clock
  /** Until when each key rests, in milliseconds since the epoch. */
  readonly #restUntil: number[]
  #next = 0

  /** @param count number of keys; at least one */
  constructor(count: number, clock: Clock) {
    this.#clock = clock
    this.#restUntil = Array.from({ length: count }, () => 0)
  }

  /** Returns the index of the next key that does not rest, or of the one whose rest ends first. */
  take(): number {
    const now = this.#clock.now()
    const count = this.#restUntil.length
    for (let step = 0; step < count; step++) {
      const index = (this.#next + step) % count
      if ((this.#restUntil[index] as number) > now) continue
      this.#next = (index + 1) % count
      return index
    }
    return this.#restUntil.indexOf(Math.min(...this.#restUntil))
  }

  /** Lets a key rest for `ms` milliseconds. Returns the milliseconds until any key is free; 0 when one is. */
  rest(index: number, ms: number): number {
    this.#restUntil[index] = this.#clock.now() + ms
    return Math.max(0, Math.min(...this.#restUntil) - this.#clock.now())
  }

  /** Ends the rest of every key. */
  clear(): void {
    this.#restUntil.fill(0)
  }
}
