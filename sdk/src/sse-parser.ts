// Reads the text of an event stream, however it is cut into pieces.

const MAX_PENDING = 8_388_608

/** One event as it stands on the wire. */
export interface SseEvent {
  readonly id: string | undefined
  readonly data: string
}

/** Takes text in pieces and gives each event once it is complete. Comments and unknown fields are skipped. */
export class SseParser {
  readonly #onEvent: (event: SseEvent) => void
  #rest = ''
  #data: string[] = []
  #size = 0
  #id: string | undefined

  constructor(onEvent: (event: SseEvent) => void) {
    this.#onEvent = onEvent
  }

  push(text: string): void {
    // A carriage return at the end may be half of a line end: it waits for the next piece.
    const whole = this.#rest + text
    const lines = /\r\n|\n|\r(?!$)/g
    let start = 0
    for (let end = lines.exec(whole); end; end = lines.exec(whole)) {
      this.#line(whole.slice(start, end.index))
      start = lines.lastIndex
    }
    this.#rest = whole.slice(start)
    if (this.#rest.length + this.#size > MAX_PENDING)
      throw new RangeError(`An event of the stream is longer than ${MAX_PENDING} characters`)
  }

  #line(line: string): void {
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') {
      this.#data.push(value)
      this.#size += value.length
    } else if (field === 'id' && !value.includes('\0')) this.#id = value
  }

  #dispatch(): void {
    const event = this.#data.length ? { id: this.#id, data: this.#data.join('\n') } : undefined
    this.#data = []
    this.#size = 0
    this.#id = undefined
    if (event) this.#onEvent(event)
  }
}
