import type { EndpointRow } from '@mynah/contract/types'
import { useEffect, useMemo } from 'preact/hooks'
import { host } from '../../app/host.js'
import { failureOf } from '../../lib/failure.js'
import { lazyPart } from '../../lib/lazy-part.js'
import { useQuery } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { LazyPage } from '../../app/lazy-page.js'
import { toast } from '../../app/toasts.js'
import { usePageKeys, type KeyRow } from '../../kit/page-keys.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { useOpenItem } from '../../lib/document-title.js'
import { EmptyState, FailureNotice, Skeleton } from '../../ui/index.js'
import { KeysHint } from '../../ui/parts/index.js'
import './page.css'
import { ConversationList } from './conversation-list.js'
import { conversations, conversationKey, type Conversation, type Request, type Notice } from './model.js'
import { Requests } from './requests.js'
import { useInbox, type Inbox } from './use-inbox.js'
import { t } from './texts.js'
import { useDecisions, type Decisions } from './decisions.js'
import { InboxHead, ColumnTabs } from './head.js'

const focusBy = (step: number): void => {
  const all = [...document.querySelectorAll<HTMLElement>('.inbox .talks li > button')]
  const at = all.indexOf(document.activeElement as HTMLElement)
  all[Math.max(0, Math.min(all.length - 1, at < 0 ? 0 : at + step))]?.focus()
}

const Notices = lazyPart(async () => (await import('./notices.js')).Notices)
const loadThread = () => import('./thread.js').then((module) => module.Thread)

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

  const { failure, reload } = inbox.resource
  const answered = inbox.known || !isEmpty(inbox) || failure !== undefined
  return (
    <div class={`workbench inbox tab-${tab}${talk ? ' open' : ''}`}>
      <div class="head">
        <InboxHead inbox={inbox} query={query} unread={unread} waiting={waiting} />
        <ColumnTabs query={query} unread={unread} waiting={waiting} unreadNotices={unreadNotices} />
      </div>
      {failure && !inbox.known ? (
        <div class="strip">
          <FailureNotice failure={failure} onRetry={reload} />
        </div>
      ) : null}
      <Problems problems={inbox.problems} />
      <div class={talk ? 'panes talks-open' : 'panes'}>
        <ConversationPane
          inbox={inbox}
          talks={shown}
          current={talk?.key}
          onlyUnread={show === 'unread'}
          unread={{ count: unread, listed: all.reduce((sum, row) => sum + row.unread, 0) }}
          keys={keys}
          onOpen={openTalk}
        />
        {talk ? (
          <LazyPage
            key={talk.key}
            load={loadThread}
            props={{ talk, inbox, onRead: read, onBack: () => query.set({ open: '' }) }}
          />
        ) : null}
        <Asides
          requests={requests}
          decisions={decisions}
          answered={answered}
          waiting={waiting}
          first={first}
          notices={notices}
          unreadNotices={unreadNotices}
          inbox={inbox}
        />
      </div>
      {decisions.dialog}
    </div>
  )
}

interface AsidesProps {
  readonly requests: readonly Request[]
  readonly decisions: Decisions
  readonly answered: boolean
  readonly waiting: readonly Request[]
  readonly first: Request | undefined
  readonly notices: readonly Notice[]
  readonly unreadNotices: readonly Notice[]
  readonly inbox: Inbox
}

function Asides({ requests, decisions, answered, waiting, first, notices, unreadNotices, inbox }: AsidesProps) {
  return (
    <div class="pane asides">
      <Requests rows={requests} decisions={decisions} known={answered} waiting={waiting.length} first={first} />
      <Notices
        rows={notices}
        unread={unreadNotices}
        known={answered}
        onRead={(rows) => inbox.markRead('notices', rows)}
      />
    </div>
  )
}

interface ConversationPaneProps {
  readonly inbox: Inbox
  readonly talks: readonly Conversation[]
  /** The key of the open conversation. */
  readonly current: string | undefined
  readonly onlyUnread: boolean
  /** How many messages are unread, and how many of them are here. */
  readonly unread: { readonly count: number; readonly listed: number }
  readonly keys: readonly KeyRow[]
  readonly onOpen: (key: string) => void
}

function ConversationPane({ inbox, talks, current, onlyUnread, unread, keys, onOpen }: ConversationPaneProps) {
  return (
    <section class="pane talks" aria-label={t('conversations')}>
      <header>
        <h2>{t('messages')}</h2>
        <span class="muted">{t(unread.listed < unread.count ? 'listedUnread' : 'countUnread', unread)}</span>
      </header>
      {talks.length > 0 ? (
        <ConversationList talks={talks} current={current} onOpen={onOpen} />
      ) : (
        <NoConversations inbox={inbox} onlyUnread={onlyUnread} />
      )}
      <KeysHint keys={keys} />
    </section>
  )
}

const isEmpty = ({ messages, requests, notices }: Inbox): boolean =>
  messages.length + requests.length + notices.length === 0

/** Says why no conversation is shown. The failure of the inbox is above the panes. */
function NoConversations({ inbox, onlyUnread }: { readonly inbox: Inbox; readonly onlyUnread: boolean }) {
  const { failure } = inbox.resource
  if (isEmpty(inbox) && failure) return null
  if (isEmpty(inbox) && !inbox.known) return <Skeleton label={t('loading')} />
  return (
    <EmptyState title={onlyUnread ? t('noUnread') : t('empty')}>{onlyUnread ? undefined : t('emptyText')}</EmptyState>
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
