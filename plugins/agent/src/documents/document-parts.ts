import { messageOf } from '@mynah/kernel'
import { wrapped, type TextPart } from '@mynah/plugin-ai/api'
import type { DocumentPart, UserPart } from '../session/types.js'
import type { MediaFolder } from '../view/media.js'
import { documentKind, misnomerOf, type Document } from './kind.js'
import type { DocumentReader, DocumentText } from './reader.js'

/** The most of the documents of one message that is shown, in bytes of UTF-8. */
const MAX_SHOWN = 100 * 1024
/** Providers take PDF of so many pages and bytes. */
const NATIVE = { pages: 100, bytes: 10 * 1024 * 1024 } as const

export interface DocumentPartsOptions {
  readonly reader: DocumentReader
  /** The chat that the documents come from. */
  readonly chat: string
  /** Whether a model of the turn takes PDF. */
  readonly takesPdf: boolean
  /** The context window of the model, in tokens. Documents take a quarter of it at most. */
  readonly windowTokens: number
  /** How many documents the message has. They share the room. */
  readonly count: number
  readonly onRead: (outcome: 'read' | 'failed', reason?: string) => void
}

/** Turns the documents of one message into parts of its entry. */
export class DocumentParts {
  readonly #options: DocumentPartsOptions
  readonly #maxBytes: number

  constructor(options: DocumentPartsOptions) {
    this.#options = options
    // A token has about four bytes, so that this many are a quarter of the window.
    this.#maxBytes = Math.floor(Math.min(MAX_SHOWN, options.windowTokens) / Math.max(1, options.count))
  }

  /** Returns the text of a document as a part, or a PDF for models that take it; nothing for a file of another kind. */
  async of(document: Document, folder: MediaFolder, signal: AbortSignal): Promise<readonly UserPart[]> {
    const misnomer = misnomerOf(document)
    const note =
      misnomer === undefined ? [] : [documentText(`[The file is not what it seems: ${misnomer}. Tell the user]`)]
    return [...note, ...(await this.#contentOf(document, folder, signal))]
  }

  async #contentOf(document: Document, folder: MediaFolder, signal: AbortSignal): Promise<readonly UserPart[]> {
    const read = await this.#read(document, signal)
    if (!read) return []
    const { bytes, name } = document
    const text = await this.#shownText(read, name, folder)
    const isNative = this.#options.takesPdf && documentKind(document) === 'pdf'
    if (isNative && read.pages > 0 && read.pages <= NATIVE.pages && bytes.length <= NATIVE.bytes)
      return [await folder.store(bytes, 'application/pdf', labelOf(name), text)]
    return [documentText(text)]
  }

  async #read(document: Document, signal: AbortSignal): Promise<DocumentText | undefined> {
    const { reader, chat, onRead } = this.#options
    try {
      const read = await reader.read(document, { chat, signal })
      if (read) onRead(read.problem === undefined ? 'read' : 'failed', read.problem)
      return read
    } catch (error) {
      // The file is there for tools, also where there was no time to read it.
      onRead('failed', messageOf(error))
      return { text: '', parts: [], pages: 0, problem: 'there was no time for it' }
    }
  }

  /** Returns what is shown of a text. The whole of a longer one is stored for tools. */
  async #shownText({ text, problem }: DocumentText, name: string, folder: MediaFolder): Promise<string> {
    const shown = beginningOf(text, this.#maxBytes)
    const lines: string[] = []
    if (shown !== '') lines.push(wrapped(shown, `document ${labelOf(name)}`))
    if (shown.length < text.length) {
      const path = await folder.storeInbound(Buffer.from(text), 'text/plain', 'text.txt')
      lines.push(`[Only the beginning of the document is shown. All ${text.length} characters are stored as ${path}]`)
    }
    if (problem !== undefined)
      lines.push(`[The document could not be read${shown === '' ? '' : ' completely'}: ${problem}. Tell the user]`)
    return lines.join('\n')
  }
}

const documentText = (text: string): TextPart & DocumentPart => ({ type: 'text', text, isDocument: true })

const labelOf = (name: string): string => name.replace(/[^\p{L}\p{N} ._-]/gu, '').slice(0, 80) || 'without a name'

/** Returns the beginning of a text that has at most so many bytes, to the end of a line where there is one. */
function beginningOf(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  const cut = new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true })
  const line = cut.lastIndexOf('\n')
  return line > cut.length / 2 ? cut.slice(0, line) : cut
}
