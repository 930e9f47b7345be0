// A scene with its messages and the composer.
import type { HostApi } from '@mynah/console/entry'
import { Button, EmptyState, Notice, Skeleton } from '@mynah/console/ui'
import type { EndpointRow } from '@mynah/contract/types'
import { useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { Composer } from './composer.js'
import type { DraftStore } from './drafts.js'
import { MessageItem } from './message.js'
import {
  displayName,
  messageRows,
  truncate,
  type ChatMessage,
  type MessageRow,
  type SandboxUser,
  type Scene,
} from './model.js'
import { translator, type Translate } from './texts.js'
import { HISTORY_LIMIT, type SceneState, type TranscriptStore } from './transcript-store.js'
import { useMessageActions } from './use-message-actions.js'
import { useScrollToEnd } from './use-scroll-to-end.js'
import { useVirtualList } from './use-virtual-list.js'

interface ChatProps {
  readonly host: HostApi
  readonly transcripts: TranscriptStore
  readonly endpoint: EndpointRow
  readonly user: SandboxUser
  readonly scene: Scene
  readonly users: readonly SandboxUser[]
  readonly raw: boolean
  /** Whether a model answers what is no command. */
  readonly hasAgent: boolean
  /** Unsent texts, by scene. */
  readonly drafts: DraftStore
  /** Settings of all scenes. */
  readonly headActions: preact.ComponentChildren
}

export function Chat(props: ChatProps) {
  const { host, transcripts, endpoint, user, scene, users, raw } = props
  const t = translator(host)
  const state = useSyncExternalStore(transcripts.subscribe, () => transcripts.scene(scene.channel))
  const { messages, status, hostStarts } = state
  const [quote, setQuote] = useState<ChatMessage>()
  const { actions, failure, clearFailure } = useMessageActions(transcripts, user)
  const list = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => messageRows(messages, hostStarts), [messages, hostStarts])
  const keys = useMemo(() => messages.map(({ messageId }) => messageId), [messages])
  const virtual = useVirtualList(list, keys)
  const rendered = status === 'ready' && messages.length > 0
  const { missed, onScroll, scrollToEnd, follow } = useScrollToEnd({ list, messages, virtual, rendered, raw })

  const senderName = senderNames(users, endpoint)
  const send = (content: Parameters<TranscriptStore['send']>[2], text: string): void => {
    follow()
    void transcripts.send(scene.channel, { id: user.id, name: user.name }, content, text, quote?.messageId)
    setQuote(undefined)
  }
  const resend = (message: ChatMessage): void => {
    follow()
    void (message.state === 'failed'
      ? transcripts.retry(message)
      : transcripts.send(message.channel, message.sender, message.content, message.text))
  }
  const renderRow = (row: MessageRow, index: number) => (
    <MessageItem
      key={row.message.messageId}
      t={t}
      locale={host.locale()}
      row={row}
      position={virtual.first + index + 1}
      total={rows.length}
      raw={raw}
      find={(id) => messages.find(({ messageId }) => messageId === id)}
      senderName={senderName}
      measure={virtual.measure}
      onResend={canResend(row.message) ? () => resend(row.message) : undefined}
      onQuote={() => setQuote(row.message)}
      trace={traceOf(row.message, endpoint.name)}
      onCommand={(text) => send(text, text)}
      {...actions}
    />
  )
  return (
    <section className="sb-chat" aria-label={scene.name}>
      <ChatHead t={t} scene={scene} endpoint={endpoint.name} state={state} actions={props.headActions} />
      <OfflineNotice t={t} endpoint={endpoint} />
      <ChangeError t={t} error={failure} onClose={clearFailure} />
      <div className="sb-list" ref={list} onScroll={onScroll} {...regionOf(t, scene)}>
        {status === 'failed' ? (
          <HistoryError t={t} error={state.error} onRetry={() => void transcripts.load(scene.channel)} />
        ) : null}
        {messages.length > 0 ? (
          <ol style={{ paddingTop: virtual.above, paddingBottom: virtual.below }}>
            {rows.slice(virtual.first, virtual.end).map(renderRow)}
          </ol>
        ) : (
          <EmptyScene t={t} status={status} hasAgent={props.hasAgent} />
        )}
      </div>
      {missed > 0 ? <MissedButton t={t} count={missed} onClick={scrollToEnd} /> : null}
      <LatestMessage t={t} transcripts={transcripts} senderName={senderName} />
      <Composer
        host={host}
        drafts={props.drafts}
        user={user}
        scene={scene}
        botId={endpoint.selfId ?? endpoint.name}
        quote={quote && { name: senderName(quote), text: truncate(quote.text) }}
        onDropQuote={() => setQuote(undefined)}
        onSend={send}
        recent={messages}
      />
    </section>
  )
}

