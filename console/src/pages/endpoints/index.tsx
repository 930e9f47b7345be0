// All endpoints: what is wrong first, with its reason and where to mend it.
import type { Activity, EndpointRow } from '@mynah/contract/types'
import { useEffect } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { copyText } from '../../kit/export-text.js'
import { focusedRow } from '../../kit/focused-row.js'
import { usePageKeys } from '../../kit/page-keys.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { useNow } from '../../kit/use-now.js'
import { ago } from '../../lib/format.js'
import { currentLocale } from '../../lib/i18n.js'
import { activityHistory, sampleEndpoints } from '../../lib/activity-history.js'
import { navigate } from '../../lib/router.js'
import { useList } from '../../lib/use-list.js'
import { useResource } from '../../lib/use-resource.js'
import { useStore } from '../../lib/use-store.js'
import {
  Button,
  EmptyState,
  FailureNotice,
  Field,
  Icon,
  Menu,
  PageHead,
  Select,
  Skeleton,
  Table,
  Ticks,
  Updated,
  type Column,
} from '../../ui/index.js'
import { KeysHint, Quote, Segments, Stale } from '../../ui/parts/index.js'
import { Changes } from './changes.js'
import './page.css'
import { address, countStates, endpointPage, hourTicks, lastEvent } from './model.js'
import { Since, StatusWord } from './status.js'
import { t } from './texts.js'

const logOf = (row: EndpointRow): string => `/logs?filter=${encodeURIComponent(row.name)}`

