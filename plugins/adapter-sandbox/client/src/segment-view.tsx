// The pieces of a message. Everything in them was written by somebody else: it is shown as text, and nothing is
// fetched unasked.
import type { Segment } from '@mynah/contract/types'
import { useState } from 'react'
import { cardOf, mediumOf, sourceOf, str, type Medium } from './media.js'
import type { Translate } from './texts.js'

interface SegmentViewProps {
  readonly t: Translate
  readonly part: Segment
  readonly onCommand: (text: string) => void
}

export function SegmentView({ t, part: { type, data }, onCommand }: SegmentViewProps) {
  switch (type) {
    case 'text':
      return <span className="sb-text">{str(data['text'])}</span>
    case 'at':
      return <span className="sb-at">@{str(data['name']) || str(data['id'])}</span>
    case 'reply':
      return null
    case 'face':
    case 'emoji':
    case 'sticker':
      return <span className="sb-text">{str(data['text']) || `[${str(data['name']) || str(data['id']) || type}]`}</span>
    case 'image':
      return <Picture t={t} medium={mediumOf(data, 'image/png')} alt={str(data['alt']) || str(data['name'])} />
    case 'audio':
    case 'record':
    case 'voice':
      return (
        <Sound t={t} name={str(data['name'])} medium={mediumOf(data, 'audio/mpeg')} words={str(data['transcript'])} />
      )
    case 'video':
      return <Attachment t={t} kind={t('video')} name={str(data['name'])} medium={mediumOf(data, 'video/mp4')} />
    case 'file':
      return <Attachment t={t} kind={t('file')} name={str(data['name'])} medium={mediumOf(data)} />
    case 'card':
      return <CardBox t={t} data={data} onCommand={onCommand} />
    case 'html':
    case 'markdown':
      return <span className="sb-text">{sourceOf(data)}</span>
    default:
      return (
        <span className="sb-unknown">
          <span className="muted">{t('unknown', { type })}</span> <code>{JSON.stringify(data)}</code>
        </span>
      )
  }
}

function Picture({
  t,
  medium,
  alt,
}: {
  readonly t: Translate
  readonly medium: Medium | undefined
  readonly alt: string
}) {
  const [state, setState] = useState<'hidden' | 'shown' | 'failed'>(medium?.kind === 'inline' ? 'shown' : 'hidden')
  if (!medium) return <span className="sb-attachment muted">{t('noSource', { type: alt || t('image') })}</span>
  if (state === 'failed')
    return (
      <span className="sb-attachment err">
        {t('imageFailed')}
        {alt ? `: ${alt}` : ''}
      </span>
    )
  if (state === 'shown')
    return (
      <img
        className="sb-image"
        src={medium.href}
        alt={alt || t('image')}
        referrerPolicy="no-referrer"
        onError={() => setState('failed')}
      />
    )
  return (
    <button type="button" className="button sb-show" onClick={() => setState('shown')}>
      {t('showImage', { where: medium.kind === 'web' ? medium.host : '' })}
      {alt ? ` (${alt})` : ''}
    </button>
  )
}

/** Sound that the message brings along is played here; its words stand below it. */
function Sound({
  t,
  name,
  medium,
  words,
}: {
  readonly t: Translate
  readonly name: string
  readonly medium: Medium | undefined
  readonly words: string
}) {
  return (
    <div className="sb-sound">
      {medium?.kind === 'inline' ? (
        <audio controls preload="metadata" src={medium.href} aria-label={name || t('audio')} />
      ) : (
        <Attachment t={t} kind={t('audio')} name={name} medium={medium} />
      )}
      {words === '' ? null : <span className="sb-text">{words}</span>}
    </div>
  )
}

function Attachment({
  t,
  kind,
  name,
  medium,
}: {
  readonly t: Translate
  readonly kind: string
  readonly name: string
  readonly medium: Medium | undefined
}) {
  if (!medium) return <span className="sb-attachment muted">{t('noSource', { type: name || kind })}</span>
  if (medium.kind === 'inline')
    return (
      <span className="sb-attachment">
        {kind}:{' '}
        <a href={medium.href} download={name || kind}>
          {name || kind}
        </a>
      </span>
    )
  return (
    <span className="sb-attachment">
      {kind}:{' '}
      <a href={medium.href} target="_blank" rel="noopener noreferrer">
        {name || medium.href}
      </a>
      {name ? <span className="muted"> {medium.host}</span> : null}
    </span>
  )
}

function CardBox({
  t,
  data,
  onCommand,
}: {
  readonly t: Translate
  readonly data: Segment['data']
  readonly onCommand: (text: string) => void
}) {
  const card = cardOf(data)
  return (
    <div className="sb-card">
      {card.title ? <strong>{card.title}</strong> : null}
      {card.text ? <p className="sb-text">{card.text}</p> : null}
      {data['image'] === undefined ? null : <Picture t={t} medium={card.image} alt="" />}
      {card.fields.length > 0 ? (
        <dl>
          {card.fields.map((field, index) => (
            <div key={index} className={field.inline ? 'inline' : undefined}>
              <dt>{field.name}</dt>
              <dd>{field.value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {card.buttons.length > 0 ? (
        <div className="sb-buttons">
          {card.buttons.map(({ text, href, command }, index) =>
            command ? (
              <button key={index} type="button" className="button" title={command} onClick={() => onCommand(command)}>
                {text}
              </button>
            ) : href === undefined ? (
              <span key={index} className="badge plain">
                {text}
              </span>
            ) : (
              <a key={index} className="button" href={href} target="_blank" rel="noopener noreferrer">
                {text}
              </a>
            ),
          )}
        </div>
      ) : null}
    </div>
  )
}
