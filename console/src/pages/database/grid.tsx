import { memo } from 'preact/compat'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { currentLocale } from '../../lib/i18n.js'
import { Icon, Menu } from '../../ui/index.js'
import { CellInput, cellOf, type CellOptions } from './cell.js'
import {
  isNumeric,
  keyOf,
  markDelete,
  NOTHING,
  primaries,
  setCell,
  shownRow,
  undo,
  type Column,
  type Pending,
  type Row,
} from './model.js'
import { t } from './texts.js'

type Change = (next: (pending: Pending) => Pending) => void

export interface GridProps {
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  readonly pending: Pending
  readonly editable: boolean
  readonly name: string
  readonly dimmed: boolean
  /** Must stay the same function. */
  readonly onChange: Change
}

const REMOVED = { class: 'removed', text: 'removed', mark: '−' } as const
const EDITED = { class: 'edited', text: 'changed', mark: '~' } as const

export function Grid({ columns, rows, pending, editable, name, dimmed, onChange }: GridProps) {
  const typeOf = ({ type, nullable, primary }: Column): string => {
    if (nullable) return t('orNull', { type })
    return primary ? `${type}, ${t('key')}` : type
  }
  const naming = primaries(columns)[0]
  return (
    <div class="grid" tabIndex={0} role="group" aria-label={name}>
      <table class={dimmed ? 'dimmed' : undefined}>
        <caption class="sr">{name}</caption>
        <thead>
          <tr>
            <th scope="col" class="sign">
              <span class="sr">{t('changed')}</span>
            </th>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={headCss(column, column.name === naming)}>
                {column.name}
                <small>{typeOf(column)}</small>
              </th>
            ))}
            {editable ? (
              <th scope="col">
                <span class="sr">{t('actions')}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        {/* Rows that nothing new is given would keep the words of the former language. */}
        <tbody key={currentLocale()}>
          {pending.inserts.map((item) => (
            <NewRow
              key={item.id}
              id={item.id}
              row={item.row}
              columns={columns}
              editable={editable}
              onChange={onChange}
            />
          ))}
          {rows.map((row) => {
            const key = keyOf(row, columns)
            const deletion = Object.hasOwn(pending.deletes, key) ? pending.deletes[key] : undefined
            return (
              <GridRow
                key={key}
                id={key}
                row={row}
                columns={columns}
                update={pending.updates[key]}
                deletion={deletion}
                editable={editable}
                onChange={onChange}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const headCss = (column: Column, names: boolean): string | undefined =>
  [isNumeric(column) && 'num', names && 'names'].filter(Boolean).join(' ') || undefined

/** Which column of a row is edited; the cell gets the focus back. */
function useEditing() {
  const [editing, setEditing] = useState<string>()
  const line = useRef<HTMLTableRowElement>(null)
  const back = useRef<number | undefined>(undefined)
  // Wait until the button is rendered again.
  useLayoutEffect(() => {
    if (editing !== undefined || back.current === undefined) return
    line.current?.cells[back.current]?.querySelector('button')?.focus()
    back.current = undefined
  }, [editing])
  /** Returns a cell at rest or its field; the first cell of a row is the sign. */
  const cell = (index: number, options: Omit<CellOptions, 'onEdit'>, editable: boolean) => {
    const { column, value, onChange } = options
    if (editable && editing === column.name)
      return (
        <CellInput
          column={column}
          value={value}
          onChange={onChange}
          onEnd={(focus) => {
            if (focus) back.current = index + 1
            setEditing(undefined)
          }}
        />
      )
    return cellOf({ ...options, onEdit: editable ? () => setEditing(column.name) : undefined })
  }
  return { line, cell }
}

interface NewRowProps {
  readonly id: string
  readonly row: Row
  readonly columns: readonly Column[]
  readonly editable: boolean
  readonly onChange: Change
}

const NewRow = memo(({ id, row, columns, editable, onChange }: NewRowProps) => {
  const { line, cell } = useEditing()
  const set = (column: string, value: unknown): void =>
    onChange((pending) => ({
      ...pending,
      inserts: pending.inserts.map((item) =>
        item.id === id ? { ...item, row: { ...item.row, [column]: value } } : item,
      ),
    }))
  return (
    <tr ref={line} class="added">
      <td class="sign">
        <span class="sr">{t('added')}</span>
        <span aria-hidden="true">+</span>
      </td>
      {columns.map((column, index) => (
        <td key={column.name}>
          {cell(
            index,
            {
              column,
              value: row[column.name],
              unset: row[column.name] === undefined,
              onChange: (value) => set(column.name, value),
            },
            editable,
          )}
        </td>
      ))}
      {editable ? (
        <td>
          <button type="button" class="linkish" onClick={() => onChange((pending) => undo(pending, id))}>
            {t('undo')}
          </button>
        </td>
      ) : null}
    </tr>
  )
})

interface GridRowProps {
  readonly id: string
  readonly row: Row
  readonly columns: readonly Column[]
  readonly update: Pending['updates'][string] | undefined
  readonly deletion: Pending['deletes'][string] | undefined
  readonly editable: boolean
  readonly onChange: Change
}

const GridRow = memo(({ id, row, columns, update, deletion, editable, onChange }: GridRowProps) => {
  const { line, cell } = useEditing()
  const naming = primaries(columns)[0]
  const change = update?.change
  const gone = deletion !== undefined
  const now = shownRow(update ? { ...NOTHING, updates: { [id]: update } } : NOTHING, id, row)
  const error = update?.error ?? deletion?.error
  const edited = change ? EDITED : undefined
  const sign = gone ? REMOVED : edited
  const remove = (): void => onChange((pending) => markDelete(pending, id, row))
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Delete' || !editable || (event.target instanceof HTMLElement && event.target.matches('input')))
      return
    event.preventDefault()
    remove()
  }
  return (
    <tr ref={line} class={sign?.class} onKeyDown={onKeyDown} title={error ? t('failedRow', { error }) : undefined}>
      <td class="sign">
        {sign ? (
          <>
            <span class="sr">{t(sign.text)}</span>
            <span aria-hidden="true">{sign.mark}</span>
          </>
        ) : null}
      </td>
      {columns.map((column, index) => {
        const content = cell(
          index,
          {
            column,
            value: now[column.name],
            before: change && Object.hasOwn(change, column.name) ? { value: row[column.name] } : undefined,
            onChange: (value) => onChange((pending) => setCell(pending, id, row, column.name, value)),
          },
          editable && !gone && !column.primary,
        )
        return column.name === naming ? (
          <th key={column.name} scope="row" class="names">
            {content}
          </th>
        ) : (
          <td key={column.name}>{content}</td>
        )
      })}
      {editable ? (
        <td>
          {gone || change ? (
            <button type="button" class="linkish" onClick={() => onChange((pending) => undo(pending, id))}>
              {t('undo')}
            </button>
          ) : (
            <Menu
              label={t('actionsFor', { key: id })}
              items={[{ label: t('deleteRow'), danger: true, onSelect: remove }]}
            >
              <Icon name="more" />
            </Menu>
          )}
        </td>
      ) : null}
    </tr>
  )
})
