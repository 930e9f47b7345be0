import type { MessageRow } from '@mynah/contract/types'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useDraft } from '../../kit/use-draft.js'
import { useAction, useReadAction, type Action } from '../../kit/use-action.js'
import { clock, dayOf, moment, sameDay } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { Button, Field, Icon } from '../../ui/index.js'
import { plainText } from './conversation-list.js'
import {
  conversationKey,
  firstUnreadOf,
  linesOf,
  reactionsOf,
  separateParent,
  withEndpoint,
  type Conversation,
  type Line,
  type Message,
} from './model.js'
import type { Inbox } from './use-inbox.js'
import { t } from './thread-texts.js'
import { useReadPosition } from './use-read-position.js'

const SHOWN = 150

interface ThreadProps {
  readonly talk: Conversation
  readonly inbox: Inbox
  readonly onRead: () => void
  readonly onBack: () => void
}

export function Thread({ talk, inbox, onRead, onBack }: ThreadProps) {
  const answer = useDraft(`answer ${talk.key}`, '')
  const [oldest, setOldest] = useState<string | null>()
  const [count, setCount] = useState(SHOWN)
  const messages = useMemo(
    () =>
      inbox.messages
        .filter((message) => conversationKey(message) === talk.key)
        .sort((a, b) => a.timestamp - b.timestamp),
    [inbox.messages, talk.key],
  )
  // The mark of the first unread message stays in place while the conversation is open.
  const [firstUnread] = useState(() => firstUnreadOf(messages))
  const shown = messages.slice(-count)
  const lines = linesOf(shown, firstUnread)
  const position = useReadPosition(messages.at(-1)?.id, onRead)
  const at = { adapter: talk.adapter, endpointId: talk.endpoint }
  const { channel } = talk
  const endpoint = inbox.endpoints?.find((row) => row.name === talk.endpoint && row.adapter === talk.adapter)
  const away = endpoint !== undefined && endpoint.status !== 'online'

  const older = useReadAction(async () => {
    const before = oldest ?? messages[0]?.id
    const parent = separateParent(channel)
    const page = await host().rpc('endpoint:inboxMessages', {
      ...at,
      channel: { type: channel.type, id: channel.id },
      ...(parent ? { parent: { type: parent.type, id: parent.id } } : {}),
      limit: 50,
      ...(before ? { before } : {}),
    })
    inbox.add('messages', withEndpoint<MessageRow>(page.messages, talk) as Message[])
    setCount((former) => former + page.messages.length)
    setOldest(page.nextBefore ?? null)
  })
  // Load older messages if only the last ones are cached.
  useEffect(() => {
    if (messages.length < 30) older.run()
  }, [])
  const send = useAction(async (content: string) => {
    await host().rpc('endpoint:sendMessage', {
      ...at,
      id: channel.id,
      type: channel.type,
      content,
      ...(channel.parent ? { parent: { type: channel.parent.type, id: channel.parent.id } } : {}),
    })
    // Text that was typed meanwhile stays, and so does text that was not sent.
    answer.set((now) => (now === content ? '' : now))
    position.stayAtEnd()
  }, 'here')
  const submit = (event: Event): void => {
    event.preventDefault()
    if (answer.value.trim() && !away) send.run(answer.value)
  }
  const label = t('answer', { place: talk.name, name: endpoint?.selfName ?? talk.endpoint })
  return (
    <section class="pane thread" aria-label={talk.name}>
      <ThreadHead talk={talk} onRead={onRead} onBack={onBack} />
      <div class="lines" {...position.box} tabIndex={0} role="log" aria-label={talk.name}>
        {oldest === null && count >= messages.length ? null : (
          <Button
            kind="quiet"
            busy={older.busy}
            onClick={() => (count < messages.length ? setCount(count + SHOWN) : older.run())}
          >
            {t('older')}
          </Button>
        )}
        {lines.map((line) => (
          <LineView key={line.key} line={line} onAgain={(message) => send.run(message.text)} blocked={send.blocked} />
        ))}
      </div>
      <NewBelow position={position} />
      <AnswerForm onSubmit={submit} label={label} text={answer.value} onType={answer.set} send={send} away={away} />
    </section>
  )
}

interface NewBelowProps {
  readonly position: ReturnType<typeof useReadPosition>
}

function NewBelow({ position }: NewBelowProps) {
  return position.missed > 0 ? (
    <button type="button" class="new-below" onClick={position.readToEnd}>
      {t('newBelow', { count: position.missed })}
    </button>
  ) : null
}

