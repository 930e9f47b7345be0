import type { Activity, EndpointRow } from '@mynah/contract/types'
import { clock, dateTime } from '../../kit/time-format.js'
import { ago } from '../../lib/format.js'
import { currentLocale } from '../../lib/i18n.js'
import { pages } from '../../lib/pages.js'
import type { Minute } from '../../lib/activity-history.js'
import type { Resource } from '../../lib/use-resource.js'
import { EmptyState } from '../../ui/notice.js'
import { Table, type Column } from '../../ui/table.js'
import { Ticks } from '../../ui/ticks.js'
import { Loaded } from '../../ui/parts/loaded.js'
import { Section } from '../../ui/parts/section.js'
import { State } from '../../ui/parts/state.js'
import { byUrgency, endpointKey, hourOf, type EndpointHour } from './model.js'
import { t } from './texts.js'

const MOST = 8
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const states = {
  online: ['well', 'stateOnline'],
  pending: ['wait', 'statePending'],
  offline: ['wrong', 'stateOffline'],
} as const

interface Row {
  readonly row: EndpointRow
  readonly hour: EndpointHour
}
export interface EndpointsProps {
  readonly endpoints: Resource<EndpointRow[]>
  readonly activity: Activity | undefined
  readonly ring: readonly Minute[]
  readonly now: number
}

export function Endpoints({ endpoints, activity, ring, now }: EndpointsProps) {
  const { data } = endpoints
  const hasPages = pages().some(({ path }) => path === '/endpoints')
  return (
    <Section
      title={t('endpoints')}
      fact={
        data && data.length > 0
          ? t('online', { online: data.filter(({ connected }) => connected).length, total: data.length })
          : null
      }
      actions={hasPages ? <a href="/endpoints">{t('allEndpoints')}</a> : null}
    >
      <Loaded resource={endpoints} rows={3}>
        {(rows) => {
          if (rows.length === 0) return <EmptyState title={t('noEndpoints')}>{t('noEndpointsText')}</EmptyState>
          const sorted = byUrgency(rows.map((row): Row => ({ row, hour: hourOf(row, activity, ring, now) })))
          return (
            <Table
              caption={t('endpoints')}
              rows={sorted.slice(0, MOST)}
              rowKey={({ row }) => endpointKey(row)}
              columns={columnsOf(activity, now, hasPages)}
            />
          )
        }}
      </Loaded>
    </Section>
  )
}

function columnsOf(activity: Activity | undefined, now: number, hasPages: boolean): Column<Row>[] {
  const { from, step, endpoints: counted } = activity ?? { from: now - HOUR_MS, step: MINUTE_MS, endpoints: [] }
  const to = from + step * (counted[0]?.status.length ?? 60)
  const time = step > MINUTE_MS ? dateTime : clock
  const address = ({ adapter, name }: EndpointRow): string =>
    `/endpoints/${encodeURIComponent(adapter)}/${encodeURIComponent(name)}`
  return [
    {
      id: 'name',
      head: t('endpoint'),
      rowHeader: true,
      cell: ({ row }) => (
        <>
          {hasPages ? <a href={address(row)}>{row.name}</a> : row.name} <small class="muted">{row.adapter}</small>
        </>
      ),
    },
    {
      id: 'state',
      head: t('state'),
      width: '110px',
      cell: ({ row }) => {
        const [tone, word] = states[row.status]
        return <State tone={tone}>{t(word)}</State>
      },
    },
    {
      id: 'hour',
      head: `${time(from, currentLocale())} – ${time(to, currentLocale())}`,
      wide: true,
      cell: ({ hour }) => (
        <Ticks ticks={hour.ticks} label={t(step > MINUTE_MS ? 'parts' : 'hour', { up: hour.up, seen: hour.seen })} />
      ),
    },
    ...(activity
      ? [
          {
            id: 'count',
            head: t('count'),
            numeric: true,
            wide: true,
            cell: ({ hour }: Row) => <Count value={hour.messages ?? 0} />,
          },
        ]
      : []),
    {
      id: 'unread',
      head: t('unread'),
      numeric: true,
      width: '70px',
      cell: ({ row }) => <Count value={row.unread.messages + row.unread.requests + row.unread.notices} />,
    },
    ...(activity
      ? [
          {
            id: 'last',
            head: t('last'),
            numeric: true,
            wide: true,
            cell: ({ hour }: Row) =>
              hour.last === undefined ? null : <span class="muted nowrap">{ago(hour.last, now, currentLocale())}</span>,
          },
        ]
      : []),
  ]
}

const Count = ({ value }: { readonly value: number }) => (
  <span class={value === 0 ? 'quiet-zero' : undefined}>{value}</span>
)
