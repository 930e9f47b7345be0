import type { MarketplaceItem } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { formatNumber } from '../../lib/i18n.js'
import { parsePageNumber } from '../../lib/paginate.js'
import { useList, type List } from '../../lib/use-list.js'
import { useResource, type Resource } from '../../lib/use-resource.js'
import {
  Button,
  EmptyState,
  FailureNotice,
  Field,
  PageHead,
  Pager,
  Select,
  Skeleton,
  Table,
  Updated,
  type Column,
} from '../../ui/index.js'
import { Meter, PaneList, Stale } from '../../ui/parts/index.js'
import './page.css'
import { address, categories, categoryOf, PAGE_SIZE, type Update } from './model.js'
import { t } from './texts.js'

interface Found {
  readonly data: readonly MarketplaceItem[]
  readonly total: number
  readonly page: number
  readonly size: number
  readonly stale?: boolean
}

export function MarketplacePage() {
  const list = usePackages()
  const updates = useResource<Update[]>('GET /marketplace/updates', (signal) =>
    host().rest('GET /marketplace/updates', { signal }),
  )
  const news = updates.data ?? []
  const category = categoryOf(list.query.values['category'] ?? '')
  const narrowed = list.query.values.filter !== '' || category !== ''
  const choose = (id: string): void => list.query.set({ category: id, page: '1' })
  const names = [{ id: '', label: t('all') }, ...categories.map((id) => ({ id, label: t(`category.${id}`) }))]
  return (
    <>
      <PageHead
        title={t('page.marketplace')}
        fact={
          list.known ? (
            <>
              <span>{t('fact', { total: list.total })}</span>
              {news.length > 0 ? <span>{t('updatesFact', { count: news.length })}</span> : null}{' '}
              <Stale resource={{ ...list, data: list.known || undefined }} /> <Updated at={list.updatedAt} />
            </>
          ) : undefined
        }
        actions={
          <Button
            onClick={() => {
              list.reload()
              updates.reload()
            }}
            hotkey="r"
          >
            {t('refresh')}
          </Button>
        }
      />
      <Updates updates={updates} searchFailure={list.failure?.text} />
      {list.note === 'stale' ? (
        <p class="amber" role="status">
          {t('stale')}
        </p>
      ) : null}
      <div class="market">
        <nav class="market-side" aria-label={t('category')}>
          <PaneList label={t('category')} current={category} onOpen={choose} rows={names} />
        </nav>
        <div class="section">
          <PackageFilters list={list} category={category} onChoose={choose} names={names} narrowed={narrowed} />
          <Results list={list} news={news} narrowed={narrowed} category={category} />
          <Pager
            page={list.page}
            totalPages={list.totalPages}
            total={list.total}
            onPage={(page, options) => list.query.set({ page: String(page) }, options)}
          />
        </div>
      </div>
    </>
  )
}

interface PackageFiltersProps {
  readonly list: List<MarketplaceItem>
  readonly category: ReturnType<typeof categoryOf>
  readonly onChoose: (id: string) => void
  readonly names: readonly { readonly id: string; readonly label: string }[]
  readonly narrowed: boolean
}

function PackageFilters({ list, category, onChoose, names, narrowed }: PackageFiltersProps) {
  return (
    <div class="row market-tools">
      <div class="search-field">
        <Field
          compact
          type="search"
          label={t('search')}
          placeholder={t('search')}
          value={list.typed}
          onInput={list.type}
        />
      </div>
      <div class="market-select">
        <Select
          compact
          label={t('category')}
          value={category}
          onChange={onChoose}
          options={names.map(({ id, label }) => ({ value: id, label }))}
        />
      </div>
      {narrowed ? (
        <Button kind="quiet" onClick={list.query.reset}>
          {t('reset')}
        </Button>
      ) : null}
    </div>
  )
}

