import type { Ref } from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'
import type { Documents } from '@mynah/plugin-agent/api'
import type { Part } from './chunks.js'

/** Documents that are read here. */
const TEXT = new Set('md markdown txt text rst adoc org log csv tsv json yaml yml'.split(' '))
const WITH_HEADINGS = new Set(['md', 'markdown', 'html', 'htm', 'xhtml', 'docx', 'docm'])
/** Documents that a process of their own turns into text. Some begin each page or sheet with a mark. */
const CONVERTED = new Set('html htm xhtml eml pdf docx docm xlsx xlsm'.split(' '))
const MARKED = new Set(['pdf', 'docx', 'docm', 'xlsx', 'xlsm'])
const MARK = /^\[([^\]\n]{1,300})\](?:\n|$)/
const PAGE = /^page (\d{1,6})(?: of \d{1,6})?$/

/** The most bytes of a text that is read here, and of any other document. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024
const MAX_BYTES = 20 * 1024 * 1024

/** A document as text. */
export interface Text {
  readonly parts: readonly Part[]
  readonly hasHeadings: boolean
  /** Why it could not be read, or not completely. */
  readonly problem?: string
  /** Whether it should be read again although it does not change. */
  readonly isTemporary?: boolean
}

const extensionOf = (path: string): string => /\.([a-z0-9]{1,10})$/i.exec(path)?.[1]?.toLowerCase() ?? ''

/** Returns whether a document of this name can be read. */
export const isReadable = (path: string): boolean => TEXT.has(extensionOf(path)) || CONVERTED.has(extensionOf(path))

/** Returns how large a document of this name may be, in bytes. */
export const maxBytesOf = (path: string): number => (TEXT.has(extensionOf(path)) ? MAX_TEXT_BYTES : MAX_BYTES)

/** Turns a document into text. */
export async function readDocument(
  path: string,
  bytes: Uint8Array,
  documents: Ref<Documents>,
  signal: AbortSignal,
): Promise<Text> {
  const extension = extensionOf(path)
  const hasHeadings = WITH_HEADINGS.has(extension)
  const text = TEXT.has(extension) ? decoded(bytes) : undefined
  if (text !== undefined) return { parts: [{ text }], hasHeadings }
  const service = documents.current
  if (!service) return { parts: [], hasHeadings, problem: 'the plugin agent does not run', isTemporary: true }
  const name = path.slice(path.lastIndexOf('/') + 1)
  const read = await service.read({ bytes, name, mediaType: '' }, { group: 'knowledge', signal })
  if (!read) return { parts: [], hasHeadings, problem: 'it is no document, whatever its name says' }
  const parts = read.parts.map((part) => (MARKED.has(extension) ? unmarked(part) : { text: part }))
  return { parts, hasHeadings, ...omitUndefined({ problem: read.problem }) }
}

/** Returns a text in UTF-8, or `undefined` where it is in another encoding. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Separates the mark of a page from its text. */
function unmarked(part: string): Part {
  const mark = MARK.exec(part)
  if (!mark) return { text: part }
  const label = mark[1] as string
  const page = PAGE.exec(label)?.[1]
  const text = part.slice(mark[0].length)
  return page === undefined ? { text, label } : { text, page: Number(page) }
}
