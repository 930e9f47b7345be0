// One message: who, when, what, how it went, and what can be done with it.
import { useId } from 'react'
import { brief, segmentsOf, type Line } from './model.js'
import { SegmentView } from './segment-view.js'
import type { Translate } from './texts.js'

interface MessageItemProps {
  readonly t: Translate
  readonly locale: string
  readonly line: Line
  readonly speaker: string
  readonly raw: boolean
  readonly find: (id: string) => Line | undefined
  readonly speakerOf: (line: Line) => string
  readonly onResend: (() => void) | undefined
  readonly onQuote: () => void
  readonly onCommand: (text: string) => void
}

export function MessageItem({ t, locale, line, speaker, raw, find, speakerOf, onResend, onQuote, onCommand }: MessageItemProps) {
  const id = useId()
  const { direction, state, error, timestamp, text } = line
  const segments = segmentsOf(line.content)
  const answers = line.replyTo ?? segments.find((part) => part.type === 'reply')?.data['id']
  const quoted = typeof answers === 'string' || typeof answers === 'number' ? String(answers) : undefined
  const source = quoted === undefined ? undefined : find(quoted)
  const time = new Date(timestamp)
  return (
    <li className={`sb-message ${direction}${state ? ` ${state}` : ''}`} aria-labelledby={id}>
      <header>
        <b id={id}>{speaker}</b>
        {direction === 'out' ? <span className="badge info">{t('bot')}</span> : null}
        <time dateTime={time.toISOString()} title={time.toLocaleString(locale)}>{time.toLocaleTimeString(locale)}</time>
        {state === 'sending' ? <span className="muted">{t('sending')}</span> : null}
        <span className="sb-tools">
          <button type="button" onClick={onQuote} aria-label={t('quoteOf', { text: brief(text, 40) })}>{t('quote')}</button>
          {onResend ? <button type="button" onClick={onResend} aria-label={t('resendOf', { text: brief(text, 40) })}>{t('resend')}</button> : null}
        </span>
      </header>
      {quoted === undefined ? null : <p className="sb-reply">{source ? t('quoted', { name: speakerOf(source), text: brief(source.text) }) : t('quotedUnknown', { id: quoted })}</p>}
      {raw
        ? <pre className="sb-raw" tabIndex={0} role="group" aria-label={t('raw')}>{JSON.stringify(rawOf(line), null, 2)}</pre>
        : <div className="sb-body">{segments.map((part, index) => <SegmentView key={index} t={t} part={part} onCommand={onCommand} />)}</div>}
      {state === 'failed' ? <p className="sb-error" role="alert">{t('failed', { error: error ?? '' })}</p> : null}
    </li>
  )
}

/** The message as the wire has it. */
function rawOf({ state: _state, error: _error, ...line }: Line): object {
  return line
}
