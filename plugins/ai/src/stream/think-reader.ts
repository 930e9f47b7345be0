const NAMES = ['think', 'thinking', 'thought', 'reasoning']
const OPENINGS = NAMES.map((name) => `<${name}>`)
const CLOSINGS = NAMES.map((name) => `</${name}>`)
const OPENING = /<(?:think|thinking|thought|reasoning)>/i
const CLOSING = /<\/(?:think|thinking|thought|reasoning)>/i
const LONGEST_TAG = '</reasoning>'.length
/** The most white space before an element. */
const MOST_HELD = 1_000
/** The most text after whose beginning an end of reasoning is looked for. */
const MOST_WATCHED = 200_000
/** The most tags in a text that is watched: each is looked for in all of the text before it. */
const MOST_TAGS = 20
/** The middle of a sentence, in whose line a tag is written about. */
const WITHIN_SENTENCE = /[^.!?…:;。！？\s][ \t]{1,9}$/
const OPEN_QUOTE = /["'([{“‘«]$/
const CLOSED_QUOTE = /^["')\]}”’»]/

/** A piece of content, taken apart. */
export interface TakenText {
  readonly reasoning: string
  readonly text: string
  /** All text of earlier pieces was reasoning. */
  readonly replaces?: true
}

/**
 * Separates the elements of reasoning at the beginning of content from the text after them: `<think>`, `<thinking>`,
 * `<thought>` and `<reasoning>`, in any case. Tags may be spread over pieces. Elements further on are text: the model
 * may write about them. An end without a beginning, as some servers send it, makes reasoning of all text before it.
 */
export class ThinkReader {
  #state: 'beginning' | 'thinking' | 'text' = 'beginning'
  /** White space before an element, or a part of a tag, as far as it is known. */
  #held = ''
  #hasThought = false
  #tagsInText = 0
  /** The text so far, while an end without a beginning may follow. */
  #watched: string | undefined = ''

  /** Takes a piece of content. A possible part of a tag is held back until the next piece. */
  take(piece: string): TakenText {
    if (this.#state === 'text') return this.#takeText(piece)
    this.#held += piece
    let reasoning = ''
    for (;;) {
      if (this.#state === 'beginning') {
        if (this.#skipOpening()) continue
        if (this.#state === 'beginning') return { reasoning, text: '' }
        const taken = this.#takeText(this.#release())
        return { ...taken, reasoning: reasoning + taken.reasoning }
      }
      const end = CLOSING.exec(this.#held)
      const upTo = end ? end.index : this.#held.length - partAtEnd(this.#held, CLOSINGS)
      reasoning += this.#held.slice(0, upTo)
      this.#held = this.#held.slice(end ? upTo + end[0].length : upTo)
      if (!end) return { reasoning, text: '' }
      this.#state = 'beginning'
    }
  }

  /** Returns the text that was held back, at the end of the content. */
  end(): string {
    return this.#state === 'thinking' ? '' : this.#release()
  }

  /** Moves behind an opening tag. Returns whether there was one. */
  #skipOpening(): boolean {
    const start = this.#held.trimStart()
    const lower = start.slice(0, 20).toLowerCase()
    const opening = OPENINGS.find((tag) => lower.startsWith(tag))
    if (opening) {
      this.#state = 'thinking'
      this.#hasThought = true
      this.#watched = undefined
      this.#held = start.slice(opening.length)
      return true
    }
    if (!OPENINGS.some((tag) => tag.startsWith(lower)) || this.#held.length > MOST_HELD) this.#state = 'text'
    return false
  }

  /** Takes text, in which reasoning may end that had no beginning. */
  #takeText(piece: string): TakenText {
    if (this.#watched === undefined) return { reasoning: '', text: piece }
    this.#held += piece
    let text = ''
    for (let end = CLOSING.exec(this.#held); end; end = CLOSING.exec(this.#held)) {
      const before = this.#held.slice(0, end.index)
      const after = this.#held.slice(end.index + end[0].length)
      const isText = isWrittenAbout(this.#watched + text + before, after)
      if (isText === undefined) return this.#watchOn(text + before, end.index)
      if (!isText) return this.#turnToReasoning(text + before, after)
      text += before + end[0]
      this.#held = after
      if (++this.#tagsInText > MOST_TAGS) break
    }
    const upTo = this.#held.length - partAtEnd(this.#held, CLOSINGS)
    return this.#watchOn(text + this.#held.slice(0, upTo), upTo)
  }

  /** Passes a text on, and holds what follows `upTo` back. */
  #watchOn(text: string, upTo: number): TakenText {
    this.#held = this.#held.slice(upTo)
    const watched = `${this.#watched ?? ''}${text}`
    this.#watched = watched
    if (watched.length <= MOST_WATCHED && this.#tagsInText <= MOST_TAGS) return { reasoning: '', text }
    this.#watched = undefined
    return { reasoning: '', text: text + this.#release() }
  }

  #turnToReasoning(reasoning: string, after: string): TakenText {
    this.#watched = undefined
    this.#hasThought = true
    this.#state = 'beginning'
    this.#held = ''
    const taken = this.take(after)
    return { reasoning: reasoning + taken.reasoning, text: taken.text, replaces: true }
  }

  #release(): string {
    const held = this.#held
    this.#held = ''
    return this.#hasThought ? held.trimStart() : held
  }
}

/**
 * Returns whether an end of reasoning is a part of the text: in code, behind its beginning, or among words.
 * `undefined`: what follows decides.
 */
function isWrittenAbout(before: string, after: string): boolean | undefined {
  if (isInCode(before) || OPENING.test(before)) return true
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const isQuoted = OPEN_QUOTE.test(line)
  if (!isQuoted && !WITHIN_SENTENCE.test(line)) return false
  if (/^[ \t\r]{0,100}$/.test(after)) return undefined
  return isQuoted ? CLOSED_QUOTE.test(after) : !/^[ \t]{0,100}\r?\n/.test(after)
}

/** Returns whether a fenced block or code in a line is open at the end of a text. */
function isInCode(text: string): boolean {
  let fence: string | undefined
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  for (const line of lines) {
    const mark = /^\s{0,100}(```|~~~)/.exec(line)?.[1]
    if (mark !== undefined && (fence === undefined || fence === mark)) fence = fence === undefined ? mark : undefined
  }
  return fence !== undefined || (last.split('`').length - 1) % 2 === 1
}

/** Returns how many characters at the end of a text may be the beginning of a tag. */
function partAtEnd(text: string, tags: readonly string[]): number {
  const at = text.lastIndexOf('<')
  if (at === -1 || text.length - at > LONGEST_TAG) return 0
  const part = text.slice(at).toLowerCase()
  return tags.some((tag) => tag.startsWith(part)) ? part.length : 0
}
