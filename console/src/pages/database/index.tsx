import type { TableInfo } from '@mynah/contract/types'
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { LazyPage } from '../../app/lazy-page.js'
import { toast } from '../../app/toasts.js'
import { useAction } from '../../kit/use-action.js'
import { resources } from '../../lib/resources.js'
import { useQuery } from '../../lib/router.js'
import { useResource, type Resource } from '../../lib/use-resource.js'
import { useOpenItem } from '../../lib/document-title.js'
import { Button, EmptyState, Field, Icon, Menu, PageHead } from '../../ui/index.js'
import { Confirm, Loaded, PaneList, Stale, Workbench, type PaneRow } from '../../ui/parts/index.js'
import './page.css'
import type { RowsProps } from './rows.js'
import { t } from './texts.js'

interface Info {
  readonly dialect: string
  readonly available: boolean
}

export function DatabasePage() {
  const query = useQuery({ table: '', page: '1', where: '', order: '' })
  const tables = useResource<TableInfo[]>(
    'db:tables',
    async (signal) => (await host().rpc('db:tables', {}, { signal })).tables,
  )
  const info = useResource<Info>('db:info', (signal) => host().rpc('db:info', {}, { signal }))
  const [dropping, setDropping] = useState<string>()
  const all = [...(tables.data ?? [])].sort((a, b) => a.name.localeCompare(b.name))
  const table = all.find((item) => item.name === query.values.table)
  useOpenItem(table?.name)
  const open = (name: string): void => query.set({ table: name, page: '1', where: '', order: '' })
  const reload = (): void => {
    tables.reload()
    resources.invalidate((key) => key.startsWith('db:'))
  }
  const writable = all.filter((item) => item.writable)
  const readOnly = all.filter((item) => !item.writable)
  return (
    <>
      <Workbench
        open={table !== undefined || (query.values.table !== '' && tables.data !== undefined)}
        head={
          <DatabaseHead tables={tables} info={info} all={all} onReload={reload} table={table} onDrop={setDropping} />
        }
        side={
          <Loaded resource={tables}>
            {() =>
              all.length === 0 ? (
                <EmptyState title={t('noTables')}>{t('noTablesText')}</EmptyState>
              ) : (
                <>
                  <TableList title={t('changeable')} tables={writable} current={table?.name} onOpen={open} />
                  <TableList title={t('readOnly')} tables={readOnly} current={table?.name} onOpen={open} />
                </>
              )
            }
          </Loaded>
        }
      >
        {info.data?.available === false ? (
          <p class="strip-line err" role="alert">
            {t('unavailable')}
          </p>
        ) : null}
        {table || !tables.data ? null : <NoTable wanted={query.values.table} any={all.length > 0} />}
        {table ? <Content key={table.name} table={table} query={query} onBack={() => open('')} /> : null}
      </Workbench>
      {dropping ? (
        <Drop
          name={dropping}
          onClose={() => setDropping(undefined)}
          onDone={() => {
            setDropping(undefined)
            open('')
            tables.reload()
          }}
        />
      ) : null}
    </>
  )
}

interface DatabaseHeadProps {
  readonly tables: Resource<TableInfo[]>
  readonly info: Resource<Info>
  readonly all: readonly TableInfo[]
  readonly onReload: () => void
  readonly table: TableInfo | undefined
  readonly onDrop: (table: string) => void
}

function DatabaseHead({ tables, info, all, onReload, table, onDrop }: DatabaseHeadProps) {
  return (
    <PageHead
      title={t('page.database')}
      fact={
        tables.data ? (
          <>
            <span>{t('fact', { dialect: info.data?.dialect ?? '', count: all.length })}</span>{' '}
            <Stale resource={tables} />
          </>
        ) : undefined
      }
      actions={
        <>
          <Button onClick={onReload} hotkey="r">
            {t('refresh')}
          </Button>
          {table?.writable ? (
            <Menu label={t('more')} items={[{ label: t('drop'), danger: true, onSelect: () => onDrop(table.name) }]}>
              <Icon name="more" />
            </Menu>
          ) : null}
        </>
      }
    />
  )
}

function Drop({
  name,
  onClose,
  onDone,
}: {
  readonly name: string
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const [typed, setTyped] = useState('')
  const drop = useAction(async () => {
    await host().rpc('db:drop-table', { table: name })
    toast(t('dropped', { name }), 'ok')
    onDone()
  }, 'here')
  return (
    <Confirm
      danger
      title={t('dropAsk', { name })}
      action={t('dropDo', { name })}
      busy={drop.busy}
      disabled={typed !== name || drop.blocked.disabled === true}
      onClose={onClose}
      onConfirm={() => drop.run()}
    >
      <p>{t('dropText')}</p>
      <Field mono label={t('dropName')} value={typed} onInput={setTyped} error={drop.failure} />
    </Confirm>
  )
}

interface TableListProps {
  readonly title: string
  readonly tables: readonly TableInfo[]
  readonly current: string | undefined
  readonly onOpen: (name: string) => void
}

function TableList({ title, tables, current, onOpen }: TableListProps) {
  if (tables.length === 0) return null
  const rows = tables.map(({ name, kind }): PaneRow => ({
    id: name,
    label: name,
    mono: true,
    ...(kind === 'related' ? {} : { end: t(kind === 'document' ? 'document' : 'keyvalue') }),
  }))
  return <PaneList title={title} label={title} rows={rows} current={current} onOpen={onOpen} />
}

function NoTable({ wanted, any }: { readonly wanted: string; readonly any: boolean }) {
  if (wanted) return <EmptyState title={t('missing', { name: wanted })} />
  return any ? <EmptyState title={t('choose')} /> : null
}

const loadRows = () => import('./rows.js').then((module) => module.Rows)
const loadEntries = () => import('./entries.js').then((module) => module.Entries)

const Content = (props: RowsProps) =>
  props.table.kind === 'related' ? (
    <LazyPage load={loadRows} props={props} />
  ) : (
    <LazyPage load={loadEntries} props={props} />
  )
