// What was answered, newest first, page by page.
import type { ExecApproval } from '@mynah/contract/types'
import { useEffect, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useReading } from '../../kit/use-action.js'
import { sameDay, clock, weekdayClock } from '../../kit/when.js'
import { currentLocale } from '../../lib/i18n.js'
import { useResource } from '../../lib/use-resource.js'
import { EmptyState, Table } from '../../ui/index.js'
import { Loaded, Section } from '../../ui/parts/index.js'
import { p } from './texts.js'

const LIMIT = 20

export function History() {
  const [older, setOlder] = useState<readonly ExecApproval[]>([])
  const [next, setNext] = useState<string>()
  const history = useResource('exec:history', (signal) => host().rpc('exec:history', { limit: LIMIT }, { signal }))
  useEffect(() => {
    setOlder([])
    setNext(history.data?.nextBefore)
  }, [history.data])
  const more = useReading(async () => {
    const page = await host().rpc('exec:history', { limit: LIMIT, ...(next === undefined ? {} : { before: next }) })
    setOlder([...older, ...page.approvals])
    setNext(page.nextBefore)
  })
  const locale = currentLocale()
  const now = Date.now()
  return (
    <Section
      title={p('answered')}
      fact={p('newest')}
      actions={
        next ? (
          <button type="button" class="linkish" onClick={() => more.run()}>
            {p('older')}
          </button>
        ) : undefined
      }
    >
      <Loaded resource={history} rows={3}>
        {({ approvals }) => {
          const rows = [...approvals, ...older]
          if (rows.length === 0) return <EmptyState title={p('noHistory')} />
          return (
            <Table
              caption={p('answered')}
              rows={rows}
              rowKey={(row) => row.id}
              columns={[
                {
                  id: 'time',
                  head: p('time'),
                  width: '92px',
                  cell: (row) => (
                    <span class="muted">
                      {sameDay(row.createdAt, now) ? clock(row.createdAt, locale) : weekdayClock(row.createdAt, locale)}
                    </span>
                  ),
                },
                {
                  id: 'command',
                  head: p('command'),
                  rowHeader: true,
                  cell: (row) => <code class="breaks">{row.title}</code>,
                },
                {
                  id: 'outcome',
                  head: p('outcome'),
                  width: '110px',
                  cell: (row) => (
                    <span class={row.status === 'expired' ? 'amber' : row.status === 'denied' ? undefined : 'muted'}>
                      {p(`status.${row.status}`)}
                    </span>
                  ),
                },
                {
                  id: 'who',
                  head: p('who'),
                  wide: true,
                  width: '120px',
                  cell: (row) => (
                    <span class="muted">{row.requestedBy ? p('forWho', { who: row.requestedBy }) : ''}</span>
                  ),
                },
                {
                  id: 'because',
                  head: p('because'),
                  wide: true,
                  cell: (row) => <span class="muted">{row.reason}</span>,
                },
              ]}
            />
          )
        }}
      </Loaded>
    </Section>
  )
}
