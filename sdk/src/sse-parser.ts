const MAX_EVENT_LENGTH = 8_388_608

/** One event of the stream. */
export interface SseEvent {
  readonly id: string | undefined
  readonly data: string
}

/** Parses an event stream that arrives in pieces. Ignores comments and unknown fields. */
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
    // A carriage return at the end may be the first half of a line end, so it waits for the next piece.
    const whole = this.#rest + text
    const lines = /\r\n|\n|\r(?!$)/g
    let start = 0
    for (let end = lines.exec(whole); end; end = lines.exec(whole)) {
      this.#line(whole.slice(start, end.index))
      start = lines.lastIndex
    }
    this.#rest = whole.slice(start)
    if (this.#rest.length + this.#size > MAX_EVENT_LENGTH)
      throw new RangeError(`An event of the stream is longer than ${MAX_EVENT_LENGTH} characters`)
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
