import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useRowsInSteps } from '../lib/use-rows-in-steps.js'

/** Rows that are drawn in one task. */
const STEP = 8

export interface Column<T> {
  readonly id: string
  readonly head: string
  readonly cell: (row: T) => ComponentChildren
  /** The cell that names the row. */
  readonly rowHeader?: boolean
  readonly numeric?: boolean
  /** The head is a button that sorts by this column. */
  readonly sortable?: boolean
  /** Left out on narrow screens. */
  readonly wide?: boolean
  readonly width?: string
}

export interface TableProps<T> {
  readonly caption: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly rowKey: (row: T) => string
  /** `name` ascending, `-name` descending. */
  readonly sort?: string
  readonly onSort?: (sort: string) => void
  /** The rows are older than what is being loaded. */
  readonly dimmed?: boolean
  /** A row across all columns below one, as for why it failed. */
  readonly below?: (row: T) => ComponentChildren
  readonly rowClass?: (row: T) => string | undefined
  /** The part of the list that a row belongs to. The first row of each gets a heading. */
  readonly group?: (row: T) => string
  /** `bad` or `amber` for the heading above a row. */
  readonly groupClass?: (row: T) => string | undefined
  readonly children?: ComponentChildren
}

/** Shows a table with one tab stop; arrow keys move between its rows. */
export function Table<T>({
  caption,
  columns,
  rows: all,
  rowKey,
  sort,
  onSort,
  dimmed,
  below,
  rowClass,
  group,
  groupClass,
  children,
}: TableProps<T>) {
  const rows = useRowsInSteps(all, rowKey, STEP)
  const { body, current, setCurrent, onKeyDown } = useRowFocus(rows.length)
  return (
    <div class="table">
      <table class={dimmed ? 'dimmed' : undefined}>
        <caption class="sr">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={onKeyDown}>
          {rows.map((row, index) => {
            const key = rowKey(row)
            const more = below?.(row) ?? null
            const before = rows[index - 1]
            const title = group?.(row)
            const startsGroup = group !== undefined && (before === undefined || group(before) !== title)
            const cells = (
              <tr
                key={key}
                class={rowClass?.(row)}
                tabIndex={index === current ? 0 : -1}
                onFocusIn={() => setCurrent(index)}
              >
                {columns.map((column) => {
                  const Cell = column.rowHeader ? 'th' : 'td'
                  return (
                    <Cell key={column.id} scope={column.rowHeader ? 'row' : undefined} class={css(column)}>
                      {column.cell(row)}
                    </Cell>
                  )
                })}
              </tr>
            )
            if (more === null && !startsGroup) return cells
            return [
              startsGroup && (
                <tr key={`group ${key}`} class="group">
                  <th colSpan={columns.length} scope="colgroup" class={groupClass?.(row)}>
                    {title}
                  </th>
                </tr>
              ),
              cells,
              more !== null && (
                <tr key={`${key} below`} class="below">
                  <td colSpan={columns.length}>{more}</td>
                </tr>
              ),
            ]
          })}
        </tbody>
      </table>
      {children}
    </div>
  )
}

/** Moves the focus between `count` rows by arrow keys. Enter opens a row. */
function useRowFocus(count: number) {
  const [active, setActive] = useState(0)
  const body = useRef<HTMLTableSectionElement>(null)
  const current = Math.min(active, Math.max(0, count - 1))

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLElement && event.target.closest('input,select,textarea,[role=menu]')) return
    if (event.key === 'Enter' && event.target instanceof HTMLTableRowElement) {
      // Prefer the link in the row header, even if other cells come first.
      const opens =
        event.target.querySelector<HTMLElement>('th a,th button') ?? event.target.querySelector<HTMLElement>('a,button')
      opens?.click()
      return
    }
    const to = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: count - 1 }[event.key]
    if (to === undefined || to < 0 || to >= count) return
    event.preventDefault()
    setActive(to)
    body.current?.querySelectorAll<HTMLElement>(':scope > tr[tabindex]')[to]?.focus()
  }
  return { body, current, setCurrent: setActive, onKeyDown }
}

const ARROWS = { ascending: '↑', descending: '↓', none: '' } as const

interface HeadCellProps<T> {
  readonly column: Column<T>
  readonly sort: string | undefined
  readonly onSort: ((sort: string) => void) | undefined
}

function HeadCell<T>({ column, sort, onSort }: HeadCellProps<T>) {
  const { id, head, sortable, width } = column
  let order: keyof typeof ARROWS = 'none'
  if (sort === id) order = 'ascending'
  else if (sort === `-${id}`) order = 'descending'
  let content: ComponentChildren = head
  if (sortable && onSort)
    content = (
      <button type="button" onClick={() => onSort(sort === id ? `-${id}` : id)}>
        {head}
        <i aria-hidden="true">{ARROWS[order]}</i>
      </button>
    )
  else if (id === 'actions') content = <span class="sr">{head}</span>
  return (
    <th scope="col" class={css(column)} aria-sort={sortable ? order : undefined} style={width ? { width } : undefined}>
      {content}
    </th>
  )
}

const css = (column: { numeric?: boolean; wide?: boolean }): string | undefined =>
  [column.numeric && 'num', column.wide && 'wide'].filter(Boolean).join(' ') || undefined
