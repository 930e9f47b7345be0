const OPEN = '<think>'
const CLOSE = '</think>'
/** The most white space before an element. */
const MOST_HELD = 1_000

/** A piece of content, taken apart. */
export interface TakenText {
  readonly reasoning: string
  readonly text: string
}

/**
 * Separates the `<think>` elements at the beginning of content from the text after them. Tags may be spread over
 * pieces. Elements further on are text: the model may write about them.
 */
export class ThinkReader {
  #state: 'beginning' | 'thinking' | 'text' = 'beginning'
  /** White space before an element, or a part of a tag, as far as it is known. */
  #held = ''
  #hasThought = false

  /** Takes a piece of content. A possible part of a tag is held back until the next piece. */
  take(piece: string): TakenText {
    if (this.#state === 'text') return { reasoning: '', text: piece }
    this.#held += piece
    let reasoning = ''
    for (;;) {
      if (this.#state === 'beginning') {
        if (!this.#skipOpening()) return { reasoning, text: this.#state === 'beginning' ? '' : this.#release() }
      } else {
        const end = this.#held.indexOf(CLOSE)
        const upTo = end === -1 ? this.#held.length - partAtEnd(this.#held, CLOSE) : end
        reasoning += this.#held.slice(0, upTo)
        this.#held = this.#held.slice(end === -1 ? upTo : end + CLOSE.length)
        if (end === -1) return { reasoning, text: '' }
        this.#state = 'beginning'
      }
    }
  }

  /** Returns the text that was held back, at the end of the content. */
  end(): string {
    return this.#state === 'beginning' ? this.#release() : ''
  }

  /** Moves behind an opening tag. Returns whether there was one. */
  #skipOpening(): boolean {
    const start = this.#held.trimStart()
    if (start.startsWith(OPEN)) {
      this.#state = 'thinking'
      this.#hasThought = true
      this.#held = start.slice(OPEN.length)
      return true
    }
    if (!OPEN.startsWith(start) || this.#held.length > MOST_HELD) this.#state = 'text'
    return false
  }

  #release(): string {
    const held = this.#held
    this.#held = ''
    return this.#hasThought ? held.trimStart() : held
  }
}

/** Returns how many characters at the end of a text may be the beginning of `tag`. */
function partAtEnd(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length--)
    if (text.endsWith(tag.slice(0, length))) return length
  return 0
}
