import type { TableInfo } from '@mynah/contract/types'
import { useCallback, useMemo, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useWriteBlock } from '../../app/event-stream.js'
import { LazyPage } from '../../app/lazy-page.js'
import { usePageKeys, type KeyRow } from '../../kit/page-keys.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { lazyPart } from '../../lib/lazy-part.js'
import { parsePageNumber } from '../../lib/paginate.js'
import type { Query } from '../../lib/router.js'
import { useResource, type Resource } from '../../lib/use-resource.js'
import { useStore } from '../../lib/use-store.js'
import { Button, Icon, Pager } from '../../ui/index.js'
import { KeysHint, Loaded } from '../../ui/parts/index.js'
import { Conditions } from './conditions.js'
import { Grid } from './grid.js'
import {
  conditionsText,
  countOf,
  keysOf,
  pageSizeOf,
  parseConditions,
  primaries,
  whereOfConditions,
  type Column,
  type Condition,
  type Pending,
  type Row,
} from './model.js'
import { PendingBar } from './pending-bar.js'
import { pendingOf } from './pending-store.js'
import { t } from './texts.js'
import { UndoLine, useUndoDelete } from './undo-delete.js'

export type TableQuery = Query<{ table: string; page: string; where: string; order: string }>
interface Page {
  readonly rows: readonly Row[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
}
export interface RowsProps {
  readonly table: TableInfo
  readonly query: TableQuery
  readonly onBack: () => void
}

const NoRows = lazyPart(async () => (await import('./no-rows.js')).NoRows)
const loadReview = () => import('./review.js').then((module) => module.Review)

let counter = 0
/** Returns a name that no row of an earlier visit has. */
const newId = (): string => `new ${Date.now().toString(36)}-${++counter}`

export function Rows({ table, query, onBack }: RowsProps) {
  const { page, where, order } = query.values
  const conditions = parseConditions(where)
  const declared: readonly Column[] = table.columns ?? []
  const key = `db:select ${table.name} ${page} ${order} ${where}`
  const rows = useRows({ key, table, page, order, declared, conditions })
  const columns = useMemo(
    () => (declared.length > 0 ? declared : keysOf(rows.data?.rows ?? []).map((name) => ({ name, type: '' }))),
    [table.columns, rows.data],
  )
  const store = pendingOf(table.name)
  const pending = useStore(store)
  const [reviewing, setReviewing] = useState(false)
  const block = useWriteBlock()
  const named = primaries(columns).length > 0
  const editable = table.writable && named && block === undefined
  const count = countOf(pending)
  const set = (next: Pending): void => store.set(next)
  const change = useCallback((next: (pending: Pending) => Pending) => store.set(next(store.get())), [store])
  const addRow = (): void => {
    if (table.writable && block === undefined)
      set({ ...pending, inserts: [{ id: newId(), row: {} }, ...pending.inserts] })
  }
  const keys = useRowKeys(addRow, () => {
    if (count > 0) setReviewing(true)
  })
  const { deleted, setDeleted, restore } = useUndoDelete(table.name, rows.reload)
  const state: TableState = { table, query, conditions, columns, rows, addRow }
  return (
    <>
      <RowTools state={state} block={block} onBack={onBack} />
      {table.writable && named ? null : (
        <p class="strip-line muted">{t(table.writable ? 'noPrimary' : 'readOnlyText')}</p>
      )}
      <UndoLine deleted={deleted} restore={restore} />
      <PageOfRows state={state} pending={pending} editable={editable} keys={keys} onChange={change} />
      <PendingBar count={count} table={table} onChange={set} onReview={setReviewing} pending={pending} />
      {reviewing ? (
        <LazyPage
          load={loadReview}
          props={{
            table: table.name,
            columns,
            pending,
            onChange: set,
            onClose: () => setReviewing(false),
            onDone: (gone) => {
              setReviewing(false)
              setDeleted(gone)
              rows.reload()
            },
          }}
        />
      ) : null}
    </>
  )
}

/** The table of the page, with the page of its rows that the address names. */
interface TableState {
  readonly table: TableInfo
  readonly query: TableQuery
  readonly conditions: readonly Condition[]
  readonly columns: readonly Column[]
  readonly rows: Resource<Page>
  readonly addRow: () => void
}

interface PageOfRowsProps {
  readonly state: TableState
  readonly pending: Pending
  readonly editable: boolean
  readonly keys: readonly KeyRow[]
  readonly onChange: (next: (pending: Pending) => Pending) => void
}

function PageOfRows({ state, pending, editable, keys, onChange }: PageOfRowsProps) {
  const { table, query, conditions, columns, rows, addRow } = state
  return (
    <Loaded resource={rows} rows={12}>
      {({ rows: found, page, pageSize, total }) => (
        <>
          {found.length === 0 && pending.inserts.length === 0 ? (
            <NoRows
              narrowed={conditions.length > 0}
              onClear={() => query.set({ where: '', page: '1' })}
              onAdd={table.writable ? addRow : undefined}
            />
          ) : (
            <Grid
              columns={columns}
              rows={found}
              pending={pending}
              editable={editable}
              name={table.name}
              dimmed={rows.loading}
              sort={query.values.order}
              onSort={(order) => query.set({ order, page: '1' })}
              onChange={onChange}
            />
          )}
          <Pager
            page={page}
            totalPages={Math.ceil(total / pageSize)}
            total={total}
            onPage={(next, options) => query.set({ page: String(next) }, options)}
          />
          {table.writable ? (
            <div class="pad">
              <KeysHint keys={keys} />
            </div>
          ) : null}
        </>
      )}
    </Loaded>
  )
}

interface RowToolsProps {
  readonly state: TableState
  /** Why nothing can be written now. */
  readonly block: string | undefined
  readonly onBack: () => void
}

function RowTools({ state, block, onBack }: RowToolsProps) {
  const { table, query, conditions, columns, rows, addRow } = state
  return (
    <div class="strip-line db-tools">
      <span class="back-to-list">
        <button type="button" class="icon-button" aria-label={t('back')} onClick={onBack}>
          <Icon name="back" />
        </button>
      </span>
      <h2 class="sr">{table.name}</h2>
      <Conditions
        conditions={conditions}
        columns={columns}
        onChange={(next) => query.set({ where: conditionsText(next), page: '1' })}
      />
      {table.writable ? (
        <Button
          onClick={addRow}
          hotkey="n"
          {...(block === undefined ? {} : { title: block })}
          disabled={block !== undefined}
        >
          {t('newRow')}
        </Button>
      ) : null}
      <span class="muted">{rows.data ? t('rows', { total: rows.data.total }) : ''}</span>
    </div>
  )
}

interface UseRowsInput {
  readonly key: string
  readonly table: TableInfo
  readonly page: string
  /** `name` ascending, `-name` descending. */
  readonly order: string
  readonly declared: readonly Column[]
  readonly conditions: readonly Condition[]
}

const orderOf = (sort: string): Record<string, 'asc' | 'desc'> =>
  sort.startsWith('-') ? { [sort.slice(1)]: 'desc' } : { [sort]: 'asc' }

/** Loads a page of a table. */
function useRows({ key, table, page, order, declared, conditions }: UseRowsInput) {
  return useResource<Page>(
    key,
    (signal) =>
      host().rpc(
        'db:select',
        {
          table: table.name,
          page: parsePageNumber(page),
          pageSize: pageSizeOf(declared),
          ...(order ? { order: orderOf(order) } : {}),
          ...(conditions.length > 0 ? { where: whereOfConditions(conditions, declared) } : {}),
        },
        { signal },
      ),
    'db:select',
  )
}

function useRowKeys(onAdd: () => void, onSave: () => void) {
  useShortcuts({ n: onAdd, 'Ctrl+s': onSave })
  return usePageKeys([
    ['↑ ↓ ← →', t('kMove')],
    ['Enter F2', t('kEdit')],
    ['Alt 0', t('kNull')],
    ['Delete', t('kDelete')],
    ['N', t('kNew')],
  ])
}
