import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { useNow } from '../../kit/use-now.js'
import { timeLeft } from '../../kit/time-format.js'
import { parsePageNumber } from '../../lib/paginate.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, EmptyState, Icon, Pager, Table, type Column } from '../../ui/index.js'
import { Loaded } from '../../ui/parts/index.js'
import { parseConditions, conditionsText, whereOfConditions, type Condition } from './model.js'
import type { RowsProps, TableQuery } from './rows.js'
import { Conditions } from './conditions.js'
import { EntryEditor, type Entry } from './entry-editor.js'
import { NoRows } from './no-rows.js'
import { t } from './texts.js'
import type { TableInfo } from '@mynah/contract/types'

interface Page {
  readonly entries: readonly Entry[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
}

const PAGE_SIZE = 50

export function Entries({ table, query, onBack }: RowsProps) {
  const { page, where } = query.values
  const now = useNow(1000)
  const kv = table.kind === 'keyvalue'
  const conditions = kv ? [] : parseConditions(where)
  const [open, setOpen] = useState<Entry | 'new'>()
  const rows = useEntries({ kv, table, page, where, conditions })
  const add = (): void => setOpen('new')
  useShortcuts({
    n: () => {
      if (table.writable) add()
    },
  })
  // Hide expired entries, even if they were loaded.
  const loaded = rows.data?.entries ?? []
  const shown = loaded.filter((entry) => entry.expiresAt === undefined || entry.expiresAt > now)
  const total = (rows.data?.total ?? 0) - (loaded.length - shown.length)
  const fields = fieldsOf(shown)
  return (
    <>
      <EntryTools table={table} query={query} conditions={conditions} fields={fields} onAdd={add} onBack={onBack}>
        {rows.data ? t('entries', { total }) : ''}
      </EntryTools>
      {table.writable ? null : <p class="strip-line muted">{t('readOnlyText')}</p>}
      <div class="db-split">
        <div class="section">
          <Loaded resource={rows} rows={12}>
            {({ pageSize }) => (
              <>
                {shown.length === 0 ? (
                  <NoRows
                    narrowed={conditions.length > 0}
                    onClear={() => query.set({ where: '', page: '1' })}
                    onAdd={undefined}
                  />
                ) : (
                  <Table
                    caption={table.name}
                    rows={shown}
                    rowKey={(entry) => entry.key}
                    dimmed={rows.loading}
                    columns={entryColumns({ kv, open, onOpen: setOpen, now })}
                  />
                )}
                <Pager
                  page={rows.data?.page ?? 1}
                  totalPages={Math.ceil(total / pageSize)}
                  total={total}
                  onPage={(next, options) => query.set({ page: String(next) }, options)}
                />
              </>
            )}
          </Loaded>
        </div>
        {open === undefined ? (
          <EmptyState title={t('chooseKey')} />
        ) : (
          <EntryEditor
            key={open === 'new' ? '' : open.key}
            table={table.name}
            kv={kv}
            writable={table.writable}
            entry={open === 'new' ? undefined : open}
            onClose={() => setOpen(undefined)}
            onChanged={() => {
              setOpen(undefined)
              rows.reload()
            }}
          />
        )}
      </div>
    </>
  )
}

/** Returns the names of the fields of documents. */
function fieldsOf(entries: readonly Entry[]) {
  return [
    ...new Set(
      entries.flatMap((entry) =>
        typeof entry.value === 'object' && entry.value !== null && !Array.isArray(entry.value)
          ? Object.keys(entry.value)
          : [],
      ),
    ),
  ]
}

interface EntryToolsProps {
  readonly table: TableInfo
  readonly query: TableQuery
  readonly conditions: readonly Condition[]
  /** Names of the fields that the shown documents have. */
  readonly fields: string[]
  readonly onAdd: () => void
  readonly onBack: () => void
  readonly children: ComponentChildren
}

function EntryTools({ table, query, conditions, fields, onAdd, onBack, children }: EntryToolsProps) {
  const kv = table.kind === 'keyvalue'
  return (
    <div class="strip-line db-tools">
      <span class="back-to-list">
        <button type="button" class="icon-button" aria-label={t('back')} onClick={onBack}>
          <Icon name="back" />
        </button>
      </span>
      <h2 class="sr">{table.name}</h2>
      {kv ? (
        <span class="grow" />
      ) : (
        <Conditions
          conditions={conditions}
          columns={['id', ...fields].map((name) => ({ name, type: '' }))}
          onChange={(next) => query.set({ where: conditionsText(next), page: '1' })}
        />
      )}
      {table.writable ? (
        <Button hotkey="n" onClick={onAdd}>
          {t(kv ? 'newKey' : 'newDocument')}
        </Button>
      ) : null}
      <span class="muted">{children}</span>
    </div>
  )
}

interface UseEntriesInput {
  readonly kv: boolean
  readonly table: TableInfo
  readonly page: string
  readonly where: string
  readonly conditions: readonly Condition[]
}

/** Loads a page of a key-value table or of documents. */
function useEntries({ kv, table, page, where, conditions }: UseEntriesInput) {
  return useResource<Page>(
    `db:${kv ? 'kv:entries' : 'select'} ${table.name} ${page} ${where}`,
    async (signal) => {
      if (kv)
        return host().rpc(
          'db:kv:entries',
          { table: table.name, page: parsePageNumber(page), pageSize: PAGE_SIZE },
          { signal },
        )
      const found = await host().rpc(
        'db:select',
        {
          table: table.name,
          page: parsePageNumber(page),
          pageSize: PAGE_SIZE,
          ...(conditions.length > 0 ? { where: whereOfConditions(conditions, []) } : {}),
        },
        { signal },
      )
      return {
        ...found,
        entries: found.rows.map((row) => {
          const { id, ...value } = row
          return { key: String(id), value }
        }),
      }
    },
    kv ? 'db:kv:entries' : 'db:select',
  )
}

interface EntryColumnsInput {
  readonly kv: boolean
  readonly open: Entry | 'new' | undefined
  readonly onOpen: (entry: Entry) => void
  readonly now: number
}

function entryColumns({ kv, open, onOpen, now }: EntryColumnsInput): readonly Column<Entry>[] {
  return [
    {
      id: 'key',
      head: kv ? t('entry') : 'id',
      rowHeader: true,
      cell: (entry) => (
        <button
          type="button"
          class="linkish"
          aria-pressed={open !== 'new' && open?.key === entry.key}
          onClick={() => onOpen(entry)}
        >
          <code>{entry.key}</code>
        </button>
      ),
    },
    {
      id: 'value',
      head: t('entryValue'),
      cell: (entry) => <code class="one-line">{JSON.stringify(entry.value)?.slice(0, 200)}</code>,
    },
    ...(kv
      ? [
          {
            id: 'expires',
            head: t('expires'),
            numeric: true,
            width: '110px',
            cell: (entry: Entry) =>
              entry.expiresAt === undefined ? (
                <span class="muted">{t('never')}</span>
              ) : (
                <span class={entry.expiresAt - now < 60_000 ? 'amber' : undefined}>
                  {timeLeft(entry.expiresAt - now)}
                </span>
              ),
          },
        ]
      : []),
  ]
}
