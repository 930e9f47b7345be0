import { Parser } from 'htmlparser2'
import { WireError } from '@mynah/contract'
import type { ElementNode, Style } from './node.js'
import { stylesOf } from './styles.js'

const MAX_SOURCE = 100_000
const MAX_CHARACTERS = 12_000
const MAX_NODES = 4_000
/** Deeper elements are moved up to this level. */
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

/** Creates a node with the attributes that are no styles: `align`, and `start` of a list. */
function elementNode(tag: string, { align, start }: Readonly<Record<string, string>>, style: Style): ElementNode {
  const textAlign = /^(?:left|center|right)$/.exec(align ?? '')?.[0]
  return {
    tag,
    style: textAlign === undefined ? style : { textAlign, ...style },
    children: [],
    ...(tag === 'ol' && /^\d{1,6}$/.test(start ?? '') ? { start: Number(start) } : {}),
  }
}

/**
 * Parses HTML from untrusted sources. Scripts, addresses and everything that loads something are dropped.
 *
 * @throws WireError `too_large`
 */
export function parseHtml(source: string): ElementNode {
  if (source.length > MAX_SOURCE) throw tooLarge(`${MAX_SOURCE} characters of markup`)
  const root: ElementNode = { tag: 'div', style: {}, children: [] }
  /** Open elements. Content of elements without a node goes to the parent. */
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
        if (name === 'img' && attributes.alt) text(`[${attributes.alt}]`)
        if (name === 'input' && attributes.type === 'checkbox') text('checked' in attributes ? '☑ ' : '☐ ')
        let node: ElementNode | undefined
        if (KNOWN.has(name) && nodes.length < MAX_DEPTH) {
          node = elementNode(name, attributes, style)
          here().children.push(node)
          nodes.push(node)
        }
        open.push({ name, node })
      },
      ontext(words) {
        // Variation selectors have no glyph.
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
