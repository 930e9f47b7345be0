import { useEffect, useState } from 'preact/hooks'
import { call } from '../../kit/call.js'
import { joinFacts } from '../../kit/join-list.js'
import { useReadAction } from '../../kit/use-action.js'
import { ago } from '../../lib/format.js'
import { currentLocale } from '../../lib/i18n.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, Table, type Column } from '../../ui/index.js'
import { Loaded, Section } from '../../ui/parts/index.js'
import { sessionAddress, sessionName } from './session-name.js'
import { t } from './texts.js'
import type { FoundPage, FoundRow } from './wire.js'

const LIMIT = 50

/** Lists the messages that contain the words, a page at a time. */
export function Found({ text, onOpen }: { readonly text: string; readonly onOpen: (row: FoundRow) => void }) {
  const first = useResource<FoundPage>(
    `agent:search ${text}`,
    (signal) => call('agent:search', { text, limit: LIMIT }, signal),
    'agent:search',
  )
  const [more, setMore] = useState<FoundPage>()
  useEffect(() => setMore(undefined), [text, first.data])
  const load = useReadAction(async (before: string) => {
    const page = await call<FoundPage>('agent:search', { text, limit: LIMIT, before })
    setMore({ ...page, found: [...(more?.found ?? []), ...page.found] })
  })
  return (
    <Section title={t('said')} fact={first.loading ? t('searching') : undefined}>
      <Loaded resource={first}>
        {(page) => {
          const rows = [...page.found, ...(more?.found ?? [])]
          const { nextBefore } = more ?? page
          return (
            <>
              {rows.length === 0 ? (
                <p class="muted foot-note">{t(nextBefore ? 'notYetSaid' : 'notSaid', { text })}</p>
              ) : null}
              {rows.length > 0 ? (
                <Table
                  caption={t('said')}
                  rows={rows}
                  rowKey={(row) => `${row.sessionId} ${row.entryId}`}
                  columns={foundColumns(onOpen)}
                  dimmed={first.loading}
                />
              ) : null}
              {nextBefore ? (
                <p class="foot-note">
                  <Button busy={load.busy} onClick={() => load.run(nextBefore)}>
                    {t('searchFurther')}
                  </Button>
                </p>
              ) : null}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

function foundColumns(onOpen: (row: FoundRow) => void): readonly Column<FoundRow>[] {
  const locale = currentLocale()
  const now = Date.now()
  return [
    {
      id: 'said',
      head: t('message'),
      rowHeader: true,
      cell: (row) => (
        <span class="two said">
          <a
            href={sessionAddress(row, row.entryId)}
            onClick={(event) => {
              event.preventDefault()
              onOpen(row)
            }}
          >
            {row.before}
            <mark>{row.match}</mark>
            {row.after}
          </a>
          <small>{joinFacts(row.sender?.name ?? t(row.role), sessionName(row))}</small>
        </span>
      ),
    },
    {
      id: 'when',
      head: t('when'),
      numeric: true,
      width: '130px',
      cell: (row) => <span class="muted">{ago(row.timestamp, now, locale)}</span>,
    },
  ]
}
