import type { EndpointRow } from '@mynah/contract/types'
import { useEffect, useMemo } from 'preact/hooks'
import { host } from '../../app/host.js'
import { failureOf } from '../../lib/failure.js'
import { useQuery } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { toast } from '../../app/toasts.js'
import { usePageKeys } from '../../kit/page-keys.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { clock } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { useOpenItem } from '../../lib/document-title.js'
import { EmptyState, FailureNotice, PageHead, Select, Skeleton } from '../../ui/index.js'
import { KeysHint, Segments, Stale } from '../../ui/parts/index.js'
import './page.css'
import { ConversationList } from './conversation-list.js'
import { conversations, conversationKey, type Conversation, type Message, type Request } from './model.js'
import { Notices } from './notices.js'
import { Requests } from './requests.js'
import { useInbox, type Inbox } from './use-inbox.js'
import { t } from './texts.js'
import { Thread } from './thread.js'
import { useDecisions, type Decisions } from './decisions.js'

const focusBy = (step: number): void => {
  const all = [...document.querySelectorAll<HTMLElement>('.inbox .talks li > button')]
  const at = all.indexOf(document.activeElement as HTMLElement)
  all[Math.max(0, Math.min(all.length - 1, at < 0 ? 0 : at + step))]?.focus()
}

export function InboxPage() {
  const inbox = useInbox()
  const counted = useResource<EndpointRow[]>(
    'endpoint:list',
    async (signal) => (await host().rpc('endpoint:list', {}, { signal })).endpoints,
  )
  const query = useQuery({ open: '', endpoint: '', show: '', tab: 'messages' })
  const { open, endpoint, show, tab } = query.values
  const of = <T extends { readonly endpoint: string }>(rows: readonly T[]): readonly T[] =>
    endpoint ? rows.filter((row) => row.endpoint === endpoint) : rows
  const all = useMemo(() => conversations(of(inbox.messages)), [inbox.messages, endpoint])
  const shown = show === 'unread' ? all.filter((talk) => talk.unread > 0 || talk.key === open) : all
  const talk = all.find((item) => item.key === open)
  useOpenItem(talk?.name)
  const requests = of(inbox.requests)
  const notices = of(inbox.notices)
  // The host counts all messages. The browser has only the newest ones.
  const counts = counted.data?.map((row) => ({ endpoint: row.name, unread: row.unread.messages }))
  const unread = (counts ? of(counts) : all).reduce((sum, row) => sum + row.unread, 0)
  const waiting = requests.filter((row) => row.status === 'pending' && row.canAct)
  const unreadNotices = notices.filter((row) => !row.read)
  const decisions = useDecisions(inbox)
  const openTalk = (key: string): void => query.set({ open: key, tab: 'messages' })
  const read = (): void => {
    if (talk) markConversationRead(inbox, talk.key)
  }
  useEffect(() => {
    if (open && inbox.known && !talk) query.set({ open: '' }, { replace: true })
  }, [open, inbox.known, talk === undefined])
  const first = waiting.find((row) => !decisions.pending.some((item) => item.row.id === row.id))
  const keys = useInboxKeys(first, decisions, read)

  const names = (inbox.endpoints ?? []).map((row) => row.name)
  const nothing = inbox.messages.length + inbox.requests.length + inbox.notices.length === 0
  const { failure, reload } = inbox.resource
  const answered = inbox.known || !nothing || failure !== undefined
  return (
    <div class={`workbench inbox tab-${tab}${talk ? ' open' : ''}`}>
      <div class="head">
        <PageHead
          title={t('page.inbox')}
          fact={
            <>
              <span>{t('fact', { unread, requests: waiting.length })}</span>
              {failure && !inbox.known ? <CachedAt messages={inbox.messages} /> : null}{' '}
              <Stale resource={inbox.resource} />
            </>
          }
          actions={
            <>
              <Segments
                label={t('show')}
                value={show}
                onChange={(value) => query.set({ show: value })}
                options={[
                  { value: '', label: t('all') },
                  { value: 'unread', label: t('unread'), count: unread },
                ]}
              />
              <EndpointFilter
                names={names}
                value={endpoint}
                onChange={(value) => query.set({ endpoint: value, open: '' })}
              />
            </>
          }
        />
        <div class="inbox-tabs">
          <Segments
            wide
            label={t('column')}
            value={tab}
            onChange={(value) => query.set({ tab: value, open: '' })}
            options={[
              { value: 'messages', label: t('messages'), count: unread },
              { value: 'requests', label: t('requests'), count: waiting.length },
              { value: 'notices', label: t('notices'), count: unreadNotices.length },
            ]}
          />
        </div>
      </div>
      {failure && !inbox.known ? (
        <div class="strip">
          <FailureNotice failure={failure} onRetry={reload} />
        </div>
      ) : null}
      <Problems problems={inbox.problems} />
      <div class={talk ? 'panes talks-open' : 'panes'}>
        <section class="pane talks" aria-label={t('conversations')}>
          <header>
            <h2>{t('messages')}</h2>
            <span class="muted">{t('countUnread', { count: unread })}</span>
          </header>
          <Talks
            talks={shown}
            current={talk?.key}
            onOpen={openTalk}
            onlyUnread={show === 'unread'}
            empty={nothing}
            loading={!inbox.known && !failure}
            failed={failure !== undefined}
          />
          <KeysHint keys={keys} />
        </section>
        {talk ? (
          <Thread key={talk.key} talk={talk} inbox={inbox} onRead={read} onBack={() => query.set({ open: '' })} />
        ) : null}
        <div class="pane asides">
          <Requests rows={requests} decisions={decisions} known={answered} waiting={waiting.length} />
          <Notices
            rows={notices}
            unread={unreadNotices}
            known={answered}
            onRead={(rows) => inbox.markRead('notices', rows)}
          />
        </div>
      </div>
      {decisions.dialog}
    </div>
  )
}

