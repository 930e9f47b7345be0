import { toText } from './to-text.js'

const BLOCK = new Set([
  'address',
  'article',
  'aside',
  'blockquote',
  'br',
  'dd',
  'div',
  'dl',
  'dt',
  'footer',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'hr',
  'li',
  'main',
  'ol',
  'p',
  'pre',
  'section',
  'table',
  'tr',
  'ul',
])
/** Elements whose content is not shown to readers. */
const SILENT = new Set(['head', 'noscript', 'script', 'style', 'template', 'title'])
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(toText(hex), 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : ''
    },
  )
}

/** Collects text piece by piece. No piece is read again, so that the time is linear in the length. */
class Lines {
  readonly #pieces: string[] = []
  /** The end of the last piece. The start of the text counts as the end of a line. */
  #end: 'line' | 'space' | 'word' = 'line'

  words(text: string): void {
    const spaced = decoded(text.replace(/\s+/g, ' '))
    const plain = this.#end === 'word' ? spaced : spaced.trimStart()
    if (plain === '') return
    this.#pieces.push(plain)
    this.#end = /\s$/.test(plain) ? 'space' : 'word'
  }

  line(): void {
    if (this.#end === 'line') return
    this.#pieces.push('\n')
    this.#end = 'line'
  }

  bar(): void {
    if (this.#end === 'line') return
    this.#pieces.push(this.#end === 'space' ? '| ' : ' | ')
    this.#end = 'space'
  }

  toString(): string {
    return this.#pieces.join('').replaceAll(' \n', '\n').trim()
  }
}

/** Returns the words of HTML, with blocks on lines of their own and bars between the cells of a table. */
export function htmlText(html: string): string {
  const lower = html.toLowerCase()
  const out = new Lines()
  let at = 0
  while (at < html.length) {
    const open = indexOrEnd(html, '<', at)
    out.words(html.slice(at, open))
    if (open === html.length) break
    at = html.startsWith('<!--', open) ? endOf(html, '-->', open + 4) : readTag(lower, open, out)
  }
  return out.toString()
}

/**
 * Writes what a tag stands for.
 *
 * @param html in lower case
 * @param open index of the `<`
 * @returns the index where the text goes on
 */
function readTag(html: string, open: number, out: Lines): number {
  const tag = /^<(\/?)([a-z][a-z0-9]{0,30})/.exec(html.slice(open, open + 34))
  if (!tag) {
    out.words('<')
    return open + 1
  }
  const [, slash, name = ''] = tag
  const isOpening = slash === ''
  const end = endOf(html, '>', open)
  if (isOpening && SILENT.has(name)) return indexOrEnd(html, `</${name}`, end)
  if (BLOCK.has(name)) {
    out.line()
    if (isOpening && name === 'li') out.words('- ')
  } else if (isOpening && (name === 'td' || name === 'th')) out.bar()
  return end
}

function indexOrEnd(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from)
  return index < 0 ? text.length : index
}

/** Returns the index after the next `part`. */
function endOf(text: string, part: string, from: number): number {
  return Math.min(indexOrEnd(text, part, from) + part.length, text.length)
}
