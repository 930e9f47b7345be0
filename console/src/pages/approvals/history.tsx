import type { ExecApproval } from '@mynah/contract/types'
import { useEffect, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useReadAction } from '../../kit/use-action.js'
import { moment } from '../../kit/time-format.js'
import { currentLocale, type Locale } from '../../lib/i18n.js'
import { useResource } from '../../lib/use-resource.js'
import { EmptyState, Table, type Column } from '../../ui/index.js'
import { Loaded, Section } from '../../ui/parts/index.js'
import { answeredOf } from './model.js'
import { t } from './texts.js'

const LIMIT = 20

/** Denied rows are plain. Rows that are over are muted. */
const STATUS_CLASS: Readonly<Record<string, string>> = { expired: 'amber', denied: '' }

export function History() {
  const [older, setOlder] = useState<readonly ExecApproval[]>([])
  const [next, setNext] = useState<string>()
  const history = useResource('exec:history', (signal) => host().rpc('exec:history', { limit: LIMIT }, { signal }))
  useEffect(() => {
    setOlder([])
    setNext(history.data?.nextBefore)
  }, [history.data])
  const more = useReadAction(async () => {
    const page = await host().rpc('exec:history', { limit: LIMIT, ...(next === undefined ? {} : { before: next }) })
    setOlder([...older, ...page.approvals])
    setNext(page.nextBefore)
  })
  const locale = currentLocale()
  const now = Date.now()
  return (
    <Section
      title={t('answered')}
      fact={t('newest')}
      actions={
        next ? (
          <button type="button" class="linkish" onClick={() => more.run()}>
            {t('older')}
          </button>
        ) : undefined
      }
    >
      <Loaded resource={history} rows={3}>
        {({ approvals }) => {
          const rows = answeredOf([...approvals, ...older])
          if (rows.length === 0) return <EmptyState title={t('noHistory')} />
          return (
            <Table caption={t('answered')} rows={rows} rowKey={(row) => row.id} columns={historyColumns(now, locale)} />
          )
        }}
      </Loaded>
    </Section>
  )
}

const Outcome = ({ status }: Pick<ExecApproval, 'status'>) => (
  <span class={(STATUS_CLASS[status] ?? 'muted') || undefined}>{t(`status.${status}`)}</span>
)

function historyColumns(now: number, locale: Locale): readonly Column<ExecApproval>[] {
  return [
    {
      id: 'time',
      head: t('time'),
      width: '104px',
      cell: (row) => <span class="muted">{moment(row.createdAt, now, locale)}</span>,
    },
    {
      id: 'command',
      head: t('command'),
      rowHeader: true,
      cell: (row) => (
        <>
          <code class="breaks">{row.title}</code>
          <p class="narrow-only">
            <Outcome status={row.status} />
          </p>
        </>
      ),
    },
    {
      id: 'outcome',
      head: t('outcome'),
      wide: true,
      width: '110px',
      cell: (row) => <Outcome status={row.status} />,
    },
    {
      id: 'who',
      head: t('who'),
      wide: true,
      width: '120px',
      cell: (row) => <span class="muted">{row.requestedBy}</span>,
    },
    {
      id: 'because',
      head: t('because'),
      wide: true,
      cell: (row) => <span class="muted">{row.reason}</span>,
    },
  ]
}
