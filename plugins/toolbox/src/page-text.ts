import { Parser } from 'htmlparser2'

const SKIPPED = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'canvas',
  'iframe',
  'object',
  'form',
  'select',
  'button',
  'nav',
  'footer',
  'aside',
  'dialog',
])
const BLOCKS = new Set([
  'p',
  'div',
  'section',
  'article',
  'main',
  'header',
  'ul',
  'ol',
  'table',
  'blockquote',
  'figure',
  'figcaption',
  'dl',
  'details',
  'pre',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'tr',
  'dt',
  'dd',
  'li',
  'hr',
])
/** Blocks that follow each other without an empty line. */
const ROWS = new Set(['li', 'tr', 'dd'])
const MAX_DEPTH = 1_000
/** Characters that are parsed in one step. */
const PIECE = 16_384
/** Shortest text of a main part that replaces the whole page. */
const MAIN_LEAST = 200

export interface PageText {
  readonly title: string
  readonly text: string
}

/** Collects text with line breaks and single spaces. */
class Writer {
  // Joined once, because looking at the end of a growing string would copy it each time.
  readonly #pieces: string[] = []
  /** Line breaks before the next word. */
  #breaks = 0
  #space = false

  break(lines: number): void {
    if (this.#pieces.length) this.#breaks = Math.max(this.#breaks, lines)
  }

  add(text: string): void {
    if (this.#breaks) this.#pieces.push('\n'.repeat(this.#breaks))
    else if (this.#space && this.#pieces.at(-1)?.endsWith('\n') === false) this.#pieces.push(' ')
    this.#breaks = 0
    this.#space = false
    this.#pieces.push(text)
  }

  words(text: string): void {
    const plain = text.replace(/\s+/g, ' ')
    if (plain.startsWith(' ')) this.#space = true
    const trimmed = plain.trim()
    if (trimmed === '') return
    this.add(trimmed)
    this.#space = plain.endsWith(' ')
  }

  toString(): string {
    return this.#pieces.join('').trim()
  }
}

/** Returns the text of a page without hidden parts, menus and footers. `base` completes relative links. */
export function pageText(html: string, base: string): PageText {
  const whole = new Writer()
  const main = new Writer()
  let title = ''
  let inTitle = false
  let skipped = 0
  let mains = 0
  let pre = 0
  const links: (string | undefined)[] = []
  const hidden: boolean[] = []
  const to = (write: (writer: Writer) => void): void => {
    if (skipped) return
    write(whole)
    if (mains) write(main)
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      const isHidden = SKIPPED.has(name) || hides(attributes)
      hidden.push(isHidden)
      if (isHidden) skipped++
      if (name === 'title') inTitle = true
      if (name === 'main' || name === 'article') mains++
      if (name === 'pre') pre++
      if (name === 'a') links.push(addressOf(attributes.href, base))
      to((writer) => openTag(writer, name, attributes))
    },
    ontext(text) {
      if (inTitle) title += text
      else to((writer) => (pre ? writer.add(text) : writer.words(text)))
    },
    onclosetag(name) {
      if (name === 'a') {
        const address = links.pop()
        if (address !== undefined) to((writer) => writer.add(` (${address})`))
      }
      if (name === 'title') inTitle = false
      if (name === 'pre' && pre) {
        pre--
        to((writer) => {
          writer.add('\n```')
          writer.break(2)
        })
      }
      if (BLOCKS.has(name)) to((writer) => writer.break(name === 'li' || name === 'tr' ? 1 : 2))
      if ((name === 'main' || name === 'article') && mains) mains--
      if (hidden.pop() && skipped) skipped--
    },
  })
  // The cost of an element grows with its depth, so parsing ends at a depth that no real page has.
  for (let at = 0; at < html.length && hidden.length < MAX_DEPTH; at += PIECE) parser.write(html.slice(at, at + PIECE))
  parser.end()
  const inner = main.toString()
  return {
    title: title.replace(/\s+/g, ' ').trim().slice(0, 300),
    text: inner.length >= MAIN_LEAST ? inner : whole.toString(),
  }
}

type Attributes = Readonly<Record<string, string | undefined>>

const hides = (attributes: Attributes): boolean =>
  'hidden' in attributes ||
  attributes['aria-hidden'] === 'true' ||
  /display:\s{0,4}none/i.test((attributes['style'] ?? '').slice(0, 500))

/** Writes the text that an element begins with. */
function openTag(writer: Writer, name: string, attributes: Attributes): void {
  const { alt } = attributes
  if (name === 'pre') {
    writer.break(2)
    writer.add('```\n')
  }
  if (name === 'br') writer.break(1)
  else if (BLOCKS.has(name)) writer.break(ROWS.has(name) ? 1 : 2)
  if (name === 'li') writer.add('- ')
  else if (/^h[1-6]$/.test(name)) writer.add(`${'#'.repeat(Number(name[1]))} `)
  else if (name === 'td' || name === 'th') writer.words(' | ')
  else if (name === 'img' && alt) writer.words(` [${alt.slice(0, 200)}] `)
}

/** Returns the complete address of a link, or `undefined` for a link that is not shown. */
function addressOf(href: string | undefined, base: string): string | undefined {
  if (!href || href.startsWith('#') || !URL.canParse(href, base)) return undefined
  const { protocol, href: whole } = new URL(href, base)
  return (protocol === 'http:' || protocol === 'https:') && whole.length <= 500 ? whole : undefined
}
