// HTML as plain text, for where nothing richer can be shown: one pass, whatever the markup is.
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
/** Elements whose content is no text for readers. */
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

/** Lines that are written piece by piece; what stands already is not looked at again, so that the time is that of the length. */
class Lines {
  readonly #pieces: string[] = []
  /** What the last piece ends with; a beginning is like the end of a line. */
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

/** The words of some HTML, blocks on lines of their own and cells of a table divided by bars. */
export function htmlText(html: string): string {
  const lower = html.toLowerCase()
  const out = new Lines()
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    out.words(html.slice(at, open < 0 ? html.length : open))
    if (open < 0) break
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4)
      at = end < 0 ? html.length : end + 3
      continue
    }
    const tag = /^<(\/?)([a-z][a-z0-9]{0,30})/.exec(lower.slice(open, open + 34))
    if (!tag) {
      out.words('<')
      at = open + 1
      continue
    }
    const [, slash, name = ''] = tag
    const end = html.indexOf('>', open)
    at = end < 0 ? html.length : end + 1
    if (SILENT.has(name) && slash === '') {
      const close = lower.indexOf(`</${name}`, at)
      at = close < 0 ? html.length : close
    } else if (BLOCK.has(name)) {
      out.line()
      if (name === 'li' && slash === '') out.words('- ')
    } else if ((name === 'td' || name === 'th') && slash === '') out.bar()
  }
  return out.toString()
}
