// Output of a command while it runs: the beginning and the end of what may be very long, in bounded memory.

const HALF = 2_500_000
const LINE = 200

export class Spool {
  #head = ''
  #tail: string[] = []
  #tailLength = 0
  #dropped = 0

  add(text: string): void {
    const room = HALF - this.#head.length
    if (room > 0) this.#head += text.slice(0, room)
    const rest = room > 0 ? text.slice(room) : text
    if (rest === '') return
    this.#tail.push(rest)
    this.#tailLength += rest.length
    // Whole pieces go, so that each character is looked at once.
    while (this.#tail.length > 1 && this.#tailLength - (this.#tail[0] as string).length > HALF) {
      const gone = (this.#tail.shift() as string).length
      this.#tailLength -= gone
      this.#dropped += gone
    }
  }

  /** The line that was written last, for those who watch. */
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
