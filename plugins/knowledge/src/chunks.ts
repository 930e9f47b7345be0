/** A part of a document: a page, a sheet, or all of its text. */
export interface Part {
  readonly text: string
  readonly page?: number
  /** The name of a part without a page, such as a sheet. */
  readonly label?: string
}

/** A passage of a document that is found and shown as one. */
export interface Chunk {
  /** Titles of the sections around it, the outermost first. */
  readonly headings: readonly string[]
  readonly page?: number
  readonly text: string
}

/** A passage ends at the first empty line after so many characters. */
const ENOUGH = 900
/** It never has more. */
const MAX_CHUNK = 1_800
const MAX_HEADING = 200
const HEADING = /^ {0,3}(#{1,6})\s+(\S.*)$/
const FENCE = /^ {0,3}(```|~~~)/

/**
 * Splits a document into passages: at headings as in Markdown where it has these, at empty lines, and at the end of a
 * sentence where a line is too long. It works as it is read, so that a caller can pause between passages.
 */
export function* chunksOf(parts: Iterable<Part>, hasHeadings: boolean): Generator<Chunk> {
  const headings: string[] = []
  for (const { text, page, label } of parts) {
    if (label !== undefined) headings.splice(0, headings.length, label.slice(0, MAX_HEADING))
    const passage = new Passage(() => ({
      headings: headings.filter((heading) => heading !== undefined),
      ...(page === undefined ? {} : { page }),
    }))
    let fence: string | undefined
    for (const line of linesOf(text)) {
      const mark = FENCE.exec(line)?.[1]
      if (mark !== undefined && (fence ?? mark) === mark) fence = fence === undefined ? mark : undefined
      const heading = hasHeadings && fence === undefined ? HEADING.exec(line) : null
      if (heading) {
        yield* passage.end()
        const level = (heading[1] as string).length
        headings.length = Math.min(headings.length, level - 1)
        headings[level - 1] = titleOf(heading[2] as string)
      } else yield* passage.add(line)
    }
    yield* passage.end()
  }
}

/** Returns the title of a heading, without the marks that may end it. */
function titleOf(heading: string): string {
  const title = heading.trim()
  let end = title.length
  while (title[end - 1] === '#') end--
  return title.slice(0, end).trim().slice(0, MAX_HEADING)
}

/** The lines of a passage so far. */
class Passage {
  readonly #place: () => Omit<Chunk, 'text'>
  #lines: string[] = []
  #size = 0

  constructor(place: () => Omit<Chunk, 'text'>) {
    this.#place = place
  }

  *add(line: string): Generator<Chunk> {
    const isEmpty = line.trim() === ''
    if ((isEmpty && this.#size >= ENOUGH) || this.#size + line.length > MAX_CHUNK) yield* this.end()
    if (isEmpty && this.#lines.length === 0) return
    this.#lines.push(line)
    this.#size += line.length + 1
  }

  *end(): Generator<Chunk> {
    const text = this.#lines.join('\n').trimEnd()
    this.#lines = []
    this.#size = 0
    if (text !== '') yield { ...this.#place(), text }
  }
}

/** Returns the lines of a text, those that are too long in pieces. */
function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    if (end - at <= MAX_CHUNK) {
      yield text.slice(at, end).replace(/\r$/, '')
      at = end + 1
    } else {
      const piece = text.slice(at, at + MAX_CHUNK)
      const cut = cutOf(piece)
      yield piece.slice(0, cut)
      at += cut
    }
  }
}

/** Returns where a piece ends best: after a sentence, else after a word, and never within a character. */
function cutOf(piece: string): number {
  const half = piece.length / 2
  for (const ends of [/[.!?;。！？；]/, /[\s,，、]/]) {
    for (let at = piece.length - 1; at >= half; at--) if (ends.test(piece[at] as string)) return at + 1
  }
  return /[\ud800-\udbff]$/.test(piece) ? piece.length - 1 : piece.length
}