interface AnswerFormProps {
  readonly onSubmit: (event: Event) => void
  readonly label: string
  readonly text: string
  readonly onType: (text: string) => void
  readonly send: Action<[content: string]>
  readonly away: boolean
}

function AnswerForm({ onSubmit, label, text, onType, send, away }: AnswerFormProps) {
  return (
    <form class="answer" onSubmit={onSubmit} data-dock>
      <div class="grow">
        <Field compact label={label} placeholder={label} value={text} onInput={onType} error={send.failure} />
      </div>
      <Button
        kind="primary"
        type="submit"
        busy={send.busy}
        {...(away ? { disabled: true, title: t('offline') } : send.blocked)}
      >
        {t('send')}
      </Button>
    </form>
  )
}

function ThreadHead({ talk, onRead, onBack }: Omit<ThreadProps, 'inbox'>) {
  return (
    <header>
      <span class="back-to-list">
        <button type="button" class="icon-button" aria-label={t('back')} onClick={onBack}>
          <Icon name="back" />
        </button>
      </span>
      <h2>{talk.name}</h2>
      <span class="muted grow">
        {talk.endpoint} · {talk.adapter}
      </span>
      <Button kind="quiet" hotkey="e" onClick={onRead}>
        {t('markRead')}
      </Button>
      <button type="button" class="icon-button close-thread" aria-label={t('back')} onClick={onBack}>
        <Icon name="close" />
      </button>
    </header>
  )
}

interface LineProps {
  readonly line: Line
  readonly onAgain: (message: Message) => void
  readonly blocked: { readonly disabled?: true; readonly title?: string }
}

function LineView({ line, onAgain, blocked }: LineProps) {
  const locale = currentLocale()
  const now = Date.now()
  if (line.kind === 'day') return <p class="rule">{dayName(line.at, now, locale)}</p>
  if (line.kind === 'unread') return <p class="rule new">{t('unreadRule', { count: line.count })}</p>
  return (
    <div class={line.own ? 'said-by own' : 'said-by'}>
      <p class="who">
        <b>{line.sender}</b>
        {line.own ? <small>{t('bot')}</small> : null}
      </p>
      {line.messages.map((message) => (
        <div key={message.id} class="said-line">
          <time>{clock(message.timestamp, locale)}</time>
          <div>
            <Words message={message} />
            <Changes message={message} />
            <Fate message={message} onAgain={onAgain} blocked={blocked} />
          </div>
        </div>
      ))}
    </div>
  )
}

/** Shows the text of a message. Pictures are named, never fetched. */
function Words({ message }: { readonly message: Message }) {
  const words = plainText(message)
  return <p class="words">{message.deletedAt === undefined ? words : <del>{words}</del>}</p>
}

/** Shows what happened to a message after it was sent: an edit or its deletion, and reactions. */
function Changes({ message }: { readonly message: Message }) {
  const locale = currentLocale()
  const { editedAt, deletedAt } = message
  const reactions = reactionsOf(message)
  const changedAt = deletedAt ?? editedAt
  return (
    <>
      {changedAt === undefined ? null : (
        <p class="muted changed">
          {t(deletedAt === undefined ? 'edited' : 'deleted', { time: moment(changedAt, Date.now(), locale) })}
        </p>
      )}
      {reactions.length === 0 ? null : (
        <ul class="reactions" aria-label={t('reactions')}>
          {reactions.map(({ emoji, people }) => (
            <li key={emoji} title={people.join(', ')}>
              {emoji} {people.length}
              <span class="sr"> {people.join(', ')}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Fate({
  message,
  onAgain,
  blocked,
}: {
  readonly message: Message
  readonly onAgain: (message: Message) => void
  readonly blocked: LineProps['blocked']
}) {
  const { state } = message
  if (state === 'intent' || state === 'sending') return <p class="muted">{t(`state.${state}`)}</p>
  if (state !== 'failed' && state !== 'unknown' && state !== 'interrupted') return null
  return (
    <p class="bad">
      {t(`state.${state}`, { error: message.error ?? t('noReason') })}
      {message.direction === 'out' ? (
        <>
          . {t('notRepeated')}{' '}
          <button
            type="button"
            class="linkish"
            aria-disabled={blocked.disabled}
            title={blocked.title}
            onClick={() => onAgain(message)}
          >
            {t('again')}
          </button>
        </>
      ) : null}
    </p>
  )
}

function dayName(time: number, now: number, locale: string): string {
  if (sameDay(time, now)) return t('today')
  return sameDay(time, now - 86_400_000) ? t('yesterday') : dayOf(time, locale)
}
