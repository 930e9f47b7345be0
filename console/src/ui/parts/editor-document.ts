// The document of an editor belongs to the editor. The page follows it, and may replace it with another version.

/** Values that the page may still hand back late; more are never under way between two renders. */
const MAX_ECHOES = 500

/**
 * Tells values that the page hands back, because the editor reported them, from values that come from elsewhere. A page
 * renders later than people type, so a handed back value may be older than the document.
 */
export class Echoes {
  #reported: string[] = []

  report(value: string): void {
    this.#reported.push(value)
    if (this.#reported.length > MAX_ECHOES) this.#reported.shift()
  }

  /** Returns whether `value` was reported. It and all values before it will not be handed back again. */
  take(value: string): boolean {
    const at = this.#reported.lastIndexOf(value)
    if (at < 0) return false
    this.#reported = this.#reported.slice(at + 1)
    return true
  }

  clear(): void {
    this.#reported = []
  }
}

export interface TextChange {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** Returns the one change between two texts without what they have in common, or undefined if they are equal. */
export function changeBetween(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before.charCodeAt(from) === after.charCodeAt(from)) from++
  let tail = 0
  while (
    tail < shorter - from &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) }
}

/** Returns how lines of an edited text end. A text of mixed endings gets those of most systems when it is edited. */
export const lineEndingOf = (text: string): '\r\n' | '\n' =>
  /\r\n/.test(text) && !/(?:^|[^\r])\n|\r(?!\n)/.test(text) ? '\r\n' : '\n'

/** Returns the text as an editor holds it, in which every line ends with a line feed. */
export const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, '\n')
