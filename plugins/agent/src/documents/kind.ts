// The kind of a document: what its bytes show counts more than what its name or its sender says.

/** Kinds of documents that become text. */
export type DocumentKind = 'pdf' | 'office' | 'html' | 'email' | 'plain'

/** Characters in which the mark of a PDF may begin. */
const PDF_HEAD = 1_024
const SAMPLE = 4_096
const OLD_OFFICE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
const ZIP = Buffer.from('PK\u0003\u0004', 'latin1')
const OFFICE = new Set(['docx', 'docm', 'dotx', 'xlsx', 'xlsm', 'xltx'])
const OLD = new Set(['doc', 'xls', 'ppt', 'msg'])
const KINDS: Readonly<Record<string, DocumentKind>> = {
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  eml: 'email',
  csv: 'plain',
  tsv: 'plain',
  txt: 'plain',
  md: 'plain',
  json: 'plain',
  yaml: 'plain',
  yml: 'plain',
  xml: 'plain',
  log: 'plain',
}
const MEDIA_TYPES: Readonly<Record<string, DocumentKind>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'message/rfc822': 'email',
  'application/json': 'plain',
}
/** The content that a name promises. */
const CLAIMS: readonly (readonly [extensions: readonly string[], claim: string, kinds: readonly unknown[]])[] = [
  [['pdf'], 'a PDF', ['pdf']],
  [[...OFFICE], 'a document of Office', ['office', 'old']],
  [[...OLD], 'a document of Office before 2007', ['old']],
  [['html', 'htm', 'xhtml'], 'HTML', ['html']],
  [Object.keys(KINDS).filter((extension) => KINDS[extension] === 'plain'), 'text', ['plain']],
  [['png', 'jpg', 'jpeg', 'gif', 'webp'], 'a picture', []],
]
const NAMES = { pdf: 'a PDF', office: 'a document of Office', old: 'a document of Office before 2007', html: 'HTML' }
const HTML = /^\s{0,99}(?:<\?xml[^>]{0,200}>\s{0,99})?(?:<!doctype html|<html|<table|<meta)/i
const OFFICE_TYPE = /^application\/vnd\.openxmlformats-officedocument\.(?:wordprocessingml|spreadsheetml)\./

/** A document of a message. */
export interface Document {
  readonly bytes: Uint8Array
  readonly name: string
  readonly mediaType: string
}

/** Returns the extension of a name in lower case, or `''`. */
const extensionOf = (name: string): string => /\.([a-z0-9]{1,8})$/i.exec(name.slice(-10))?.[1]?.toLowerCase() ?? ''

/**
 * Returns the kind of a document. `old` is a format of Office before 2007, or one with a password, which cannot be
 * read; `undefined` is no document.
 */
export function documentKind({ bytes, name, mediaType }: Document): DocumentKind | 'old' | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SAMPLE))
  const extension = extensionOf(name)
  const type = mediaType.toLowerCase().split(';')[0]?.trim() ?? ''
  if (head.subarray(0, PDF_HEAD).includes('%PDF-')) return 'pdf'
  const isOffice = OFFICE.has(extension)
  if (head.subarray(0, ZIP.length).equals(ZIP)) return isOffice || OFFICE_TYPE.test(type) ? 'office' : undefined
  if (head.subarray(0, OLD_OFFICE.length).equals(OLD_OFFICE))
    return isOffice || OLD.has(extension) || type.startsWith('application/') ? 'old' : undefined
  return plainKind(head, name, type)
}

/** Returns the kind of a document without a signature. */
function plainKind(head: Buffer, name: string, type: string): DocumentKind | undefined {
  const kind = KINDS[extensionOf(name)] ?? kindOfType(type) ?? (claimOf(name) && textKind(head))
  // A picture may be called a text.
  return kind !== undefined && isText(head) ? kind : undefined
}

/** Many a workbook that a web page offers is a table in HTML or CSV. */
const textKind = (head: Buffer): DocumentKind => (HTML.test(head.toString('latin1')) ? 'html' : 'plain')

const claimOf = (name: string): (typeof CLAIMS)[number] | undefined => {
  const extension = extensionOf(name)
  return CLAIMS.find(([extensions]) => extensions.includes(extension))
}

/** Returns in words that a document is not what its name says, or `undefined`. */
export function misnomerOf(document: Document): string | undefined {
  const [, claim, kinds] = claimOf(document.name) ?? []
  const kind = documentKind(document)
  if (claim === undefined || kinds?.includes(kind)) return undefined
  const name = kind === undefined || kind === 'plain' || kind === 'email' ? undefined : NAMES[kind]
  return `its name says that it is ${claim}, but it is ${name ?? (kind === undefined ? 'none' : 'text')}`
}

const kindOfType = (type: string): DocumentKind | undefined =>
  MEDIA_TYPES[type] ?? (type.startsWith('text/') ? 'plain' : undefined)

const hasWideMark = (head: Buffer): boolean =>
  (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)

const isText = (head: Buffer): boolean => hasWideMark(head) || !head.includes(0)
