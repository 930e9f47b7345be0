// Keeps the beginning and the end of an output of any length in bounded memory.

/** Collects text; past its limit the middle is dropped. */
export class BoundedOutput {
  readonly #half: number
  #head = ''
  #tail = ''
  #dropped = 0

  /** @param limit how many characters are kept */
  constructor(limit: number) {
    this.#half = Math.floor(limit / 2)
  }

  add(text: string): void {
    const room = this.#half - this.#head.length
    if (room > 0) this.#head += text.slice(0, room)
    const rest = text.slice(Math.max(0, room))
    if (rest === '') return
    this.#tail += rest
    // Cutting only now and then keeps the cost of many small chunks linear.
    if (this.#tail.length > this.#half * 2) this.#cut()
  }

  get truncated(): boolean {
    return this.#dropped > 0 || this.#tail.length > this.#half
  }

  toString(): string {
    this.#cut()
    if (this.#dropped === 0) return this.#head + this.#tail
    return `${this.#head}\n[… ${this.#dropped} characters left out …]\n${this.#tail}`
  }

  #cut(): void {
    const excess = this.#tail.length - this.#half
    if (excess <= 0) return
    this.#dropped += excess
    this.#tail = this.#tail.slice(excess)
  }
}