export function EndpointsPage() {
  const now = useNow(15_000)
  const { base } = host()
  const ring = useStore(activityHistory(base))
  const { has } = useCatalogue()
  const list = useList<EndpointRow[], EndpointRow>({
    key: 'endpoint:list',
    load: async (signal) => (await host().rpc('endpoint:list', {}, { signal })).endpoints,
    page: endpointPage,
    defaults: { status: '', platform: '' },
  })
  const all = useResource<EndpointRow[]>(
    'endpoint:list',
    async (signal) => (await host().rpc('endpoint:list', {}, { signal })).endpoints,
  )
  const rows = all.data ?? []
  const told = has('chat:activity') && rows.length > 0
  const activity = useResource<Activity | null>(told ? 'chat:activity' : 'absent chat:activity', (signal) =>
    told ? host().rpc('chat:activity', { minutes: 60 }, { signal }) : Promise.resolve(null),
  )
  useEffect(() => {
    if (all.data)
      sampleEndpoints(base, Object.fromEntries(all.data.map((row) => [`${row.adapter}/${row.name}`, row.connected])))
  }, [base, all.updatedAt])

  const go = (to: (row: EndpointRow) => string) => (): void => {
    const row = focusedRow(list.rows)
    if (row) navigate(to(row))
  }
  const keys = usePageKeys([
    ['↑ ↓', t('kMove')],
    ['Enter', t('kOpen')],
    ['S', t('kSend')],
    ['I', t('kInbox')],
    ['/', t('kFilter')],
  ])
  useShortcuts({
    s: go((row) => `${address(row)}?send=1`),
    i: go((row) => `/inbox?endpoint=${encodeURIComponent(row.name)}`),
  })

  const columns: readonly Column<EndpointRow>[] = [
    {
      id: 'name',
      head: t('name'),
      rowHeader: true,
      sortable: true,
      cell: (row) => (
        <span class="two">
          <a href={address(row)}>{row.name}</a>
          {row.selfName && row.selfName !== row.name ? <small>{row.selfName}</small> : null}
        </span>
      ),
    },
    {
      id: 'platform',
      head: t('platform'),
      sortable: true,
      wide: true,
      width: '110px',
      cell: (row) => <span class="muted">{row.adapter}</span>,
    },
    {
      id: 'state',
      head: t('state'),
      sortable: true,
      width: '170px',
      cell: (row) => (
        <span class="two">
          <StatusWord status={row.status} />
          <small class="indent">
            <Since row={row} now={now} />
          </small>
        </span>
      ),
    },
    {
      id: 'hour',
      head: t('hour'),
      wide: true,
      width: '250px',
      cell: (row) => {
        const letters = activity.data?.endpoints.find(
          (item) => item.adapter === row.adapter && item.endpointId === row.name,
        )?.status
        const { ticks, up, seen } = hourTicks(letters, ring, `${row.adapter}/${row.name}`, now)
        return <Ticks ticks={ticks} label={t('strip', { up, seen })} />
      },
    },
    {
      id: 'messages',
      head: t('messages'),
      sortable: true,
      numeric: true,
      wide: true,
      width: '80px',
      cell: (row) => <Count value={row.unread.messages} />,
    },
    {
      id: 'requests',
      head: t('requests'),
      sortable: true,
      numeric: true,
      wide: true,
      width: '80px',
      cell: (row) => <Count value={row.unread.requests} />,
    },
    {
      id: 'last',
      head: t('last'),
      numeric: true,
      wide: true,
      width: '110px',
      cell: (row) => {
        const last = lastEvent(activity.data, row)
        return last === undefined ? null : <span class="muted">{ago(Math.min(last, now), now, currentLocale())}</span>
      },
    },
    {
      id: 'actions',
      head: t('actions'),
      numeric: true,
      width: '44px',
      cell: (row) => (
        <Menu
          label={t('actionsFor', { name: row.name })}
          items={[
            { label: t('open'), onSelect: () => navigate(address(row)) },
            { label: t('send'), onSelect: () => navigate(`${address(row)}?send=1`) },
            { label: t('inbox'), onSelect: () => navigate(`/inbox?endpoint=${encodeURIComponent(row.name)}`) },
            { label: t('log'), onSelect: () => navigate(logOf(row)) },
            { label: t('copyName'), onSelect: () => copyText(row.name) },
          ]}
        >
          <Icon name="more" />
        </Menu>
      ),
    },
  ]
  const { values } = list.query
  const counts = countStates(rows)
  const platforms = [...new Set(rows.map((row) => row.adapter))].sort()
  const set = (change: Record<string, string>): void => list.query.set(change)
  const narrowed = Boolean(values['status'] || values['platform'] || values.filter)
  const table = (
    <Table
      caption={t('what')}
      columns={columns}
      rows={list.rows}
      rowKey={(row) => `${row.adapter}/${row.name}`}
      sort={values.sort}
      dimmed={list.loading && list.known}
      onSort={(sort) => set({ sort })}
      below={(row) =>
        row.error && row.status !== 'online' ? (
          <Quote
            tone={row.status === 'offline' ? 'err' : 'warn'}
            actions={
              <>
                <Button href={logOf(row)}>{t('log')}</Button>
                <Button href="/config?section=endpoints">{t('settings')}</Button>
              </>
            }
          >
            {row.error}
          </Quote>
        ) : undefined
      }
    />
  )
  return (
    <>
      <PageHead
        title={t('page.endpoints')}
        fact={
          <>
            {all.data ? <span>{t('fact', { total: rows.length, platforms: platforms.length })}</span> : null}{' '}
            <Stale resource={all} /> <Updated at={all.updatedAt} />
          </>
        }
        actions={
          <Button onClick={list.reload} hotkey="r">
            {t('refresh')}
          </Button>
        }
      />
      <div class="row">
        <div class="search-field">
          <Field
            compact
            label={t('list.filter')}
            type="search"
            placeholder={t('list.filter')}
            value={list.typed}
            onInput={list.type}
          />
        </div>
        <Segments
          label={t('show')}
          value={values['status'] ?? ''}
          onChange={(status) => set({ status })}
          options={[
            { value: '', label: t('all'), count: rows.length },
            { value: 'offline', label: t('offline'), count: counts.offline, bad: true },
            { value: 'pending', label: t('pending'), count: counts.pending },
            { value: 'online', label: t('online'), count: counts.online },
          ]}
        />
        {platforms.length > 1 ? (
          <Select
            compact
            label={t('platform')}
            value={values['platform'] ?? ''}
            onChange={(platform) => set({ platform })}
            options={[{ value: '', label: t('anyPlatform') }, ...platforms.map((value) => ({ value, label: value }))]}
          />
        ) : null}
        {narrowed ? (
          <Button kind="quiet" onClick={list.query.reset}>
            {t('reset')}
          </Button>
        ) : null}
      </div>
      <div class="section endpoints-table">
        {list.failure && !list.known ? (
          <>
            <FailureNotice failure={list.failure} onRetry={list.reload} />
            {list.failure.kind === 'not-ready' ? table : null}
          </>
        ) : !list.known ? (
          <Skeleton label={t('loading')} />
        ) : list.rows.length > 0 ? (
          table
        ) : narrowed ? (
          <EmptyState title={t('noMatch')} action={<Button onClick={list.query.reset}>{t('list.clear')}</Button>} />
        ) : (
          <EmptyState title={t('empty')} action={<Button href="/config?section=endpoints">{t('toConfig')}</Button>}>
            {t('emptyText')}
          </EmptyState>
        )}
      </div>
      {rows.length > 0 && has('endpoint:info') ? <Changes rows={rows} now={now} /> : null}
      <KeysHint keys={keys} />
    </>
  )
}

function Count({ value }: { readonly value: number }) {
  return value > 0 ? <b>{value}</b> : <span class="quiet-zero">0</span>
}
