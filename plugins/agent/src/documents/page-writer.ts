import { DocumentError, MAX_PAGES, MAX_TEXT } from './limits.js'
import { tidyLines } from './tidy-lines.js'

/** Hands the pages of a document over as they are read, so that those before a failure are kept. */
export class PageWriter {
  readonly #send: (text: string) => void
  #pages = 0
  #characters = 0

  constructor(send: (text: string) => void) {
    this.#send = send
  }

  /**
   * Writes a page under a mark, or a text without one.
   *
   * @throws {@link DocumentError} when there are too many pages or characters
   */
  write(text: string, mark?: string): void {
    const body = tidyLines(text)
    if (mark !== undefined && ++this.#pages > MAX_PAGES) throw new DocumentError(`only ${MAX_PAGES} pages were read`)
    const room = MAX_TEXT - this.#characters
    this.#characters += body.length
    if (body !== '' || mark !== undefined)
      this.#send([...(mark === undefined ? [] : [`[${mark}]`]), body.slice(0, room)].join('\n'))
    if (body.length > room) throw new DocumentError('only the beginning was read: it is very long')
  }
}
