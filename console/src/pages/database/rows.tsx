// The rows of a table: edits wait in a bar until they are reviewed, deleted rows can be put back.
import type { TableInfo } from '@mynah/contract/types'
import { useEffect, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useWriteBlock } from '../../app/live.js'
import { toast } from '../../app/toasts.js'
import { usePageKeys } from '../../kit/page-keys.js'
import { useKeys } from '../../kit/use-keys.js'
import { failureOf } from '../../lib/failure.js'
import { t } from '../../lib/i18n.js'
import { pageNumber } from '../../lib/page-of.js'
import type { Query } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { useStore } from '../../lib/use-store.js'
import { Button, EmptyState, Icon, Menu, Pager } from '../../ui/index.js'
import { DraftBar, KeysHint, Loaded } from '../../ui/parts/index.js'
import { Cell } from './cell.js'
import { Conditions } from './conditions.js'
import { conditionsText, countOf, isNumeric, keyOf, keysOf, markDelete, NOTHING, pageSizeOf, parseConditions, primaries, setCell, shownRow, undo, whereOfConditions, type Column, type Pending, type Row } from './model.js'
import { pendingOf } from './pending-store.js'
import { Review } from './review.js'
import { p } from './texts.js'

export type TableQuery = Query<{ table: string; page: string; where: string; order: string }>
interface Page { readonly rows: readonly Row[]; readonly total: number; readonly page: number; readonly pageSize: number }
export interface RowsProps { readonly table: TableInfo; readonly query: TableQuery; readonly onBack: () => void }

const UNDO_MS = 10_000
let counter = 0

export function Rows({ table, query, onBack }: RowsProps) {
  const { page, where } = query.values
  const conditions = parseConditions(where)
  const declared: readonly Column[] = table.columns ?? []
  const key = `db:select ${table.name} ${page} ${where}`
  const rows = useResource<Page>(key, (signal) => host().rpc('db:select', { table: table.name, page: pageNumber(page), pageSize: pageSizeOf(declared), ...(conditions.length > 0 ? { where: whereOfConditions(conditions, declared) } : {}) }, { signal }), 'db:select')
  const columns = declared.length > 0 ? declared : keysOf(rows.data?.rows ?? []).map((name) => ({ name, type: '' }))
  const store = pendingOf(table.name)
  const pending = useStore(store)
  const [reviewing, setReviewing] = useState(false)
  const [deleted, setDeleted] = useState<readonly Row[]>([])
  const block = useWriteBlock()
  const named = primaries(columns).length > 0
  const editable = table.writable && named && block === undefined
  const count = countOf(pending)
  const set = (next: Pending): void => store.set(next)
  const addRow = (): void => { if (table.writable && block === undefined) set({ ...pending, inserts: [{ id: `new ${++counter}`, row: {} }, ...pending.inserts] }) }
  const keys = usePageKeys([['Enter', p('kEdit')], ['Alt 0', p('kNull')], ['Delete', p('kDelete')], ['N', p('kNew')]])
  useKeys({ 'n': addRow, 'Ctrl+s': () => { if (count > 0) setReviewing(true) } })
  useEffect(() => {
    if (deleted.length === 0) return
    const timer = setTimeout(() => setDeleted([]), UNDO_MS)
    return () => clearTimeout(timer)
  }, [deleted])
  const putBack = async (): Promise<void> => {
    const back = deleted
    setDeleted([])
    try {
      for (const row of back) await host().rpc('db:insert', { table: table.name, row })
      toast(p('restored'), 'ok')
    } catch (error) {
      toast(failureOf(error).text, 'err')
    } finally {
      rows.reload()
    }
  }
  const updates = Object.values(pending.updates)
  const total = rows.data?.total ?? 0
  return (
    <>
      <div class="strip-line db-tools">
        <span class="back-to-list"><button type="button" class="icon-button" aria-label={p('back')} onClick={onBack}><Icon name="back" /></button></span>
        <h2 class="sr">{table.name}</h2>
        <Conditions conditions={conditions} columns={columns} onChange={(next) => query.set({ where: conditionsText(next), page: '1' })} />
        {table.writable ? <Button onClick={addRow} hotkey="n" {...(block === undefined ? {} : { title: block })} disabled={block !== undefined}>{p('newRow')}</Button> : null}
        <span class="muted">{rows.data ? p('rows', { total: total }) : ''}</span>
      </div>
      {table.writable ? named ? null : <p class="strip-line muted">{p('noPrimary')}</p> : <p class="strip-line muted">{p('readOnlyText')}</p>}
      {deleted.length > 0 ? <p class="strip-line" role="status"><span class="grow">{p('deletedUndo', { count: deleted.length })}</span><Button onClick={() => void putBack()}>{p('undoDelete')}</Button></p> : null}
      <Loaded resource={rows} rows={12}>{({ rows: found, pageSize }) => (
        <>
          {found.length === 0 && pending.inserts.length === 0
            ? conditions.length > 0 ? <EmptyState title={p('noMatch')} action={<Button onClick={() => query.set({ where: '', page: '1' })}>{p('clear')}</Button>} /> : <EmptyState title={p('none')} action={table.writable ? <Button onClick={addRow}>{p('newRow')}</Button> : undefined} />
            : <Grid columns={columns} rows={found} pending={pending} editable={editable} name={table.name} dimmed={rows.loading} onChange={set} />}
          <Pager page={rows.data?.page ?? 1} totalPages={Math.ceil(total / pageSize)} total={total} onPage={(next) => query.set({ page: String(next) })} />
          {table.writable ? <div class="pad"><KeysHint keys={keys} /></div> : null}
        </>
      )}</Loaded>
      {count > 0 ? (
        <div class="db-bar"><DraftBar changes={p('changes', { count, table: table.name })} onDiscard={() => set(NOTHING)} onReview={() => setReviewing(true)} reviewLabel={p('review', { count })}>
          {[pending.inserts.length > 0 ? p('plusRows', { count: pending.inserts.length }) : '', updates.length > 0 ? p('tildeValues', { count: updates.reduce((sum, item) => sum + Object.keys(item.change).length, 0) }) : '', Object.keys(pending.deletes).length > 0 ? p('minusRows', { count: Object.keys(pending.deletes).length }) : ''].filter(Boolean).join('  ')}
        </DraftBar></div>
      ) : null}
      {reviewing ? <Review table={table.name} columns={columns} pending={pending} onChange={set} onClose={() => setReviewing(false)} onDone={(gone) => { setReviewing(false); setDeleted(gone); rows.reload() }} /> : null}
    </>
  )
}

