// Writes a document of Markdown as text, with entities or without.
import type { FormattedText, MarkdownTree, TextEntity } from './formatted-text.js'
import { tableLines } from './table-lines.js'
import { TextWriter } from './text-writer.js'

type Content = MarkdownTree['children'][number]
type Nodes = MarkdownTree | Content
type Parents = Extract<Nodes, { readonly children: unknown }>
type NodeOf<T extends Content['type']> = Extract<Content, { readonly type: T }>

/** Elements within elements. Deeper ones are only text. */
const DEEPEST = 40

/**
 * Returns a document as text whose entities say what is bold, a link or code. For platforms that take such entities.
 *
 * @example
 * defineAdapter({
 *   name: 'echo', acknowledges: 'never', format: formatEntities, create: (endpoint) => new EchoBot(endpoint),
 * })
 */
export const formatEntities = (tree: MarkdownTree): FormattedText => new TreeWriter(tree, true).text()

/** Returns a document as plain text: emphasis is left out, code stays, links have their address behind them. */
export const formatPlain = (tree: MarkdownTree): FormattedText => new TreeWriter(tree, false).text()

class TreeWriter {
  readonly #tree: MarkdownTree
  readonly #hasEntities: boolean
  readonly #out = new TextWriter()
  readonly #definitions = new Map<string, NodeOf<'definition'>>()
  #depth = 0
  #isInQuote = false

  constructor(tree: MarkdownTree, hasEntities: boolean) {
    this.#tree = tree
    this.#hasEntities = hasEntities
  }

  text(): FormattedText {
    for (const node of this.#tree.children) if (node.type === 'definition') this.#definitions.set(node.identifier, node)
    this.#blocks(this.#tree)
    return this.#out.take()
  }

  #blocks({ children }: Parents, isTight = false): void {
    let isFirst = true
    for (const node of children) {
      if (node.type === 'definition') continue
      // The beginning of the text is that of its first block, and so is that of an item or a quote.
      if (!isFirst) this.#out.startBlock(isTight ? '\n' : '\n\n')
      isFirst = false
      this.#write(node)
    }
  }

  #children(node: Nodes): void {
    if ('children' in node) for (const child of node.children) this.#write(child)
  }

  #write(node: Nodes): void {
    if (this.#depth >= DEEPEST) return this.#out.write(wordsOf(node))
    this.#depth++
    this.#writeNode(node)
    this.#depth--
  }

  #writeNode(node: Nodes): void {
    switch (node.type) {
      case 'text':
      case 'html':
        return this.#out.write(node.value)
      case 'break':
        return this.#out.write('\n')
      case 'thematicBreak':
        return this.#out.write('———')
      case 'heading':
      case 'strong':
        return this.#marked({ type: 'bold' }, () => this.#children(node))
      case 'emphasis':
        return this.#marked({ type: 'italic' }, () => this.#children(node))
      case 'delete':
        return this.#marked({ type: 'strikethrough' }, () => this.#children(node))
      case 'inlineCode':
        return this.#code(node.value)
      case 'code':
        return this.#preformatted(node.value, node.lang)
      case 'table':
        return this.#preformatted(tableLines(rowsOf(node), node.align ?? []), undefined)
      case 'list':
        return this.#list(node)
      case 'blockquote':
        return this.#quote(node)
      default:
        return this.#writeReference(node)
    }
  }

  #writeReference(node: Nodes): void {
    switch (node.type) {
      case 'link':
        return this.#link(node, node.url)
      case 'linkReference':
        return this.#link(node, this.#definitions.get(node.identifier)?.url ?? '')
      case 'image':
        return this.#out.write(withAddress(node.alt ?? '', node.url))
      case 'imageReference':
        return this.#out.write(withAddress(node.alt ?? '', this.#definitions.get(node.identifier)?.url ?? ''))
      case 'footnoteReference':
        return this.#out.write(`[${node.label ?? node.identifier}]`)
      case 'footnoteDefinition':
        this.#out.write(`[${node.label ?? node.identifier}] `)
        return this.#blocks(node)
      default:
        return this.#children(node)
    }
  }

  #marked(entity: Omit<TextEntity, 'offset' | 'length'>, work: () => void): void {
    if (this.#hasEntities) this.#out.marked(entity, work)
    else work()
  }

  #code(value: string): void {
    if (this.#hasEntities) this.#out.marked({ type: 'code' }, () => this.#out.write(value))
    else this.#out.write(`\`${value}\``)
  }

  #preformatted(value: string, language: string | null | undefined): void {
    this.#marked({ type: 'pre', ...(language ? { language } : {}) }, () => this.#out.write(value))
  }

  #list({ ordered, start, spread, children }: NodeOf<'list'>): void {
    children.forEach((item, index) => {
      if (index > 0) this.#out.startBlock(spread === true ? '\n\n' : '\n')
      const bullet = ordered ? `${(start ?? 1) + index}. ` : '• '
      this.#out.write(`${bullet}${checkbox(item)}`)
      this.#out.indented(' '.repeat(bullet.length), () => this.#blocks(item, spread !== true && item.spread !== true))
    })
  }

  #quote(node: Parents): void {
    if (!this.#hasEntities) {
      this.#out.write('> ')
      return this.#out.indented('> ', () => this.#blocks(node))
    }
    // Quotes within quotes are not shown by platforms.
    if (this.#isInQuote) return this.#blocks(node)
    this.#isInQuote = true
    this.#marked({ type: 'quote' }, () => this.#blocks(node))
    this.#isInQuote = false
  }

  #link(node: Parents, url: string): void {
    const words = wordsOf(node)
    const isSame = words === url || `mailto:${words}` === url || `http://${words}` === url
    if (isSame) return this.#out.write(words)
    if (this.#hasEntities && isLinkable(url)) return this.#marked({ type: 'link', url }, () => this.#children(node))
    this.#children(node)
    if (url !== '') this.#out.write(` (${url})`)
  }
}

/** Returns the cells of a table as text. */
const rowsOf = ({ children }: NodeOf<'table'>): string[][] =>
  children.map((row) => row.children.map((cell) => wordsOf(cell).replace(/\s+/g, ' ').trim()))

const withAddress = (words: string, url: string): string => (words === '' ? url : `${words} (${url})`)

const checkbox = ({ checked }: NodeOf<'listItem'>): string => {
  if (checked === true) return '☑ '
  return checked === false ? '☐ ' : ''
}

/** Whether platforms take an address for a link. They refuse the message for others. */
function isLinkable(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'mailto:' || ((protocol === 'http:' || protocol === 'https:') && hostname !== '')
}

/** Returns the words of a node without any formatting, however deep they are. */
function wordsOf(node: Nodes): string {
  let words = ''
  const open: Nodes[] = [node]
  for (let next = open.pop(); next; next = open.pop()) {
    if ('value' in next) words += next.value
    else if (next.type === 'break') words += '\n'
    else if (next.type === 'image' || next.type === 'imageReference') words += next.alt ?? ''
    else if ('children' in next) open.push(...next.children.toReversed())
  }
  return words
}
