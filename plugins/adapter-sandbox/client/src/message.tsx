// One message: who, when, what, how it went, and what can be done with it; above it the rules of the day and of a
// restart.
import { useCallback, useId } from 'react'
import { brief, segmentsOf, type Line, type Row } from './model.js'
import { SegmentView } from './segment-view.js'
import type { Translate } from './texts.js'
import { dayAndTime, longTime, shortTime, wholeDay } from './times.js'

interface MessageItemProps {
  readonly t: Translate
  readonly locale: string
  readonly row: Row
  readonly place: { readonly at: number; readonly of: number }
  readonly speaker: string
  readonly raw: boolean
  readonly find: (id: string) => Line | undefined
  readonly speakerOf: (line: Line) => string
  readonly measure: (key: string, element: HTMLElement | null) => void
  readonly onResend: (() => void) | undefined
  readonly onQuote: () => void
  readonly onCommand: (text: string) => void
}

export function MessageItem({
  t,
  locale,
  row,
  place,
  speaker,
  raw,
  find,
  speakerOf,
  measure,
  onResend,
  onQuote,
  onCommand,
}: MessageItemProps) {
  const id = useId()
  const { line, head, day, restart } = row
  const { messageId, direction, state, error, timestamp, text, edited, growing } = line
  const segments = segmentsOf(line.content)
  const answers = line.replyTo ?? segments.find((part) => part.type === 'reply')?.data['id']
  const quoted = typeof answers === 'string' || typeof answers === 'number' ? String(answers) : undefined
  const source = quoted === undefined ? undefined : find(quoted)
  const time = new Date(timestamp)
  const placed = useCallback((element: HTMLElement | null) => measure(messageId, element), [measure, messageId])
  return (
    <li
      ref={placed}
      data-key={messageId}
      className={`sb-message ${direction}${state ? ` ${state}` : ''}${head ? ' head' : ''}`}
      aria-labelledby={id}
      aria-posinset={place.at}
      aria-setsize={place.of}
    >
      {restart === undefined ? null : (
        <p className="sb-rule restart">{t('restarted', { time: dayAndTime(new Date(restart), locale) })}</p>
      )}
      {day === undefined ? null : <p className="sb-rule">{wholeDay(new Date(day), locale)}</p>}
      <header className={head ? undefined : 'sr'}>
        <b id={id}>{speaker}</b>
        {direction === 'out' ? <span className="muted">{t('bot')}</span> : null}
      </header>
      <time dateTime={time.toISOString()} title={longTime(time, locale)}>
        {shortTime(time, locale)}
      </time>
      <div className="sb-said">
        {quoted === undefined ? null : (
          <p className="sb-reply">
            {source
              ? t('quoted', { name: speakerOf(source), text: brief(source.text) })
              : t('quotedUnknown', { id: quoted })}
          </p>
        )}
        {raw ? (
          <pre className="sb-raw" tabIndex={0} role="group" aria-label={t('raw')}>
            {JSON.stringify(rawOf(line), null, 2)}
          </pre>
        ) : (
          <div className="sb-body">
            {segments.map((part, index) => (
              <SegmentView key={index} t={t} part={part} onCommand={onCommand} />
            ))}
            {growing ? <i className="sb-caret" aria-hidden="true" /> : null}
          </div>
        )}
        {growing ? (
          <small className="sb-growing">{t('writing')}</small>
        ) : edited ? (
          <small className="muted">{t('edited')}</small>
        ) : null}
        {state === 'sending' ? <small className="muted">{t('sending')}</small> : null}
        {state === 'failed' ? (
          <p className="sb-error" role="alert">
            {t('failed', { error: error ?? '' })}
          </p>
        ) : null}
      </div>
      <span className="sb-tools">
        <button type="button" onClick={onQuote} aria-label={t('quoteOf', { text: brief(text, 40) })}>
          {t('quote')}
        </button>
        {onResend ? (
          <button type="button" onClick={onResend} aria-label={t('resendOf', { text: brief(text, 40) })}>
            {t('resend')}
          </button>
        ) : null}
      </span>
    </li>
  )
}

/** The message as the wire has it. */
function rawOf({ state: _state, error: _error, growing: _growing, ...line }: Line): object {
  return line
}
