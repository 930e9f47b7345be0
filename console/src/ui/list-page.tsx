import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { announce } from '../lib/announce.js'
import { t } from '../lib/i18n.js'
import type { List } from '../lib/use-list.js'
import { Badge } from './badge.js'
import { Button } from './button.js'
import { FailureNotice } from './failure-notice.js'
import { Field } from './field.js'
import { EmptyState, Skeleton } from './notice.js'
import { PageHead } from './page-head.js'
import { Pager } from './pager.js'
import { Table, type Column } from './table.js'
import { Updated } from './updated.js'

export interface ListPageProps<Row> {
  readonly title: string
  /** The kind of the rows, as "plugins". */
  readonly what: string
  readonly list: List<Row>
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  /** The list is empty without a filter: why, and what to do. */
  readonly empty: { readonly title: string; readonly text?: string; readonly action?: ComponentChildren }
  readonly fact?: ComponentChildren
  readonly actions?: ComponentChildren
  /** Further controls of the filter row. */
  readonly filters?: ComponentChildren
  readonly below?: (row: Row) => ComponentChildren
  readonly group?: (row: Row) => string
  readonly groupClass?: (row: Row) => string | undefined
}

export function ListPage<Row>({ title, fact, actions, ...list }: ListPageProps<Row>) {
  return (
    <>
      <PageHead
        title={title}
        fact={
          <>
            {fact ? <span>{fact}</span> : null} <Updated at={list.list.updatedAt} />
            {list.list.failure && list.list.known ? (
              <>
                {' '}
                <Badge tone="warn">{t('list.stale')}</Badge>
              </>
            ) : null}
          </>
        }
        actions={
          <>
            {actions}
            <Button onClick={list.list.reload} hotkey="r">
              {t('refresh')}
            </Button>
          </>
        }
      />
      <ListPanel {...list} />
    </>
  )
}

/** Shows the list without the head, for pages with several. */
export function ListPanel<Row>({
  what,
  list,
  columns,
  rowKey,
  empty,
  filters,
  below,
  group,
  groupClass,
}: Omit<ListPageProps<Row>, 'title' | 'fact' | 'actions'>) {
  const { filter } = list.query.values
  const narrowed = Object.entries(list.query.values).some(
    ([name, value]) => name !== 'page' && name !== 'sort' && value !== '',
  )
  useEffect(() => {
    if (list.known && !list.loading)
      announce(t('list.announce', { shown: list.rows.length, total: list.total, what, page: list.page }))
  }, [list.known, list.loading, list.total, list.page, filter])
  const table = (
    <Table
      caption={what}
      columns={columns}
      rows={list.rows}
      rowKey={rowKey}
      sort={list.query.values.sort}
      dimmed={list.loading && list.known}
      {...(below ? { below } : {})}
      {...(group ? { group } : {})}
      {...(groupClass ? { groupClass } : {})}
      onSort={(sort) => list.query.set({ sort, page: '1' })}
    />
  )
  const noRows = narrowed ? (
    <EmptyState
      title={t('list.noMatch', { filter: filter || what })}
      action={<Button onClick={list.query.reset}>{t('list.clear')}</Button>}
    />
  ) : (
    <EmptyState title={empty.title} action={empty.action}>
      {list.note ?? empty.text}
    </EmptyState>
  )
  return (
    <div class="panel flush list">
      {list.loading && list.known ? <div class="progress" aria-hidden="true" /> : null}
      <FilterRow list={list} narrowed={narrowed}>
        {filters}
      </FilterRow>
      <ListBody list={list} table={table} empty={noRows} />
      <Pager
        page={list.page}
        totalPages={list.totalPages}
        total={list.total}
        onPage={(page, options) => list.query.set({ page: String(page) }, options)}
      />
    </div>
  )
}

interface FilterRowProps {
  readonly list: List<unknown>
  readonly narrowed: boolean
  readonly children: ComponentChildren
}

function FilterRow({ list, narrowed, children }: FilterRowProps) {
  return (
    <div class="filters">
      <div class="search grow">
        <Field
          compact
          label={t('list.filter')}
          type="search"
          placeholder={t('list.filter')}
          value={list.typed}
          onInput={list.type}
        />
      </div>
      {children}
      {narrowed ? (
        <Button kind="quiet" onClick={list.query.reset}>
          {t('reset')}
        </Button>
      ) : null}
    </div>
  )
}

export interface ListBodyProps {
  readonly list: List<unknown>
  readonly table: ComponentChildren
  /** Shown in place of the table when the list has no rows. */
  readonly empty: ComponentChildren
}

/** Shows the state of a list: the failure of its first load, a skeleton, its table, or `empty`. */
export function ListBody({ list, table, empty }: ListBodyProps) {
  if (list.failure && !list.known)
    return (
      <>
        <FailureNotice failure={list.failure} onRetry={list.reload} />
        {list.failure.kind === 'not-ready' ? table : null}
      </>
    )
  if (!list.known) return <Skeleton label={t('loading')} />
  return <>{list.rows.length > 0 ? table : empty}</>
}
