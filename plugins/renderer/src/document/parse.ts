// HTML, written by anybody, as a document of text and structure. Scripts, addresses and everything that loads something are left out.
import { Parser } from 'htmlparser2'
import { WireError } from '@mynah/contract'
import type { ElementNode } from './node.js'
import { stylesOf } from './styles.js'

const MAX_SOURCE = 100_000
const MAX_CHARACTERS = 12_000
const MAX_NODES = 4_000
/** What is nested deeper stands on this level. */
const MAX_DEPTH = 24

const KNOWN = new Set([
  'p',
  'div',
  'section',
  'article',
  'header',
  'footer',
  'main',
  'aside',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'blockquote',
  'pre',
  'hr',
  'br',
  'table',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
  'dl',
  'dt',
  'dd',
  'figure',
  'figcaption',
  'code',
  'kbd',
  'samp',
  'b',
  'strong',
  'i',
  'em',
  'u',
  'ins',
  's',
  'del',
  'strike',
  'mark',
  'small',
  'a',
  'span',
  'sub',
  'sup',
  'center',
])
/** Elements whose content is not shown. */
const SILENT = new Set([
  'head',
  'title',
  'script',
  'style',
  'noscript',
  'template',
  'iframe',
  'object',
  'embed',
  'svg',
  'math',
  'canvas',
  'audio',
  'video',
  'select',
  'textarea',
  'button',
  'map',
])

const tooLarge = (what: string): WireError => new WireError('too_large', `It has more than ${what}`)

interface Open {
  readonly name: string
  readonly node: ElementNode | undefined
}

/** The document; throws `too_large` where there is too much of it. */
export function parseHtml(source: string): ElementNode {
  if (source.length > MAX_SOURCE) throw tooLarge(`${MAX_SOURCE} characters of markup`)
  const root: ElementNode = { tag: 'div', style: {}, children: [] }
  /** Elements that are open; those without a node add to the one around them. */
  const open: Open[] = [{ name: '', node: root }]
  const nodes: ElementNode[] = [root]
  let silent = 0
  let characters = 0
  let count = 0
  const here = (): ElementNode => nodes.at(-1) as ElementNode
  const text = (words: string): void => {
    characters += words.length
    if (characters > MAX_CHARACTERS) throw tooLarge(`${MAX_CHARACTERS} characters of text`)
    if (++count > MAX_NODES) throw tooLarge(`${MAX_NODES} pieces`)
    here().children.push(words)
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const style = silent > 0 || SILENT.has(name) ? undefined : stylesOf(attributes.style ?? '')
        if (silent > 0 || style === undefined) {
          silent++
          open.push({ name, node: undefined })
          return
        }
        if (++count > MAX_NODES) throw tooLarge(`${MAX_NODES} pieces`)
        const align = /^(?:left|center|right)$/.exec(attributes.align ?? '')?.[0]
        if (name === 'img' && attributes.alt) text(`[${attributes.alt}]`)
        if (name === 'input' && attributes.type === 'checkbox') text('checked' in attributes ? '☑ ' : '☐ ')
        let node: ElementNode | undefined
        if (KNOWN.has(name) && nodes.length < MAX_DEPTH) {
          const start =
            name === 'ol' && /^\d{1,6}$/.test(attributes.start ?? '') ? { start: Number(attributes.start) } : {}
          node = {
            tag: name,
            style: align === undefined ? style : { textAlign: align, ...style },
            children: [],
            ...start,
          }
          here().children.push(node)
          nodes.push(node)
        }
        open.push({ name, node })
      },
      ontext(words) {
        // A variation selector has no glyph of its own.
        if (silent === 0) text(words.replaceAll('\ufe0f', ''))
      },
      onclosetag() {
        const closed = open.pop()
        if (closed?.node) nodes.pop()
        else if (silent > 0) silent--
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  parser.write(source)
  parser.end()
  return root
}