function markConversationRead(inbox: Inbox, key: string): void {
  const rows = inbox.messages.filter(
    (message) => conversationKey(message) === key && message.direction === 'in' && !message.read,
  )
  if (rows.length > 0) inbox.markRead('messages', rows).catch((error: unknown) => toast(failureOf(error).text, 'err'))
}

function useInboxKeys(first: Request | undefined, decisions: Decisions, read: () => void) {
  useShortcuts({
    j: () => focusBy(1),
    k: () => focusBy(-1),
    e: read,
    a: () => first && decisions.decide(first, true),
    x: () => first && decisions.ask(first),
    z: decisions.undoLast,
  })
  return usePageKeys([
    ['J K', t('kMove')],
    ['Enter', t('kOpen')],
    ['E', t('kRead')],
    ['A X', t('kAnswer')],
    ['Z', t('kUndo')],
  ])
}

interface EndpointFilterProps {
  readonly names: readonly string[]
  readonly value: string
  readonly onChange: (name: string) => void
}

function EndpointFilter({ names, value, onChange }: EndpointFilterProps) {
  if (names.length < 2 && !value) return null
  const offered = new Set([...names, ...(value ? [value] : [])])
  return (
    <Select
      compact
      label={t('endpoint')}
      value={value}
      onChange={onChange}
      options={[{ value: '', label: t('allEndpoints') }, ...[...offered].map((name) => ({ value: name, label: name }))]}
    />
  )
}

/** Says how old the newest cached message is. */
function CachedAt({ messages }: { readonly messages: readonly Message[] }) {
  if (messages.length === 0) return null
  const newest = Math.max(...messages.map((row) => row.timestamp))
  return <span class="bad">{t('asOf', { time: clock(newest, currentLocale()) })}</span>
}

function Problems({ problems }: Pick<Inbox, 'problems'>) {
  if (problems.length === 0) return null
  return (
    <ul class="strip-line warn" role="status">
      {problems.map((problem) => (
        <li key={`${problem.adapter}/${problem.endpoint}`}>
          {t('failed', { name: problem.endpoint, error: problem.text })}
        </li>
      ))}
    </ul>
  )
}

interface TalksProps {
  readonly talks: readonly Conversation[]
  readonly current: string | undefined
  readonly onOpen: (key: string) => void
  readonly onlyUnread: boolean
  /** Whether the inbox has no rows at all. */
  readonly empty: boolean
  readonly loading: boolean
  readonly failed: boolean
}

function Talks({ talks, current, onOpen, onlyUnread, empty, loading, failed }: TalksProps) {
  if (empty && loading) return <Skeleton label={t('loading')} />
  if (empty && failed) return null
  if (talks.length > 0) return <ConversationList talks={talks} current={current} onOpen={onOpen} />
  return (
    <EmptyState title={onlyUnread ? t('noUnread') : t('empty')}>{onlyUnread ? undefined : t('emptyText')}</EmptyState>
  )
}
