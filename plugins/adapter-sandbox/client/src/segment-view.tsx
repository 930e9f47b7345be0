// Segments of a message. Their data comes from a bot, so text is shown as text and nothing is fetched unasked.
import type { Segment } from '@mynah/contract/types'
import { useState } from 'react'
import { asText, formattedSource, mediaSource, parseCard, type CardView, type MediaSource } from './media.js'
import type { Translate } from './texts.js'

interface SegmentViewProps {
  readonly t: Translate
  readonly part: Segment
  readonly onCommand: (text: string) => void
}

type Renderer = (props: SegmentViewProps) => preact.ComponentChild

const renderText: Renderer = ({ part: { data } }) => <span className="sb-text">{asText(data['text'])}</span>

const renderFace: Renderer = ({ part: { type, data } }) => (
  <span className="sb-text">{asText(data['text']) || `[${asText(data['name']) || asText(data['id']) || type}]`}</span>
)

const renderAudio: Renderer = ({ t, part: { data } }) => (
  <Sound
    t={t}
    name={asText(data['name'])}
    media={mediaSource(data, 'audio/mpeg')}
    transcript={asText(data['transcript'])}
  />
)

const renderSource: Renderer = ({ part: { data } }) => <span className="sb-text">{formattedSource(data)}</span>

const RENDERERS: ReadonlyMap<string, Renderer> = new Map<string, Renderer>([
  ['text', renderText],
  ['at', ({ part: { data } }) => <span className="sb-at">@{asText(data['name']) || asText(data['id'])}</span>],
  // The message shows the quoted text above its segments.
  ['reply', () => null],
  ['face', renderFace],
  ['emoji', renderFace],
  ['sticker', renderFace],
  [
    'image',
    ({ t, part: { data } }) => (
      <Picture t={t} media={mediaSource(data, 'image/png')} alt={asText(data['alt']) || asText(data['name'])} />
    ),
  ],
  ['audio', renderAudio],
  ['record', renderAudio],
  ['voice', renderAudio],
  [
    'video',
    ({ t, part: { data } }) => (
      <Attachment t={t} kind={t('video')} name={asText(data['name'])} media={mediaSource(data, 'video/mp4')} />
    ),
  ],
  [
    'file',
    ({ t, part: { data } }) => (
      <Attachment t={t} kind={t('file')} name={asText(data['name'])} media={mediaSource(data)} />
    ),
  ],
  ['card', ({ t, part: { data }, onCommand }) => <Card t={t} data={data} onCommand={onCommand} />],
  ['html', renderSource],
  ['markdown', renderSource],
])

const renderUnknown: Renderer = ({ t, part: { type, data } }) => (
  <span className="sb-unknown">
    <span className="muted">{t('unknown', { type })}</span> <code>{JSON.stringify(data)}</code>
  </span>
)

export function SegmentView(props: SegmentViewProps) {
  return (RENDERERS.get(props.part.type) ?? renderUnknown)(props)
}

function Picture({
  t,
  media,
  alt,
}: {
  readonly t: Translate
  readonly media: MediaSource | undefined
  readonly alt: string
}) {
  const [state, setState] = useState<'hidden' | 'shown' | 'failed'>(media?.kind === 'inline' ? 'shown' : 'hidden')
  if (!media) return <span className="sb-attachment muted">{t('noSource', { type: alt || t('image') })}</span>
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
        src={media.href}
        alt={alt || t('image')}
        referrerPolicy="no-referrer"
        onError={() => setState('failed')}
      />
    )
  return (
    <button type="button" className="button sb-show" onClick={() => setState('shown')}>
      {t('showImage', { where: media.kind === 'web' ? media.host : '' })}
      {alt ? ` (${alt})` : ''}
    </button>
  )
}

/** Plays audio that the message contains, and shows its transcript below. */
function Sound({
  t,
  name,
  media,
  transcript,
}: {
  readonly t: Translate
  readonly name: string
  readonly media: MediaSource | undefined
  readonly transcript: string
}) {
  return (
    <div className="sb-sound">
      {media?.kind === 'inline' ? (
        <audio controls preload="metadata" src={media.href} aria-label={name || t('audio')} />
      ) : (
        <Attachment t={t} kind={t('audio')} name={name} media={media} />
      )}
      {transcript === '' ? null : <span className="sb-text">{transcript}</span>}
    </div>
  )
}

function Attachment({
  t,
  kind,
  name,
  media,
}: {
  readonly t: Translate
  readonly kind: string
  readonly name: string
  readonly media: MediaSource | undefined
}) {
  if (!media) return <span className="sb-attachment muted">{t('noSource', { type: name || kind })}</span>
  if (media.kind === 'inline')
    return (
      <span className="sb-attachment">
        {kind}:{' '}
        <a href={media.href} download={name || kind}>
          {name || kind}
        </a>
      </span>
    )
  return (
    <span className="sb-attachment">
      {kind}:{' '}
      <a href={media.href} target="_blank" rel="noopener noreferrer">
        {name || media.href}
      </a>
      {name ? <span className="muted"> {media.host}</span> : null}
    </span>
  )
}

function Card({
  t,
  data,
  onCommand,
}: {
  readonly t: Translate
  readonly data: Segment['data']
  readonly onCommand: (text: string) => void
}) {
  const card = parseCard(data)
  return (
    <div className="sb-card">
      {card.title ? <strong>{card.title}</strong> : null}
      {card.text ? <p className="sb-text">{card.text}</p> : null}
      {data['image'] === undefined ? null : <Picture t={t} media={card.image} alt="" />}
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
          {card.buttons.map((button, index) => (
            <CardButton key={index} button={button} onCommand={onCommand} />
          ))}
        </div>
      ) : null}
    </div>
  )
}

interface CardButtonProps {
  readonly button: CardView['buttons'][number]
  readonly onCommand: (text: string) => void
}

function CardButton({ button: { text, href, command }, onCommand }: CardButtonProps) {
  if (command)
    return (
      <button type="button" className="button" title={command} onClick={() => onCommand(command)}>
        {text}
      </button>
    )
  if (href === undefined) return <span className="badge plain">{text}</span>
  return (
    <a className="button" href={href} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  )
}
