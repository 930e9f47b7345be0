import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useRowsInSteps } from '../../lib/use-rows-in-steps.js'
import { useGridFocus } from '../../kit/use-grid-focus.js'
import { currentLocale } from '../../lib/i18n.js'
import { GridRow, NewRow, type Edit } from './grid-row.js'
import {
  isEditable,
  isNumeric,
  keyOf,
  markDelete,
  primaries,
  setCell,
  setNewCell,
  undo,
  type Column,
  type Pending,
  type Row,
} from './model.js'
import { t } from './texts.js'

/** Rows that are drawn in one task. */
const STEP = 25

export interface GridProps {
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  readonly pending: Pending
  readonly editable: boolean
  readonly name: string
  readonly dimmed: boolean
  /** `name` ascending, `-name` descending. */
  readonly sort: string
  /** Must stay the same function. */
  readonly onChange: (next: (pending: Pending) => Pending) => void
  readonly onSort: (sort: string) => void
}

/** A cell by the id of its row. */
interface Cell {
  readonly id: string
  readonly column: Column
}

export function Grid({ columns, rows: loaded, pending, editable, name, dimmed, sort, onChange, onSort }: GridProps) {
  const grid = useGridFocus<HTMLDivElement>()
  const rows = useRowsInSteps(loaded, (row) => keyOf(row, columns), STEP)
  const [editing, setEditing] = useState<Cell>()
  const ids = [...pending.inserts.map((item) => item.id), ...rows.map((row) => keyOf(row, columns))]
  const rowOf = (id: string): Row | undefined => rows[ids.indexOf(id) - pending.inserts.length]

  const rowIdOf = (target: Element): string | undefined =>
    ids[target.closest<HTMLTableRowElement>('tbody tr')?.sectionRowIndex ?? -1]
  const cellAt = (target: Element): Cell | undefined => {
    const id = rowIdOf(target)
    const column = columns[(target.closest<HTMLTableCellElement>('td, th')?.cellIndex ?? 0) - 1]
    return id === undefined || !column ? undefined : { id, column }
  }
  const mayEdit = ({ id, column }: Cell): boolean => editable && isEditable(pending, id, column)
  const put = ({ id, column }: Cell, value: unknown): void => {
    const row = rowOf(id)
    onChange((now) => (row ? setCell(now, id, row, column.name, value) : setNewCell(now, id, column.name, value)))
  }
  const remove = (id: string): void => {
    const row = rowOf(id)
    onChange((now) => (row ? markDelete(now, id, row) : undo(now, id)))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target instanceof Element) || event.target.matches('input')) return
    const cell = cellAt(event.target)
    const run = cell && actionOf(event, { cell, mayEdit, edit: setEditing, put, remove: editable ? remove : undefined })
    if (!run) return grid.onKeyDown(event)
    event.preventDefault()
    run()
  }
  const onClick = ({ target }: MouseEvent): void => {
    const pressed = target instanceof Element ? target.closest('button.cell, button.remove') : null
    if (!pressed) return
    if (pressed.matches('.remove')) return remove(rowIdOf(pressed) ?? '')
    const cell = cellAt(pressed)
    if (cell && mayEdit(cell)) setEditing(cell)
  }
  const onEnd = useFocusBack(grid, editing, setEditing)
  const editOf = (id: string): Edit | undefined =>
    editing?.id === id ? { column: editing.column.name, onChange: (value) => put(editing, value), onEnd } : undefined
  return (
    <div class="grid" ref={grid.box} onKeyDown={onKeyDown} onClick={onClick} onFocusIn={grid.onFocusIn}>
      <table role="grid" class={dimmed ? 'dimmed' : undefined}>
        <caption class="sr">{name}</caption>
        <Head columns={columns} editable={editable} sort={sort} onSort={onSort} />
        {/* Rows that nothing new is given would keep the words of the former language. */}
        <tbody key={currentLocale()}>
          {pending.inserts.map(({ id, row }) => (
            <NewRow
              key={id}
              id={id}
              row={row}
              columns={columns}
              editable={editable}
              edit={editOf(id)}
              onChange={onChange}
            />
          ))}
          {/* By their place: another page changes the words in the cells, which is faster than new cells. */}
          {rows.map((row, index) => {
            const id = ids[pending.inserts.length + index] ?? ''
            return (
              <GridRow
                key={index}
                id={id}
                row={row}
                columns={columns}
                update={pending.updates[id]}
                deletion={Object.hasOwn(pending.deletes, id) ? pending.deletes[id] : undefined}
                editable={editable}
                edit={editOf(id)}
                onChange={onChange}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

interface Actions {
  readonly cell: Cell
  readonly mayEdit: (cell: Cell) => boolean
  readonly edit: (cell: Cell) => void
  readonly put: (cell: Cell, value: unknown) => void
  readonly remove: ((id: string) => void) | undefined
}

/** Returns what a key does with a cell, or undefined. Enter presses the cell. */
function actionOf(event: KeyboardEvent, { cell, mayEdit, edit, put, remove }: Actions): (() => void) | undefined {
  const { key, altKey } = event
  if (key === 'Delete' && remove) return () => remove(cell.id)
  if (!mayEdit(cell)) return undefined
  if (key === 'F2') return () => edit(cell)
  return key === '0' && altKey ? () => put(cell, null) : undefined
}

/** Returns what ends the edit of a cell, which gets the focus back. */
function useFocusBack(
  { place, focus }: Pick<ReturnType<typeof useGridFocus>, 'place' | 'focus'>,
  editing: Cell | undefined,
  setEditing: (cell: undefined) => void,
): (back: boolean) => void {
  const isDue = useRef(false)
  // Wait until the cell is rendered again.
  useLayoutEffect(() => {
    if (editing !== undefined || !isDue.current) return
    isDue.current = false
    focus(place.current)
  }, [editing])
  return (back) => {
    isDue.current = back
    setEditing(undefined)
  }
}

interface HeadProps {
  readonly columns: readonly Column[]
  readonly editable: boolean
  readonly sort: string
  readonly onSort: (sort: string) => void
}

function Head({ columns, editable, sort, onSort }: HeadProps) {
  const naming = primaries(columns)[0]
  return (
    <thead>
      <tr>
        <th scope="col" class="sign">
          <span class="sr">{t('changed')}</span>
        </th>
        {columns.map((column) => (
          <HeadCell key={column.name} column={column} names={column.name === naming} sort={sort} onSort={onSort} />
        ))}
        {editable ? (
          <th scope="col">
            <span class="sr">{t('actions')}</span>
          </th>
        ) : null}
      </tr>
    </thead>
  )
}

interface HeadCellProps {
  readonly column: Column
  readonly names: boolean
  readonly sort: string
  readonly onSort: (sort: string) => void
}

const ARROWS = { ascending: ' ↑', descending: ' ↓', none: '' } as const

function orderOf(name: string, sort: string): keyof typeof ARROWS {
  if (sort === name) return 'ascending'
  return sort === `-${name}` ? 'descending' : 'none'
}

function HeadCell({ column, names, sort, onSort }: HeadCellProps) {
  const { name } = column
  const order = orderOf(name, sort)
  // Ascending, descending, and the order of the table.
  const next = { none: name, ascending: `-${name}`, descending: '' }[order]
  const css = [isNumeric(column) && 'num', names && 'names'].filter(Boolean).join(' ')
  return (
    <th scope="col" class={css || undefined} aria-sort={order}>
      <button type="button" tabIndex={-1} title={t('order', { column: name })} onClick={() => onSort(next)}>
        {name}
        <i aria-hidden="true">{ARROWS[order]}</i>
        <small>{typeOf(column)}</small>
      </button>
    </th>
  )
}

function typeOf({ type, nullable, primary }: Column): string {
  if (nullable) return t('orNull', { type })
  return primary ? `${type}, ${t('key')}` : type
}