const usePackages = () =>
  useList<Found, MarketplaceItem>({
    key: 'GET /pub/marketplace/search',
    load: (signal, { filter, page, category = '' }) => {
      const chosen = categoryOf(category)
      return host().rest('GET /pub/marketplace/search', {
        query: {
          page: parsePageNumber(page),
          size: PAGE_SIZE,
          ...(filter ? { q: filter } : {}),
          ...(chosen ? { category: chosen } : {}),
        },
        signal,
      })
    },
    page: (found) => ({
      rows: found.data,
      total: found.total,
      page: found.page,
      totalPages: Math.ceil(found.total / found.size),
      ...(found.stale ? { note: 'stale' } : {}),
    }),
    defaults: { category: '' },
    remote: true,
  })

interface UpdatesProps {
  readonly updates: Resource<Update[]>
  /** The failure of the search, which is not repeated here. */
  readonly searchFailure: string | undefined
}

function Updates({ updates, searchFailure }: UpdatesProps) {
  const news = updates.data ?? []
  return (
    <div class="market-updates">
      {news.length > 0 ? <b>{t('updates')}</b> : null}
      {news.slice(0, 8).map((update) => (
        <span key={update.name}>
          {update.name} <span class="muted">{t('to', { from: update.current ?? '' })}</span>{' '}
          <a href={address(update.name)}>{update.latest}</a>
        </span>
      ))}
      {updates.failure && updates.data === undefined && updates.failure.text !== searchFailure ? (
        <span class="bad">{updates.failure.text}</span>
      ) : null}
      <span class="muted grow end">{t('machine')}</span>
    </div>
  )
}

interface ResultsProps {
  readonly list: List<MarketplaceItem>
  readonly news: readonly Update[]
  readonly narrowed: boolean
  readonly category: ReturnType<typeof categoryOf>
}

function Results({ list, news, narrowed, category }: ResultsProps) {
  if (list.failure && !list.known) return <FailureNotice failure={list.failure} onRetry={list.reload} />
  if (!list.known) return <Skeleton label={t('loading')} />
  if (list.rows.length === 0 && !narrowed) return <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>
  if (list.rows.length === 0)
    return (
      <EmptyState
        title={t('noMatch', { words: list.query.values.filter || (category && t(`category.${category}`)) })}
        action={<Button onClick={list.query.reset}>{t('list.clear')}</Button>}
      />
    )
  return (
    <Table
      caption={t('what')}
      rows={list.rows}
      rowKey={(row) => row.name}
      dimmed={list.loading}
      columns={packageColumns(list.rows, news)}
    />
  )
}

function packageColumns(rows: readonly MarketplaceItem[], news: readonly Update[]): readonly Column<MarketplaceItem>[] {
  const most = Math.max(1, ...rows.map((row) => row.downloads.weekly))
  return [
    {
      id: 'name',
      head: t('name'),
      rowHeader: true,
      cell: (row) => (
        <span class="two">
          <span>
            <a href={address(row.name)}>{row.displayName}</a>
            {row.isOfficial ? <small class="muted"> {t('official')}</small> : null}
          </span>
          <small>{row.description}</small>
        </span>
      ),
    },
    {
      id: 'by',
      head: t('by'),
      wide: true,
      width: '130px',
      cell: (row) => <span class="muted">{row.author}</span>,
    },
    {
      id: 'downloads',
      head: t('downloads'),
      wide: true,
      width: '180px',
      numeric: true,
      cell: (row) => (
        <span class="nowrap">
          {formatNumber(row.downloads.weekly)} <Meter value={row.downloads.weekly} max={most} />
        </span>
      ),
    },
    { id: 'version', head: t('version'), width: '80px', cell: (row) => row.version },
    {
      id: 'here',
      head: t('here'),
      wide: true,
      width: '140px',
      cell: (row) => {
        const update = news.find((item) => item.name === row.name)
        return update ? (
          <>
            {update.current}, <a href={address(row.name)}>{t('update')}</a>
          </>
        ) : null
      },
    },
  ]
}
