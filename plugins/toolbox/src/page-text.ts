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
const MAX_DEPTH = 1_000
const PIECE = 16_384
/** A main part shorter than this is none. */
const MAIN_LEAST = 200

export interface PageText {
  readonly title: string
  readonly text: string
}

class Writer {
  // Pieces, joined once: looking at the end of a growing string would copy all of it each time.
  readonly #pieces: string[] = []
  /** Breaks that stand before the next word. */
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

/** The text of a page, hidden parts and its surroundings left out. `base` makes links whole. */
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
      const hides =
        SKIPPED.has(name) ||
        'hidden' in attributes ||
        attributes['aria-hidden'] === 'true' ||
        /display:\s{0,4}none/i.test((attributes.style ?? '').slice(0, 500))
      hidden.push(hides)
      if (hides) skipped++
      if (name === 'title') inTitle = true
      if (name === 'main' || name === 'article') mains++
      if (name === 'pre') {
        pre++
        to((writer) => {
          writer.break(2)
          writer.add('```\n')
        })
      }
      if (name === 'br') to((writer) => writer.break(1))
      else if (BLOCKS.has(name)) to((writer) => writer.break(name === 'li' || name === 'tr' || name === 'dd' ? 1 : 2))
      if (name === 'li') to((writer) => writer.add('- '))
      else if (/^h[1-6]$/.test(name)) to((writer) => writer.add(`${'#'.repeat(Number(name[1]))} `))
      else if (name === 'td' || name === 'th') to((writer) => writer.words(' | '))
      else if (name === 'img' && attributes.alt)
        to((writer) => writer.words(` [${(attributes.alt as string).slice(0, 200)}] `))
      else if (name === 'a') links.push(addressOf(attributes.href, base))
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
  // The cost of an element grows with its depth: what no page needs is read no further.
  for (let at = 0; at < html.length && hidden.length < MAX_DEPTH; at += PIECE) parser.write(html.slice(at, at + PIECE))
  parser.end()
  const inner = main.toString()
  return {
    title: title.replace(/\s+/g, ' ').trim().slice(0, 300),
    text: inner.length >= MAIN_LEAST ? inner : whole.toString(),
  }
}

function addressOf(href: string | undefined, base: string): string | undefined {
  if (!href || href.startsWith('#') || !URL.canParse(href, base)) return undefined
  const { protocol, href: whole } = new URL(href, base)
  return (protocol === 'http:' || protocol === 'https:') && whole.length <= 500 ? whole : undefined
}