interface GridProps { readonly columns: readonly Column[]; readonly rows: readonly Row[]; readonly pending: Pending; readonly editable: boolean; readonly name: string; readonly dimmed: boolean; readonly onChange: (pending: Pending) => void }

function Grid({ columns, rows, pending, editable, name, dimmed, onChange }: GridProps) {
  const typeOf = (column: Column): string => (column.nullable ? p('orNull', { type: column.type }) : column.primary ? `${column.type}, ${p('key')}` : column.type)
  const onDelete = (key: string, row: Row) => (event: KeyboardEvent): void => {
    if (event.key !== 'Delete' || !editable || (event.target instanceof HTMLElement && event.target.matches('input'))) return
    event.preventDefault()
    onChange(markDelete(pending, key, row))
  }
  return (
    <div class="grid" tabIndex={0} role="group" aria-label={name}>
      <table class={dimmed ? 'dimmed' : undefined}>
        <caption class="sr">{name}</caption>
        <thead><tr><th scope="col" class="sign"><span class="sr">{p('changed')}</span></th>{columns.map((column) => <th key={column.name} scope="col" class={isNumeric(column) ? 'num' : undefined}>{column.name}<small>{typeOf(column)}</small></th>)}{editable ? <th scope="col"><span class="sr">{t('actions')}</span></th> : null}</tr></thead>
        <tbody>
          {pending.inserts.map((item) => (
            <tr key={item.id} class="added">
              <td class="sign"><span class="sr">{p('added')}</span><span aria-hidden="true">+</span></td>
              {columns.map((column) => <td key={column.name}><Cell column={column} value={item.row[column.name]} unset={item.row[column.name] === undefined} editable={editable} onChange={(value) => onChange({ ...pending, inserts: pending.inserts.map((other) => (other.id === item.id ? { ...other, row: { ...other.row, [column.name]: value } } : other)) })} /></td>)}
              {editable ? <td><button type="button" class="linkish" onClick={() => onChange(undo(pending, item.id))}>{p('undo')}</button></td> : null}
            </tr>
          ))}
          {rows.map((row) => {
            const key = keyOf(row, columns)
            const change = pending.updates[key]?.change
            const gone = Object.hasOwn(pending.deletes, key)
            const now = shownRow(pending, key, row)
            const error = pending.updates[key]?.error ?? pending.deletes[key]?.error
            return (
              <tr key={key} class={gone ? 'removed' : change ? 'edited' : undefined} onKeyDown={onDelete(key, row)} title={error ? p('failedRow', { error }) : undefined}>
                <td class="sign">{gone ? <><span class="sr">{p('removed')}</span><span aria-hidden="true">−</span></> : change ? <><span class="sr">{p('changed')}</span><span aria-hidden="true">~</span></> : null}</td>
                {columns.map((column) => <td key={column.name}><Cell column={column} value={now[column.name]} before={change && Object.hasOwn(change, column.name) ? { value: row[column.name] } : undefined} editable={editable && !gone && !column.primary} onChange={(value) => onChange(setCell(pending, key, row, column.name, value))} /></td>)}
                {editable ? <td>{gone || change ? <button type="button" class="linkish" onClick={() => onChange(undo(pending, key))}>{p('undo')}</button> : <Menu label={p('actions', { key })} items={[{ label: p('deleteRow'), danger: true, onSelect: () => onChange(markDelete(pending, key, row)) }]}><Icon name="more" /></Menu>}</td> : null}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