/** Attributes of the list, which is scrolled by keys. */
const regionOf = (t: Translate, { name }: Scene) =>
  ({ tabIndex: 0, role: 'region', 'aria-label': t('transcript', { scene: name }) }) as const

function OfflineNotice({ t, endpoint }: { readonly t: Translate; readonly endpoint: ChatProps['endpoint'] }) {
  if (endpoint.status === 'online') return null
  return <Notice tone="warn" title={t('offline', { reason: endpoint.error ?? endpoint.status })} />
}

interface ChangeErrorProps {
  readonly t: Translate
  readonly error: string | undefined
  readonly onClose: () => void
}

function ChangeError({ t, error, onClose }: ChangeErrorProps) {
  if (error === undefined) return null
  return <Notice tone="err" title={error} actions={<Button onClick={onClose}>{t('close')}</Button>} />
}

const canResend = ({ direction, state }: ChatMessage): boolean => direction === 'in' && state !== 'sending'

/** Returns the address of the trace of a message to the bot. */
const traceOf = ({ direction, state, messageId }: ChatMessage, endpoint: string): string | undefined =>
  direction === 'in' && state === undefined
    ? `/traces?message=${encodeURIComponent(`${endpoint}/${messageId}`)}`
    : undefined

interface ChatHeadProps {
  readonly t: Translate
  readonly scene: Scene
  readonly endpoint: string
  readonly state: SceneState
  readonly actions: preact.ComponentChildren
}

function ChatHead({ t, scene, endpoint, state, actions }: ChatHeadProps) {
  return (
    <header className="sb-head">
      <h2>{scene.name}</h2>
      <p>
        <span>{t('onEndpoint', { name: endpoint })}</span>
        {state.status === 'ready' ? <span>{countText(t, state)}</span> : null}
      </p>
      {actions}
    </header>
  )
}

function countText(t: Translate, { messages }: SceneState): string {
  const count = messages.filter(({ state }) => state === undefined).length
  if (count === 1) return t('oneMessage')
  // The host may have more than it was asked for.
  return t(count < HISTORY_LIMIT ? 'messages' : 'lastMessages', { count })
}

type SenderName = (message: ChatMessage) => string

function senderNames(users: readonly SandboxUser[], { name: endpointName, selfName }: EndpointRow): SenderName {
  const names = new Map(users.map(({ id, name }) => [id, name]))
  names.set(endpointName, selfName ?? endpointName)
  return ({ sender }) => sender.name ?? names.get(sender.id) ?? displayName(sender)
}

interface HistoryErrorProps {
  readonly t: Translate
  readonly error: string | undefined
  readonly onRetry: () => void
}

function HistoryError({ t, error, onRetry }: HistoryErrorProps) {
  return (
    <Notice tone="err" title={t('historyFailed')} actions={<Button onClick={onRetry}>{t('retry')}</Button>}>
      {error}
    </Notice>
  )
}

interface EmptySceneProps {
  readonly t: Translate
  readonly status: SceneState['status']
  readonly hasAgent: boolean
}

function EmptyScene({ t, status, hasAgent }: EmptySceneProps) {
  if (status === 'loading') return <Skeleton label={t('loading')} />
  return status === 'ready' ? (
    <EmptyState title={t('emptyTitle')}>{t(hasAgent ? 'emptyAgent' : 'emptyText')}</EmptyState>
  ) : null
}

interface MissedButtonProps {
  readonly t: Translate
  readonly count: number
  readonly onClick: () => void
}

function MissedButton({ t, count, onClick }: MissedButtonProps) {
  return (
    <div className="sb-missed">
      <Button kind="primary" onClick={onClick}>
        {t('newMessages', { count })} ↓
      </Button>
    </div>
  )
}

interface LatestMessageProps {
  readonly t: Translate
  readonly transcripts: TranscriptStore
  readonly senderName: SenderName
}

/** Announces messages of the bot to screen readers. The message that was the latest at first is not announced. */
function LatestMessage({ t, transcripts, senderName }: LatestMessageProps) {
  const latest = useSyncExternalStore(transcripts.subscribe, () => transcripts.latest)
  const [initial] = useState(latest)
  const isNew = latest !== undefined && latest !== initial
  return (
    <p className="sr" role="status" aria-live="polite">
      {isNew ? t('said', { name: senderName(latest), text: truncate(latest.text, 400) }) : ''}
    </p>
  )
}
