import type { Archive } from './archive.js'
import { DocumentError } from './limits.js'
import type { PageWriter } from './page-writer.js'
import { readXml } from './xml.js'

/** Columns of a row that are written. */
const MAX_COLUMNS = 256
const DAY_MS = 86_400_000
/** Day 0 of a workbook, in milliseconds since the epoch. Days before March 1900 are a day off, as they are in Excel. */
const EPOCHS = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) } as const
/** Formats of dates that each program has, by their numbers. */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

interface Styles {
  /** Whether a cell of a style has a date, by the number of the style. */
  readonly isDate: readonly boolean[]
  readonly epoch: number
}

/** Writes each sheet of a workbook: a line for each row, with tabs between the cells. */
export function readSheets(book: string, archive: Archive, writer: PageWriter): void {
  const { sheets, epoch } = readBook(book)
  const targets = readTargets(archive.text('xl/_rels/workbook.xml.rels') ?? '')
  const shared = readShared(archive.text('xl/sharedStrings.xml') ?? '')
  const styles = { isDate: readDateStyles(archive.text('xl/styles.xml') ?? ''), epoch }
  if (sheets.length === 0) throw new DocumentError('it has no sheets')
  for (const { name, relation } of sheets) {
    const xml = archive.text(`xl/${(targets.get(relation) ?? '').replace(/^\/?(?:xl\/)?/, '')}`)
    // Charts are sheets as well.
    if (xml !== undefined) writer.write(readRows(xml, shared, styles), `sheet ${name.replace(/[\]\n]/g, ' ')}`)
  }
}

function readBook(xml: string): {
  readonly sheets: readonly { readonly name: string; readonly relation: string }[]
  readonly epoch: number
} {
  const sheets: { name: string; relation: string }[] = []
  let epoch: number = EPOCHS[1900]
  readXml(xml, {
    open: (name, { name: title = '', 'r:id': relation = '', date1904 }) => {
      if (name === 'sheet') sheets.push({ name: title, relation })
      if (name === 'workbookPr' && (date1904 === '1' || date1904 === 'true')) epoch = EPOCHS[1904]
    },
  })
  return { sheets, epoch }
}

function readTargets(xml: string): ReadonlyMap<string, string> {
  const targets = new Map<string, string>()
  readXml(xml, {
    open: (name, { Id: id = '', Target: target = '' }) => {
      if (name === 'Relationship') targets.set(id, target)
    },
  })
  return targets
}

/** Returns the texts that cells refer to by number. */
function readShared(xml: string): readonly string[] {
  const shared: string[] = []
  let text = ''
  let isText = false
  /** Depth within the reading of Chinese characters, which repeats them. */
  let phonetic = 0
  readXml(xml, {
    open: (name) => {
      if (name === 'si') text = ''
      else if (name === 'rPh') phonetic++
      else if (name === 't') isText = phonetic === 0
    },
    close: (name) => {
      if (name === 'si') shared.push(text)
      else if (name === 'rPh') phonetic--
      else if (name === 't') isText = false
    },
    text: (piece) => {
      if (isText) text += piece
    },
  })
  return shared
}

function readDateStyles(xml: string): readonly boolean[] {
  const own = new Map<number, boolean>()
  const isDate: boolean[] = []
  let isInCells = false
  readXml(xml, {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (name === 'numFmt') own.set(Number(numFmtId), isDateFormat(formatCode))
      else if (name === 'cellXfs') isInCells = true
      else if (name === 'xf' && isInCells) isDate.push(own.get(Number(numFmtId)) ?? isBuiltInDate(Number(numFmtId)))
    },
    close: (name) => {
      if (name === 'cellXfs') isInCells = false
    },
  })
  return isDate
}

/** Returns whether a format shows a date or a time: it has one of their letters outside of texts and colours. */
const isDateFormat = (code: string): boolean =>
  /[ymdhs]/i.test(code.slice(0, 200).replace(/"[^"]{0,200}"|\[(?![hms]{1,9}\])[^\]]{0,200}\]|\\./gi, ''))

function readRows(xml: string, shared: readonly string[], styles: Styles): string {
  const rows: string[] = []
  let row: string[] = []
  let cell: Readonly<Record<string, string>> = {}
  let value = ''
  let isValue = false
  readXml(xml, {
    open: (name, attributes) => {
      if (name === 'row') row = []
      else if (name === 'c') {
        cell = attributes
        value = ''
      } else if (name === 'v' || name === 't') isValue = true
    },
    close: (name) => {
      if (name === 'v' || name === 't') isValue = false
      else if (name === 'c') addCell(row, cell, shownValue(value, cell, shared, styles))
      else if (name === 'row') rows.push(row.join('\t').trimEnd())
    },
    text: (piece) => {
      if (isValue) value += piece
    },
  })
  return rows.join('\n')
}

function addCell(row: string[], { r: reference = '' }: Readonly<Record<string, string>>, value: string): void {
  const column = columnOf(reference) ?? row.length
  if (column >= MAX_COLUMNS) return
  while (row.length < column) row.push('')
  row[column] = value.replace(/[\t\r\n]+/g, ' ')
}

/** Returns the number of the column of a cell such as `C5`, from 0. */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function shownValue(
  value: string,
  { t: type = 'n', s: style = '0' }: Readonly<Record<string, string>>,
  shared: readonly string[],
  { isDate, epoch }: Styles,
): string {
  if (type === 's') return shared[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type === 'n' && value !== '' && isDate[Number(style)]) return shownDate(Number(value), epoch) ?? value
  return value
}

/** Returns a number of days as a date, a time, or both. */
function shownDate(days: number, epoch: number): string | undefined {
  const at = new Date(epoch + Math.round(days * DAY_MS))
  if (Number.isNaN(at.getTime())) return undefined
  const iso = at.toISOString()
  if (days < 1) return iso.slice(11, 19)
  return Number.isInteger(days) ? iso.slice(0, 10) : iso.slice(0, 16).replace('T', ' ')
}
