// A real table: caption, row header, sorted columns, one tab stop with arrow keys between the rows.
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'

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
  /** The part of the list that a row belongs to; a heading stands above the first row of each. */
  readonly group?: (row: T) => string
  /** `bad` or `amber` for the heading above a row. */
  readonly groupClass?: (row: T) => string | undefined
  readonly children?: ComponentChildren
}

export function Table<T>({
  caption,
  columns,
  rows,
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
  const [active, setActive] = useState(0)
  const body = useRef<HTMLTableSectionElement>(null)
  const current = Math.min(active, Math.max(0, rows.length - 1))

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLElement && event.target.closest('input,select,textarea,[role=menu]')) return
    if (event.key === 'Enter' && event.target instanceof HTMLTableRowElement) {
      // What names the row opens it, whatever else stands before.
      const opens =
        event.target.querySelector<HTMLElement>('th a,th button') ?? event.target.querySelector<HTMLElement>('a,button')
      opens?.click()
      return
    }
    const to = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: rows.length - 1 }[event.key]
    if (to === undefined || to < 0 || to >= rows.length) return
    event.preventDefault()
    setActive(to)
    body.current?.querySelectorAll<HTMLElement>(':scope > tr[tabindex]')[to]?.focus()
  }

  const sorted = ({ id }: Column<T>) => {
    if (sort === id) return 'ascending'
    return sort === `-${id}` ? 'descending' : undefined
  }
  return (
    <div class="table">
      <table class={dimmed ? 'dimmed' : undefined}>
        <caption class="sr">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                class={css(column)}
                aria-sort={column.sortable ? (sorted(column) ?? 'none') : undefined}
                style={column.width ? { width: column.width } : undefined}
              >
                {column.sortable && onSort ? (
                  <button type="button" onClick={() => onSort(sort === column.id ? `-${column.id}` : column.id)}>
                    {column.head}
                    <i aria-hidden="true">{{ ascending: '↑', descending: '↓', none: '' }[sorted(column) ?? 'none']}</i>
                  </button>
                ) : column.id === 'actions' ? (
                  <span class="sr">{column.head}</span>
                ) : (
                  column.head
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={onKeyDown}>
          {rows.map((row, index) => {
            const more = below?.(row)
            const before = rows[index - 1]
            const heading =
              group !== undefined && (before === undefined || group(before) !== group(row)) ? (
                <tr key={`group ${group(row)}`} class="group">
                  <th colSpan={columns.length} scope="colgroup" class={groupClass?.(row)}>
                    {group(row)}
                  </th>
                </tr>
              ) : null
            const cells = (
              <tr
                key={rowKey(row)}
                class={rowClass?.(row)}
                tabIndex={index === current ? 0 : -1}
                onFocusIn={() => setActive(index)}
              >
                {columns.map((column) =>
                  column.rowHeader ? (
                    <th key={column.id} scope="row" class={css(column)}>
                      {column.cell(row)}
                    </th>
                  ) : (
                    <td key={column.id} class={css(column)}>
                      {column.cell(row)}
                    </td>
                  ),
                )}
              </tr>
            )
            return (more === undefined || more === null) && !heading
              ? cells
              : [
                  heading,
                  cells,
                  more === undefined || more === null ? null : (
                    <tr key={`${rowKey(row)} below`} class="below">
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

const css = (column: { numeric?: boolean; wide?: boolean }): string | undefined =>
  [column.numeric && 'num', column.wide && 'wide'].filter(Boolean).join(' ') || undefined
