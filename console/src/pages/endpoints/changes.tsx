import type { EndpointChange, EndpointInfo, EndpointRow } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { moment } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { useResource } from '../../lib/use-resource.js'
import { FailureNotice, Table } from '../../ui/index.js'
import { Section } from '../../ui/parts/index.js'
import { Later } from '../../ui/parts/later.js'
import { address, newestChanges, NEWEST } from './model.js'
import { StatusWord } from './status.js'
import { t } from './texts.js'

interface StateChangesProps {
  readonly rows: readonly EndpointRow[]
  readonly now: number
}

export const StateChanges = (props: StateChangesProps) => (
  <Later>
    <Changes {...props} />
  </Later>
)

function Changes({ rows, now }: StateChangesProps) {
  // Only endpoints with a recent change can have one of the newest. Load again when one of these changes.
  const asked = [...rows].sort((a, b) => b.since - a.since).slice(0, NEWEST)
  const changes = useResource<readonly (EndpointChange & { readonly row: EndpointRow })[]>(
    `changes of state ${JSON.stringify(asked.map(({ adapter, name, since, error }) => [adapter, name, since, error]))}`,
    async (signal) =>
      newestChanges(
        await Promise.all(
          asked.map(async (row) => ({
            row,
            changes:
              (
                (await host().rpc(
                  'endpoint:info',
                  { adapter: row.adapter, endpointId: row.name },
                  { signal },
                )) as Partial<EndpointInfo>
              ).changes ?? [],
          })),
        ),
      ),
    'endpoint:info',
  )
  const locale = currentLocale()
  if (changes.failure && !changes.data) return <FailureNotice failure={changes.failure} onRetry={changes.reload} />
  if (!changes.data || changes.data.length === 0) return null
  return (
    <Section title={t('changes')} fact={t('changesFact')}>
      <Table
        caption={t('changes')}
        rows={changes.data}
        rowKey={({ row, at }) => `${row.adapter}/${row.name} ${at}`}
        below={({ reason }) => (reason ? <p class="narrow-only muted break">{reason}</p> : undefined)}
        columns={[
          {
            id: 'when',
            head: t('changedAt'),
            width: '110px',
            cell: ({ at }) => (
              <time class="muted nowrap" dateTime={new Date(at).toISOString()}>
                {moment(at, now, locale)}
              </time>
            ),
          },
          {
            id: 'endpoint',
            head: t('name'),
            rowHeader: true,
            width: '170px',
            cell: ({ row }) => <a href={address(row)}>{row.name}</a>,
          },
          { id: 'state', head: t('state'), width: '130px', cell: ({ status }) => <StatusWord status={status} /> },
          {
            id: 'reason',
            head: t('why'),
            wide: true,
            cell: ({ reason }) => (reason ? <span class="muted break">{reason}</span> : null),
          },
        ]}
      />
    </Section>
  )
}
