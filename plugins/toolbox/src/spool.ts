/** Characters that are kept of the beginning and of the end. */
const HALF = 2_500_000
const LINE = 200

/** Keeps the beginning and the end of a command's output in bounded memory. */
export class Spool {
  #head = ''
  #tail: string[] = []
  #tailLength = 0
  #dropped = 0

  add(text: string): void {
    const free = HALF - this.#head.length
    if (free > 0) this.#head += text.slice(0, free)
    const rest = free > 0 ? text.slice(free) : text
    if (rest === '') return
    this.#tail.push(rest)
    this.#tailLength += rest.length
    // Drop whole chunks, so that adding takes constant time per character.
    while (this.#tail.length > 1 && this.#tailLength - (this.#tail[0] as string).length > HALF) {
      const dropped = (this.#tail.shift() as string).length
      this.#tailLength -= dropped
      this.#dropped += dropped
    }
  }

  /** Returns the last line, for progress messages. */
  lastLine(): string {
    const end = (this.#tail.at(-1) ?? this.#head).slice(-4 * LINE).trimEnd()
    return end.slice(end.lastIndexOf('\n') + 1).slice(-LINE)
  }

  text(): string {
    const tail = this.#tail.join('')
    return this.#dropped === 0
      ? this.#head + tail
      : `${this.#head}\n[… ${this.#dropped} characters left out …]\n${tail}`
  }
}
