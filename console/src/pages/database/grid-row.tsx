import { memo } from 'preact/compat'
import { Icon } from '../../ui/index.js'
import { CellInput, cellOf } from './cell.js'
import { NOTHING, primaries, shownRow, undo, type Column, type Pending, type Row } from './model.js'
import { t } from './texts.js'

/** The cell of a row that is being edited. */
export interface Edit {
  readonly column: string
  readonly onChange: (value: unknown) => void
  /** Ends the edit; the cell gets the focus back if a key did it. */
  readonly onEnd: (back: boolean) => void
}

interface LineProps {
  readonly id: string
  readonly row: Row
  readonly columns: readonly Column[]
  readonly editable: boolean
  readonly edit: Edit | undefined
  /** Must stay the same function. */
  readonly onChange: (next: (pending: Pending) => Pending) => void
}

export interface GridRowProps extends LineProps {
  readonly update: Pending['updates'][string] | undefined
  readonly deletion: Pending['deletes'][string] | undefined
}

const SIGNS = {
  removed: { text: 'removed', mark: '−' },
  edited: { text: 'changed', mark: '~' },
  added: { text: 'added', mark: '+' },
} as const
type Sign = keyof typeof SIGNS

// Rows have no state and no handlers of their own: a slow machine must draw hundreds of cells at once.

export const NewRow = memo(({ id, row, columns, editable, edit, onChange }: LineProps) => (
  <tr class="added">
    <SignCell sign="added" />
    {columns.map((column) => {
      const value = row[column.name]
      const content =
        edit?.column === column.name ? (
          <CellInput column={column} value={value} onChange={edit.onChange} onEnd={edit.onEnd} />
        ) : (
          cellOf({ column, value, unset: value === undefined, editable })
        )
      return <td key={column.name}>{content}</td>
    })}
    {editable ? <UndoCell id={id} onChange={onChange} /> : null}
  </tr>
))

export const GridRow = memo(({ id, row, columns, update, deletion, editable, edit, onChange }: GridRowProps) => {
  const naming = primaries(columns)[0]
  const change = update?.change
  const now = update ? shownRow({ ...NOTHING, updates: { [id]: update } }, id, row) : row
  const error = update?.error ?? deletion?.error
  const sign = signOf(change, deletion)
  return (
    <tr class={sign} title={error ? t('failedRow', { error }) : undefined}>
      <SignCell sign={sign} />
      {columns.map((column) => {
        const value = now[column.name]
        const content =
          edit?.column === column.name ? (
            <CellInput column={column} value={value} onChange={edit.onChange} onEnd={edit.onEnd} />
          ) : (
            cellOf({
              column,
              value,
              before: change && Object.hasOwn(change, column.name) ? { value: row[column.name] } : undefined,
              editable: editable && !deletion && !column.primary,
            })
          )
        return column.name === naming ? (
          <th key={column.name} scope="row" class="names">
            {content}
          </th>
        ) : (
          <td key={column.name}>{content}</td>
        )
      })}
      {editable ? <ActionCell id={id} sign={sign} onChange={onChange} /> : null}
    </tr>
  )
})

function signOf(change: Row | undefined, deletion: GridRowProps['deletion']): Sign | undefined {
  if (deletion) return 'removed'
  return change ? 'edited' : undefined
}

function SignCell({ sign }: { readonly sign: Sign | undefined }) {
  return (
    <td class="sign">
      {sign ? (
        <>
          <span class="sr">{t(SIGNS[sign].text)}</span>
          <span aria-hidden="true">{SIGNS[sign].mark}</span>
        </>
      ) : null}
    </td>
  )
}

interface ActionCellProps extends Pick<LineProps, 'id' | 'onChange'> {
  readonly sign: Sign | undefined
}

function ActionCell({ id, sign, onChange }: ActionCellProps) {
  return sign ? (
    <UndoCell id={id} onChange={onChange} />
  ) : (
    <td>
      <button type="button" class="icon-button remove" tabIndex={-1} aria-label={t('deleteOf', { key: id })}>
        <Icon name="close" />
      </button>
    </td>
  )
}

function UndoCell({ id, onChange }: Omit<ActionCellProps, 'sign'>) {
  return (
    <td>
      <button type="button" class="linkish" tabIndex={-1} onClick={() => onChange((pending) => undo(pending, id))}>
        {t('undo')}
      </button>
    </td>
  )
}
