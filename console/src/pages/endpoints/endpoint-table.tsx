import type { Activity, EndpointRow } from '@mynah/contract/types'
import { copyText } from '../../kit/export-text.js'
import type { Minute } from '../../lib/activity-history.js'
import { ago } from '../../lib/format.js'
import { currentLocale } from '../../lib/i18n.js'
import { navigate } from '../../lib/router.js'
import type { List } from '../../lib/use-list.js'
import { Button, Icon, Menu, Table, Ticks, type Column } from '../../ui/index.js'
import { Quote } from '../../ui/parts/index.js'
import { Later } from '../../ui/parts/later.js'
import { address, hourTicks, lastEvent } from './model.js'
import { Since, StatusWord } from './status.js'
import { t } from './texts.js'

interface EndpointTableProps {
  readonly list: List<EndpointRow>
  readonly activity: Activity | null | undefined
  readonly history: readonly Minute[]
  readonly now: number
}

export function EndpointTable(props: EndpointTableProps) {
  const { list } = props
  return (
    <Table
      caption={t('what')}
      columns={[...identityColumns(props), ...countColumns(props)]}
      rows={list.rows}
      rowKey={(row) => `${row.adapter}/${row.name}`}
      sort={list.query.values.sort}
      dimmed={list.loading && list.known}
      onSort={(sort) => list.query.set({ sort, page: '1' })}
      below={(row) => (row.error && row.status !== 'online' ? <EndpointError row={row} /> : undefined)}
    />
  )
}

function EndpointError({ row }: { readonly row: EndpointRow }) {
  return (
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
  )
}

const logOf = (row: EndpointRow): string => `/logs?filter=${encodeURIComponent(row.name)}`

function identityColumns({ activity, history, now }: EndpointTableProps): readonly Column<EndpointRow>[] {
  return [
    {
      id: 'name',
      head: t('name'),
      rowHeader: true,
      sortable: true,
      cell: (row) => (
        <span class="two">
          <a href={address(row)}>{row.name}</a>
          {row.selfName && row.selfName !== row.name ? <small>{row.selfName}</small> : null}
          <Unread row={row} />
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
      // Twenty strips at once take too long on a slow machine.
      cell: (row) => (
        <Later>
          <HourStrip row={row} activity={activity} history={history} now={now} />
        </Later>
      ),
    },
  ]
}

interface HourStripProps extends Omit<EndpointTableProps, 'list'> {
  readonly row: EndpointRow
}

function HourStrip({ row, activity, history, now }: HourStripProps) {
  const letters = activity?.endpoints.find(
    (item) => item.adapter === row.adapter && item.endpointId === row.name,
  )?.status
  const { ticks, up, seen } = hourTicks(letters, history, `${row.adapter}/${row.name}`, now)
  return <Ticks ticks={ticks} label={t('strip', { up, seen })} />
}

function countColumns({ activity, now }: EndpointTableProps): readonly Column<EndpointRow>[] {
  return [
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
        const last = lastEvent(activity, row)
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
}

/** Says on a phone what is unread, where the columns for it are left out. */
function Unread({ row: { unread } }: { readonly row: EndpointRow }) {
  const count = unread.messages + unread.requests
  return count > 0 ? <b class="narrow-only">{t('unreadNarrow', { count })}</b> : null
}

function Count({ value }: { readonly value: number }) {
  return value > 0 ? <b>{value}</b> : <span class="quiet-zero">0</span>
}
