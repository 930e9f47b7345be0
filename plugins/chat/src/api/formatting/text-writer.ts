import type { FormattedText, TextEntity } from './formatted-text.js'

type Entity = Omit<TextEntity, 'offset' | 'length'>

/** Writes a text with entities. Each line after a line break begins with the indents that are open then. */
export class TextWriter {
  #text = ''
  readonly #entities: TextEntity[] = []
  #indents: string[] = []

  get length(): number {
    return this.#text.length
  }

  write(text: string): void {
    const indent = this.#indents.join('')
    // Empty lines stay empty.
    this.#text += indent === '' ? text : text.replace(/\n(?!\n)/g, () => `\n${indent}`)
  }

  /** Writes an empty line, unless at the beginning. */
  startBlock(breaks: '\n' | '\n\n'): void {
    if (this.#text !== '') this.write(breaks)
  }

  /** Begins the lines that `work` writes with `indent`, except the first one. */
  indented(indent: string, work: () => void): void {
    this.#indents.push(indent)
    work()
    this.#indents.pop()
  }

  /** Marks what `work` writes. White space at its ends is not marked. */
  marked(entity: Entity, work: () => void): void {
    const from = this.#text.length
    const at = this.#entities.length
    work()
    const written = this.#text.slice(from)
    const offset = from + (written.length - written.trimStart().length)
    const length = written.trim().length
    // Before those within it.
    if (length > 0) this.#entities.splice(at, 0, { ...entity, offset, length })
  }

  take(): FormattedText {
    return { text: this.#text, entities: this.#entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length) }
  }
}
