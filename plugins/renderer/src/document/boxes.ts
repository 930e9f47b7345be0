import { box, type Box } from './box.js'
import { isElement, type DocumentNode, type ElementNode, type Style } from './node.js'
import { tableBox } from './table.js'
import { blocks, inlines, type Theme } from './theme.js'
import { wordBoxes } from './words.js'

const BLOCKS = new Set([
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
  'table',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'dl',
  'dt',
  'dd',
  'figure',
  'figcaption',
  'center',
])

/** Returns the text of a node with its line breaks, for code. */
function textOf(node: DocumentNode): string {
  if (!isElement(node)) return node
  return node.tag === 'br' ? '\n' : node.children.map(textOf).join('')
}

/** Padding around the document, in pixels. */
const EDGE = 24

export class Boxes {
  readonly #theme: Theme
  readonly #blocks: Readonly<Record<string, Style>>
  readonly #inlines: Readonly<Record<string, Style>>

  constructor(theme: Theme) {
    this.#theme = theme
    this.#blocks = blocks(theme)
    this.#inlines = inlines(theme)
  }

  /** Returns the whole document as one box. */
  of(root: ElementNode, width: number): Box {
    const { ground, words } = this.#theme
    const inner = box(
      { display: 'flex', flexDirection: 'column', width: width - 2 * EDGE },
      ...this.contents(root.children, 'left'),
    )
    return box(
      {
        display: 'flex',
        width,
        padding: EDGE,
        backgroundColor: ground,
        color: words,
        fontFamily: 'Sans',
        fontSize: 16,
        lineHeight: 1.45,
        wordBreak: 'break-word',
      },
      inner,
    )
  }

  /** Stacks contents: runs of text as words, block elements as boxes. */
  contents(nodes: readonly DocumentNode[], align: string): Box[] {
    const out: Box[] = []
    let run: DocumentNode[] = []
    const flush = (): void => {
      out.push(...wordBoxes(run, this.#inlines, align))
      run = []
    }
    for (const node of nodes) {
      if (!isElement(node) || !hasBlock(node)) run.push(node)
      else {
        flush()
        out.push(this.#block(node, align))
      }
    }
    flush()
    return out
  }

  #block(node: ElementNode, outerAlign: string): Box {
    const style: Style = { ...this.#blocks[node.tag], ...this.#inlines[node.tag], ...node.style }
    const { flexDirection = 'column', textAlign, ...own } = style
    const align = typeof textAlign === 'string' ? textAlign : outerAlign
    if (node.tag === 'hr')
      return box({ height: 1, backgroundColor: this.#theme.line, marginTop: 10, marginBottom: 10 }, '')
    if (node.tag === 'pre') {
      const lines = textOf(node).replace(/\n$/, '').split('\n')
      return box(
        { ...own, display: 'flex', flexDirection: 'column' },
        ...lines.map((text) => box({ whiteSpace: 'pre-wrap', wordBreak: 'break-all', minHeight: 20 }, text)),
      )
    }
    if (node.tag === 'table')
      return tableBox(node, {
        theme: this.#theme,
        style: own,
        contents: (nodes, at) => this.contents(nodes, at),
        textOf,
      })
    const children =
      node.tag === 'ul' || node.tag === 'ol' ? this.#items(node, align) : this.contents(node.children, align)
    return box({ maxWidth: '100%', ...own, display: 'flex', flexDirection }, ...children)
  }

  #items(list: ElementNode, align: string): Box[] {
    let number = list.start ?? 1
    return list.children.filter(isElement).map((item) => {
      const marker = list.tag === 'ol' ? `${number++}.` : '•'
      return box(
        { display: 'flex', flexDirection: 'row', marginBottom: 3 },
        box({ width: list.tag === 'ol' ? 32 : 20, flexShrink: 0, color: this.#theme.faint }, marker),
        box(
          { ...item.style, display: 'flex', flexDirection: 'column', flexGrow: 1, flexShrink: 1, flexBasis: 0 },
          ...this.contents(item.children, align),
        ),
      )
    })
  }
}

/** Returns whether an element is or contains a block element. */
function hasBlock(node: ElementNode): boolean {
  return BLOCKS.has(node.tag) || node.children.some((child) => isElement(child) && hasBlock(child))
}
