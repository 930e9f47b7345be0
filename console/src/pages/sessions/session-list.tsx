import { useCatalogue } from '../../app/catalogue.js'
import { call } from '../../kit/call.js'
import { useDebouncedInput } from '../../kit/use-debounced-input.js'
import { useHostNames } from '../../kit/use-host-names.js'
import { compactNumber } from '../../kit/time-format.js'
import { ago } from '../../lib/format.js'
import { currentLocale, type Locale } from '../../lib/i18n.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, EmptyState, Field, PageHead, Table, type Column } from '../../ui/index.js'
import { CursorPager } from '../../ui/parts/cursor-pager.js'
import { Loaded, Stale } from '../../ui/parts/index.js'
import { isSessionKey } from './model.js'
import { placeOf, sessionAddress, sessionName } from './session-name.js'
import { t } from './texts.js'
import type { SessionRow, Sessions } from './wire.js'
import { lazyPart } from '../../lib/lazy-part.js'

const HostSelect = lazyPart(async () => (await import('../../ui/parts/host-select.js')).HostSelect)
const Found = lazyPart(async () => (await import('./found.js')).Found)

const LIMIT = 50

interface ListProps {
  readonly filter: string
  /** Name of the only host whose sessions are listed. */
  readonly host: string
  readonly before: string
  readonly onHost: (host: string) => void
  readonly onFilter: (filter: string) => void
  readonly onBefore: (before: string) => void
  readonly onOpen: (key: string, id?: string, at?: string) => void
}

export function SessionList({ filter, host, before, onHost, onFilter, onBefore, onOpen }: ListProps) {
  const [typed, setTyped] = useDebouncedInput(filter, onFilter)
  const { has } = useCatalogue()
  const hosts = useHostNames()
  const { sessions, next } = useSessionPage(filter, host, before)
  const whole = isSessionKey(typed)
  const openTyped = (): void => {
    if (whole) onOpen(typed)
  }
  const searches = has('agent:search')
  const hint = t(searches ? 'filter' : 'filterOnly')
  const searched = searches && filter !== '' && !whole
  const locale = currentLocale()
  const now = Date.now()
  return (
    <>
      <PageHead
        title={t('page.sessions')}
        fact={
          <>
            {sessions.data ? (
              <span>{t('recentFact', { shown: sessions.data.sessions.length, total: sessions.data.total })}</span>
            ) : null}
            <Stale resource={sessions} />
          </>
        }
        actions={
          <Button onClick={sessions.reload} hotkey="r">
            {t('refresh')}
          </Button>
        }
      />
      <form
        class="session-find"
        onSubmit={(event) => {
          event.preventDefault()
          openTyped()
        }}
      >
        <Field compact type="search" label={hint} placeholder={hint} value={typed} onInput={setTyped} />
        {hosts.length > 0 || host !== '' ? <HostSelect hosts={hosts} value={host} onChange={onHost} /> : null}
        {whole ? <Button type="submit">{t('openKey')}</Button> : null}
      </form>
      <div class="section">
        <Loaded resource={sessions}>
          {({ sessions: rows }) =>
            rows.length === 0 ? (
              <NoSessions
                filter={filter || host}
                searched={searched}
                whole={whole}
                onClear={() => (filter ? setTyped('') : onHost(''))}
              />
            ) : (
              <Table
                caption={t('recent')}
                rows={rows}
                rowKey={(row) => `${row.sessionKey} ${row.sessionId}`}
                columns={sessionColumns({ onOpen, now, locale, hasHosts: hosts.length > 0 })}
              />
            )
          }
        </Loaded>
        <CursorPager before={before} next={next} onBefore={onBefore} />
        {searched ? (
          <Found
            key={filter}
            text={filter}
            onOpen={(row) => onOpen(row.sessionKey, row.state === 'archived' ? row.sessionId : '', String(row.entryId))}
          />
        ) : null}
        {has('agent:sessions') ? null : <p class="muted foot-note">{t('noSessionsText')}</p>}
      </div>
    </>
  )
}

interface NoSessionsProps {
  readonly filter: string
  /** Messages are searched too, and shown below. */
  readonly searched: boolean
  /** The filter is the key of one session. */
  readonly whole: boolean
  readonly onClear: () => void
}

function NoSessions({ filter, searched, whole, onClear }: NoSessionsProps) {
  if (searched) return <p class="muted foot-note">{t('noTitle')}</p>
  if (!filter) return <EmptyState title={t('noSessions')}>{t(whole ? 'wholeText' : 'noSessionsText')}</EmptyState>
  return (
    <EmptyState title={t('list.noMatch', { filter })} action={<Button onClick={onClear}>{t('list.clear')}</Button>}>
      {whole ? t('wholeText') : undefined}
    </EmptyState>
  )
}

/** Loads one page of sessions. While a page loads, the former one is shown. */
function useSessionPage(filter: string, host: string, before: string) {
  const sessions = useResource<Sessions & { readonly of: string }>(
    `agent:sessions ${JSON.stringify([filter, host, before])}`,
    async (signal) => ({
      ...(await call<Sessions>(
        'agent:sessions',
        { limit: LIMIT, ...(filter ? { filter } : {}), ...(host ? { host } : {}), ...(before ? { before } : {}) },
        signal,
      )),
      of: before,
    }),
    'agent:sessions',
  )
  // While a page loads, the former page is shown, and its cursor does not apply.
  const next = sessions.data?.of === before ? sessions.data.nextBefore : undefined
  return { sessions, next }
}

interface ColumnContext {
  readonly onOpen: (key: string, id?: string) => void
  readonly now: number
  readonly locale: Locale
  /** Whether the sessions are of several hosts. */
  readonly hasHosts: boolean
}

function sessionColumns({ onOpen, now, locale, hasHosts }: ColumnContext): readonly Column<SessionRow>[] {
  return [
    {
      id: 'title',
      head: t('title'),
      rowHeader: true,
      cell: (row) => (
        <span class="two">
          <a
            href={sessionAddress(row)}
            onClick={(event) => {
              event.preventDefault()
              onOpen(row.sessionKey, row.state === 'archived' ? row.sessionId : '')
            }}
          >
            {sessionName(row)}
          </a>
          <small>
            {placeOf(row)} <code>{row.sessionKey}</code>
          </small>
        </span>
      ),
    },
    {
      id: 'state',
      head: t('state'),
      wide: true,
      width: '100px',
      cell: (row) => <span class={row.state === 'archived' ? 'muted' : undefined}>{t(`state.${row.state}`)}</span>,
    },
    ...(hasHosts
      ? [{ id: 'host', head: t('host'), wide: true, width: '110px', cell: (row: SessionRow) => row.host ?? '–' }]
      : []),
    {
      id: 'messages',
      head: t('messages'),
      numeric: true,
      wide: true,
      width: '90px',
      cell: (row) => row.messages,
    },
    {
      id: 'tokens',
      head: t('tokens'),
      numeric: true,
      wide: true,
      width: '130px',
      cell: (row) => `${compactNumber(row.usage.input)} / ${compactNumber(row.usage.output)}`,
    },
    {
      id: 'active',
      head: t('active'),
      numeric: true,
      width: '130px',
      cell: (row) => <span class="muted">{ago(row.lastActiveAt, now, locale)}</span>,
    },
  ]
}
