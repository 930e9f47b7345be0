// The layout engine has no lines of several styles, so each word becomes a box.
import { isElement, type DocumentNode, type Style } from './node.js'
import { box, type Box } from './box.js'

interface Piece {
  readonly text: string
  readonly style: Style
}

/** Longer words are broken at the end of a line. */
const LONG_WORD = 40
/** Width of a space. */
const SPACE = 5

/** Splits pieces into lines and collapses white space. */
function linesOf(nodes: readonly DocumentNode[], inlines: Readonly<Record<string, Style>>): Piece[][] {
  const lines: Piece[][] = [[]]
  const add = (node: DocumentNode, style: Style): void => {
    if (!isElement(node)) {
      const text = node.replace(/\s+/g, ' ')
      if (text !== '') lines.at(-1)?.push({ text, style })
    } else if (node.tag === 'br') lines.push([])
    else {
      const own = { ...style, ...inlines[node.tag], ...node.style }
      for (const child of node.children) add(child, own)
    }
  }
  for (const node of nodes) add(node, {})
  return lines
}

const isEmpty = (line: readonly Piece[]): boolean => line.every(({ text }) => text.trim() === '')

function textBox(text: string, style: Style): Box {
  return box(
    text.length > LONG_WORD
      ? { ...style, maxWidth: '100%', whiteSpace: 'pre-wrap', wordBreak: 'break-all' }
      : { ...style, whiteSpace: 'pre' },
    text,
  )
}

/** Splits a line into words. Pieces without a space between them stay together. */
function wordsOf(line: readonly Piece[]): Box[] {
  const words: Piece[][] = []
  let isOpen = false
  for (const { text, style } of line) {
    for (const [word = ''] of text.matchAll(/ |[^ ]+ ?/g)) {
      if (word === ' ') {
        const last = words.at(-1)
        const end = last?.at(-1)
        if (last && end && isOpen) last[last.length - 1] = { ...end, text: `${end.text} ` }
        isOpen = false
        continue
      }
      if (isOpen) words.at(-1)?.push({ text: word, style })
      else words.push([{ text: word, style }])
      isOpen = !word.endsWith(' ')
    }
  }
  return words.map((pieces, index) => {
    const next = words[index + 1]?.[0]
    const boxes = pieces.map(({ text, style }, at) => {
      // A space is underlined or coloured only between two such words.
      const isLoose = at === pieces.length - 1 && text.endsWith(' ') && next?.style !== style
      return isLoose ? textBox(text.trimEnd(), { ...style, marginRight: SPACE }) : textBox(text, style)
    })
    return boxes.length === 1 ? (boxes[0] as Box) : box({ display: 'flex' }, ...boxes)
  })
}

const ALIGN: Readonly<Record<string, string>> = { center: 'center', right: 'flex-end' }

/** Returns the boxes of a run of text, or nothing without words. */
export function wordBoxes(
  nodes: readonly DocumentNode[],
  inlines: Readonly<Record<string, Style>>,
  align: string,
): Box[] {
  const lines = linesOf(nodes, inlines)
  while (lines.length > 0 && isEmpty(lines.at(-1) as Piece[])) lines.pop()
  const shown = lines.map((line) => {
    if (isEmpty(line)) return box({ height: 12 }, '')
    const [first] = line as [Piece, ...Piece[]]
    // Text of one style can wrap by itself, which is much faster.
    if (line.every(({ style }) => style === first.style))
      return box(
        { ...first.style, textAlign: align },
        line
          .map(({ text }) => text)
          .join('')
          .trim(),
      )
    return box(
      {
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'baseline',
        ...(ALIGN[align] === undefined ? {} : { justifyContent: ALIGN[align] }),
      },
      ...wordsOf(line),
    )
  })
  return shown
}
