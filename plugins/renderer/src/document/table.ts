// The layout engine has no tables, so columns share the width by the length of their content.
import { WireError } from '@mynah/contract'
import { box, type Box } from './box.js'
import { isElement, type DocumentNode, type ElementNode, type Style } from './node.js'
import type { Theme } from './theme.js'

const MAX_COLUMNS = 16
/** Bounds of the characters that a column counts for. */
const LEAST = 4
const MOST = 40

export interface TableParts {
  readonly theme: Theme
  readonly style: Style
  readonly contents: (nodes: readonly DocumentNode[], align: string) => Box[]
  readonly textOf: (node: DocumentNode) => string
}

const rowsOf = (node: ElementNode): ElementNode[] =>
  node.children.filter(isElement).flatMap((child) => (child.tag === 'tr' ? [child] : rowsOf(child)))
const cellsOf = (row: ElementNode): ElementNode[] =>
  row.children.filter(isElement).filter(({ tag }) => tag === 'td' || tag === 'th')

export function tableBox(table: ElementNode, { theme, style, contents, textOf }: TableParts): Box {
  const rows = rowsOf(table).map(cellsOf)
  const columns = Math.max(0, ...rows.map((cells) => cells.length))
  if (columns > MAX_COLUMNS) throw new WireError('too_large', `It has a table of more than ${MAX_COLUMNS} columns`)
  const weights = Array.from({ length: columns }, (_, at) =>
    Math.min(MOST, Math.max(LEAST, ...rows.map((cells) => (cells[at] ? textOf(cells[at]).trim().length : 0)))),
  )
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const line = { borderStyle: 'solid', borderColor: theme.line } as const
  return box(
    { marginBottom: 10, ...style, ...line, borderWidth: 1, borderRadius: 6, display: 'flex', flexDirection: 'column' },
    ...rows.map((cells, index) =>
      box(
        { ...line, borderWidth: 0, borderTopWidth: index === 0 ? 0 : 1, display: 'flex', flexDirection: 'row' },
        ...weights.map((weight, at) => {
          const cell = cells[at]
          const { textAlign, flexDirection: _, ...own } = cell?.style ?? {}
          const isHead = cell?.tag === 'th'
          return box(
            {
              ...(isHead ? { fontWeight: 700, backgroundColor: theme.panel } : {}),
              ...own,
              width: `${(weight / all) * 100}%`,
              padding: 6,
              display: 'flex',
              flexDirection: 'column',
            },
            ...contents(cell?.children ?? [], typeof textAlign === 'string' ? textAlign : 'left'),
          )
        }),
      ),
    ),
  )
}
