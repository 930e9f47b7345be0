import { Archive } from './archive.js'
import { DocumentError } from './limits.js'
import type { PageWriter } from './page-writer.js'
import { readSheets } from './spreadsheet.js'
import { readXml } from './xml.js'

const WORD = 'word/document.xml'
const BOOK = 'xl/workbook.xml'

/** Writes the text of a Word document or a workbook, whichever the archive holds. */
export function readOffice(bytes: Uint8Array, writer: PageWriter): void {
  const archive = new Archive(
    bytes,
    (path) => path === WORD || /^xl\/(?:[^/]+\.xml|_rels\/[^/]+|worksheets\/[^/]+\.xml)$/.test(path),
  )
  const document = archive.text(WORD)
  if (document !== undefined) return readWord(document, writer)
  const book = archive.text(BOOK)
  if (book === undefined) throw new DocumentError('it is no document of Word or Excel')
  readSheets(book, archive, writer)
}

/** Writes the text of a Word document, page by page where its program has stored where pages begin. */
function readWord(xml: string, writer: PageWriter): void {
  // Programs store where pages began when they were last shown. Breaks that people have set are there as well then.
  const hasRendered = xml.includes('lastRenderedPageBreak')
  const hasPages = hasRendered || /<w:br [^>]{0,200}type="page"/.test(xml)
  let page = 1
  let text: string[] = []
  /** Depth within an element whose text is none of the document, such as a copy for old programs. */
  let silent = 0
  let isText = false
  const end = (): void => {
    writer.write(text.join(''), hasPages ? `page ${page}` : undefined)
    page++
    text = []
  }
  const isBreak = (name: string, type: string | undefined): boolean =>
    hasRendered ? name === 'lastRenderedPageBreak' : name === 'br' && type === 'page'
  readXml(xml, {
    open: (name, attributes) => {
      if (silent > 0 || name === 'Fallback') silent++
      else if (isBreak(name, attributes['w:type'])) end()
      else if (name === 'tab') text.push('\t')
      else if (name === 'br' || name === 'cr') text.push('\n')
      else if (name === 'pStyle') text.push(headingOf(attributes['w:val']))
      else if (name === 't') isText = true
    },
    close: (name) => {
      if (silent > 0) silent--
      else if (name === 't') isText = false
      else if (name === 'p' || name === 'tr') text.push('\n')
      else if (name === 'tc') joinCell(text)
    },
    text: (piece) => {
      if (isText && silent === 0) text.push(piece)
    },
  })
  end()
}

/** Returns the mark of a heading, as in Markdown, for the name of a style. */
function headingOf(style = ''): string {
  const level = /^heading([1-6])$/i.exec(style)?.[1]
  return level === undefined ? '' : `${'#'.repeat(Number(level))} `
}

/** Ends a cell: its last paragraph continues the row. */
function joinCell(text: string[]): void {
  if (text.at(-1) === '\n') text.pop()
  text.push('\t')
}
