// A message with its sender, time, delivery status and buttons. Rules above it show a new day and a restart.
import { useCallback, useId, useState } from 'react'
import { ChangeTools, MessageEditor, Reactions, type MessageActions } from './message-changes.js'
import { toSegments, truncate, type ChatMessage, type MessageRow } from './model.js'
import { SegmentView } from './segment-view.js'
import type { Translate } from './texts.js'
import { dateAndTime, fullDate, longTime, shortTime } from './time-format.js'

interface MessageItemProps extends MessageActions {
  readonly t: Translate
  readonly locale: string
  readonly row: MessageRow
  /** Position of the message in the scene, from 1. */
  readonly position: number
  /** Number of messages in the scene. */
  readonly total: number
  readonly raw: boolean
  readonly find: (id: string) => ChatMessage | undefined
  readonly senderName: (message: ChatMessage) => string
  readonly measure: (key: string, element: HTMLElement | null) => void
  readonly onResend: (() => void) | undefined
  readonly onQuote: () => void
  /** The address of its trace, if the host has one. */
  readonly trace: string | undefined
  readonly onCommand: (text: string) => void
}

export function MessageItem(props: MessageItemProps) {
  const { t, locale, row, position, total, senderName, measure, onResend, onQuote, trace } = props
  const id = useId()
  const [isEdited, setEdited] = useState(false)
  const { message, showsSender } = row
  const { messageId, direction, state, timestamp, text } = message
  const time = new Date(timestamp)
  const measured = useCallback((element: HTMLElement | null) => measure(messageId, element), [measure, messageId])
  return (
    <li
      ref={measured}
      data-key={messageId}
      className={`sb-message ${direction}${state ? ` ${state}` : ''}${showsSender ? ' head' : ''}`}
      aria-labelledby={id}
      aria-posinset={position}
      aria-setsize={total}
    >
      <Rules t={t} locale={locale} row={row} />
      <header className={showsSender ? undefined : 'sr'}>
        <b id={id}>{senderName(message)}</b>
        {direction === 'out' ? <span className="muted">{t('bot')}</span> : null}
      </header>
      <time dateTime={time.toISOString()} title={longTime(time, locale)}>
        {shortTime(time, locale)}
      </time>
      {isEdited ? (
        <MessageEditor
          t={t}
          message={message}
          onCancel={() => setEdited(false)}
          onSave={(changed) => {
            setEdited(false)
            props.onEdit(message, changed)
          }}
        />
      ) : (
        <MessageBody {...props} />
      )}
      <span className="sb-tools">
        <ChangeTools {...props} message={message} onStartEdit={() => setEdited(true)} />
        <button type="button" onClick={onQuote} aria-label={t('quoteOf', { text: truncate(text, 40) })}>
          {t('quote')}
        </button>
        {onResend ? (
          <button type="button" onClick={onResend} aria-label={t('resendOf', { text: truncate(text, 40) })}>
            {t('resend')}
          </button>
        ) : null}
        {trace === undefined ? null : (
          <a href={trace} aria-label={t('traceOf', { text: truncate(text, 40) })}>
            {t('trace')}
          </a>
        )}
      </span>
    </li>
  )
}

function Rules({ t, locale, row: { day, restart } }: Pick<MessageItemProps, 't' | 'locale' | 'row'>) {
  return (
    <>
      {restart === undefined ? null : (
        <p className="sb-rule restart">{t('restarted', { time: dateAndTime(new Date(restart), locale) })}</p>
      )}
      {day === undefined ? null : <p className="sb-rule">{fullDate(new Date(day), locale)}</p>}
    </>
  )
}

function MessageBody({ t, row: { message }, raw, find, senderName, onCommand }: MessageItemProps) {
  const segments = toSegments(message.content)
  const repliesTo = message.replyTo ?? segments.find((part) => part.type === 'reply')?.data['id']
  return (
    <div className="sb-said">
      {typeof repliesTo === 'string' || typeof repliesTo === 'number' ? (
        <p className="sb-reply">{quoteText(t, String(repliesTo), find, senderName)}</p>
      ) : null}
      {raw ? (
        <pre className="sb-raw" tabIndex={0} role="group" aria-label={t('raw')}>
          {JSON.stringify(wireMessage(message), null, 2)}
        </pre>
      ) : (
        <div className={message.deletedAt === undefined ? 'sb-body' : 'sb-body deleted'}>
          {segments.map((part, index) => (
            <SegmentView key={index} t={t} part={part} onCommand={onCommand} />
          ))}
          {message.streaming ? <i className="sb-caret" aria-hidden="true" /> : null}
        </div>
      )}
      <EditStatus t={t} message={message} />
      <Reactions t={t} message={message} />
      <DeliveryStatus t={t} message={message} />
    </div>
  )
}

function quoteText(
  t: Translate,
  id: string,
  find: MessageItemProps['find'],
  senderName: MessageItemProps['senderName'],
): string {
  const quoted = find(id)
  return quoted ? t('quoted', { name: senderName(quoted), text: truncate(quoted.text) }) : t('quotedUnknown', { id })
}

interface StatusProps {
  readonly t: Translate
  readonly message: ChatMessage
}

function EditStatus({ t, message: { streaming, edited, deletedAt } }: StatusProps) {
  if (deletedAt !== undefined) return <small className="muted">{t('deleted')}</small>
  if (streaming) return <small className="sb-growing">{t('writing')}</small>
  return edited ? <small className="muted">{t('edited')}</small> : null
}

function DeliveryStatus({ t, message: { state, error } }: StatusProps) {
  if (state === 'sending') return <small className="muted">{t('sending')}</small>
  if (state !== 'failed') return null
  return (
    <p className="sb-error" role="alert">
      {t('failed', { error: error ?? '' })}
    </p>
  )
}

/** Returns the message as the host sent it, without the fields of this page. */
function wireMessage({ state: _state, error: _error, streaming: _streaming, ...message }: ChatMessage): object {
  return message
}
