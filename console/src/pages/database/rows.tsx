// The rows of a table: edits wait in a bar until they are reviewed, deleted rows can be put back.
import type { TableInfo } from '@mynah/contract/types'
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useWriteBlock } from '../../app/event-stream.js'
import { toast } from '../../app/toasts.js'
import { usePageKeys } from '../../kit/page-keys.js'
import { useAction } from '../../kit/use-action.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { parsePageNumber } from '../../lib/paginate.js'
import type { Query } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { useStore } from '../../lib/use-store.js'
import { Button, Icon, Pager } from '../../ui/index.js'
import { DraftBar, KeysHint, Loaded } from '../../ui/parts/index.js'
import { Conditions } from './conditions.js'
import { Grid } from './grid.js'
import {
  conditionsText,
  countOf,
  keysOf,
  NOTHING,
  pageSizeOf,
  parseConditions,
  primaries,
  whereOfConditions,
  type Column,
  type Pending,
  type Row,
} from './model.js'
import { pendingOf } from './pending-store.js'
import { Review } from './review.js'
import { NoRows } from './no-rows.js'
import { t } from './texts.js'

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

const UNDO_MS = 10_000
let counter = 0

export function Rows({ table, query, onBack }: RowsProps) {
  const { page, where } = query.values
  const conditions = parseConditions(where)
  const declared: readonly Column[] = table.columns ?? []
  const key = `db:select ${table.name} ${page} ${where}`
  const rows = useResource<Page>(
    key,
    (signal) =>
      host().rpc(
        'db:select',
        {
          table: table.name,
          page: parsePageNumber(page),
          pageSize: pageSizeOf(declared),
          ...(conditions.length > 0 ? { where: whereOfConditions(conditions, declared) } : {}),
        },
        { signal },
      ),
    'db:select',
  )
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
      set({ ...pending, inserts: [{ id: `new ${++counter}`, row: {} }, ...pending.inserts] })
  }
  const keys = usePageKeys([
    ['Enter', t('kEdit')],
    ['Alt 0', t('kNull')],
    ['Delete', t('kDelete')],
    ['N', t('kNew')],
  ])
  useShortcuts({
    n: addRow,
    'Ctrl+s': () => {
      if (count > 0) setReviewing(true)
    },
  })
  const { deleted, setDeleted, restore } = useUndoDelete(table.name, rows.reload)
  const total = rows.data?.total ?? 0
  return (
    <>
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
        <span class="muted">{rows.data ? t('rows', { total: total }) : ''}</span>
      </div>
      {table.writable && named ? null : (
        <p class="strip-line muted">{t(table.writable ? 'noPrimary' : 'readOnlyText')}</p>
      )}
      {deleted.length > 0 ? (
        <p class="strip-line" role="status">
          <span class="grow">{t('deletedUndo', { count: deleted.length })}</span>
          <Button onClick={() => restore.run()} busy={restore.busy} {...restore.blocked}>
            {t('undoDelete')}
          </Button>
        </p>
      ) : null}
      <Loaded resource={rows} rows={12}>
        {({ rows: found, pageSize }) => (
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
                onChange={change}
              />
            )}
            <Pager
              page={rows.data?.page ?? 1}
              totalPages={Math.ceil(total / pageSize)}
              total={total}
              onPage={(next) => query.set({ page: String(next) })}
            />
            {table.writable ? (
              <div class="pad">
                <KeysHint keys={keys} />
              </div>
            ) : null}
          </>
        )}
      </Loaded>
      {count > 0 ? (
        <div class="db-bar">
          <DraftBar
            changes={t('changes', { count, table: table.name })}
            onDiscard={() => set(NOTHING)}
            onReview={() => setReviewing(true)}
            reviewLabel={t('review', { count })}
          >
            {pendingSummary(pending)}
          </DraftBar>
        </div>
      ) : null}
      {reviewing ? (
        <Review
          table={table.name}
          columns={columns}
          pending={pending}
          onChange={set}
          onClose={() => setReviewing(false)}
          onDone={(gone) => {
            setReviewing(false)
            setDeleted(gone)
            rows.reload()
          }}
        />
      ) : null}
    </>
  )
}

/** Keeps deleted rows for a while, so that they can be inserted again. */
function useUndoDelete(table: string, onRestored: () => void) {
  const [deleted, setDeleted] = useState<readonly Row[]>([])
  const block = useWriteBlock()
  // The time stops while writing is blocked.
  useEffect(() => {
    if (deleted.length === 0 || block !== undefined) return
    const timer = setTimeout(() => setDeleted([]), UNDO_MS)
    return () => clearTimeout(timer)
  }, [deleted, block])
  const restore = useAction(async () => {
    let remaining = deleted
    try {
      for (const row of deleted) {
        await host().rpc('db:insert', { table, row })
        remaining = remaining.filter((other) => other !== row)
      }
      toast(t('restored'), 'ok')
    } finally {
      // Offer refused rows again.
      setDeleted(remaining)
      onRestored()
    }
  })
  return { deleted, setDeleted, restore }
}

function pendingSummary({ inserts, updates, deletes }: Pending): string {
  const values = Object.values(updates).reduce((sum, item) => sum + Object.keys(item.change).length, 0)
  const gone = Object.keys(deletes).length
  return [
    inserts.length > 0 ? t('plusRows', { count: inserts.length }) : '',
    values > 0 ? t('tildeValues', { count: values }) : '',
    gone > 0 ? t('minusRows', { count: gone }) : '',
  ]
    .filter(Boolean)
    .join('  ')
}
