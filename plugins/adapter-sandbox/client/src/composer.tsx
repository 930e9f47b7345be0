// The form in which messages are typed, as text or as segments in JSON.
import type { HostApi } from '@mynah/console/entry'
import { Button, Icon, Switch } from '@mynah/console/ui'
import type { Content } from '@mynah/contract/types'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { composerAction, type ComposerAction } from './composer-keys.js'
import type { DraftStore } from './drafts.js'
import {
  channelKey,
  parseSegments,
  type ChatMessage,
  type SandboxUser,
  type Scene,
  type SegmentError,
} from './model.js'
import { Hint } from './hint.js'
import { messageContent, type Picture } from './pictures.js'
import { translator, type Translate } from './texts.js'
import { sentTexts, useAttachments, useLive, useTypedText } from './use-composer.js'

interface Quote {
  readonly name: string
  readonly text: string
}

interface ComposerProps {
  readonly host: HostApi
  readonly user: SandboxUser
  readonly scene: Scene
  readonly botId: string
  readonly quote: Quote | undefined
  readonly drafts: DraftStore
  readonly onDropQuote: () => void
  readonly onSend: (content: Content, text: string) => void
  /** Messages of the scene, whose texts can be recalled. */
  readonly recent: readonly ChatMessage[]
}

const TEMPLATE = '[{ "type": "text", "data": { "text": "" } }]'

/** Returns the JSON to begin with: the typed text as a segment, or a template. */
const jsonOf = (text: string): string => (text === '' ? TEMPLATE : JSON.stringify([{ type: 'text', data: { text } }]))

interface Outgoing {
  readonly content: Content
  /** The message as plain text. */
  readonly text: string
}

function outgoingSegments(text: string): Outgoing | { readonly error: SegmentError } {
  const read = parseSegments(text)
  if ('error' in read) return read
  const { segments } = read
  return {
    content: segments,
    text: segments.map((part) => (part.type === 'text' ? String(part.data['text'] ?? '') : `[${part.type}]`)).join(''),
  }
}

const outgoingText = (text: string, pictures: readonly Picture[]): Outgoing => ({
  content: messageContent(text, pictures),
  text: [text, ...pictures.map(({ name }) => `[${name}]`)].filter(Boolean).join(' '),
})

/** Holds the state of the composer and its actions. */
function useComposer(
  { host, user, scene, botId, quote, drafts, onDropQuote, onSend, recent }: ComposerProps,
  focus: () => void,
) {
  const [json, setJson] = useState(false)
  const [segmentError, setSegmentError] = useState<SegmentError>()
  const sent = sentTexts(recent, user.id)
  const typed = useTypedText({ drafts, draftKey: channelKey(scene.channel), savesDraft: !json, sent })
  const { text, recalled } = typed
  const attachments = useAttachments(translator(host), focus)
  const { pictures } = attachments

  const edit = (value: string): void => {
    typed.edit(value)
    setSegmentError(undefined)
  }
  const send = (): void => {
    if (text.trim() === '' && (json || pictures.length === 0)) return
    const outgoing = json ? outgoingSegments(text) : outgoingText(text, pictures)
    if ('error' in outgoing) return setSegmentError(outgoing.error)
    onSend(outgoing.content, outgoing.text)
    attachments.clear()
    edit('')
    focus()
  }
  const actions: Readonly<Record<ComposerAction, () => void>> = {
    send,
    'recall-older': () => typed.recall(1),
    'recall-newer': () => typed.recall(-1),
    'drop-quote': onDropQuote,
    clear: () => edit(''),
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const state = { json, text, recalled, canRecall: sent.length > 0, quoting: quote !== undefined }
    const action = composerAction(event, state)
    if (!action) return
    actions[action]()
    event.preventDefault()
  }
  const onPaste = (event: ClipboardEvent): void => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (json || files.length === 0) return
    event.preventDefault()
    attachments.add(files)
  }
  const switchJson = (on: boolean): void => {
    setJson(on)
    edit(on ? jsonOf(text) : '')
  }
  const mention = (): void => {
    edit(`@${botId} ${text}`)
    focus()
  }
  return { json, text, segmentError, attachments, edit, send, onKeyDown, onPaste, switchJson, mention }
}

export function Composer(props: ComposerProps) {
  const { host, user, scene, quote, onDropQuote } = props
  const t = translator(host)
  const id = useId()
  const live = useLive(host)
  const input = useRef<HTMLTextAreaElement>(null)
  const focus = (): void => input.current?.focus()
  const composer = useComposer(props, focus)
  const { json, text, segmentError, attachments } = composer
  const { pictures, rejection } = attachments
  useEffect(() => {
    if (quote) focus()
  }, [quote?.name, quote?.text])
  const submit = (event: Event): void => {
    event.preventDefault()
    composer.send()
  }
  return (
    <form className="sb-composer" data-dock onSubmit={submit}>
      {quote ? <QuoteBar t={t} quote={quote} onDrop={onDropQuote} /> : null}
      {pictures.length > 0 ? <PictureList t={t} pictures={pictures} onRemove={attachments.remove} /> : null}
      <div className="sb-entry">
        <label className="sr" htmlFor={id}>
          {json ? t('segments') : t('message')}
        </label>
        <div className="control grow">
          <textarea
            id={id}
            ref={input}
            {...(json
              ? { rows: 4, className: 'mono', placeholder: TEMPLATE }
              : { rows: 1, placeholder: t('placeholder') })}
            value={text}
            spellcheck={!json}
            aria-invalid={segmentError ? 'true' : undefined}
            aria-describedby={`${id}-hint`}
            onInput={(event) => composer.edit(event.currentTarget.value)}
            onKeyDown={composer.onKeyDown}
            onPaste={composer.onPaste}
          />
        </div>
        {scene.channel.type === 'private' || json ? null : (
          <Button onClick={composer.mention} label={t('mention')} title={t('mention')}>
            @
          </Button>
        )}
        {json ? null : <PictureButton t={t} onChoose={attachments.add} />}
        <Button kind="primary" type="submit">
          {t('send')}
        </Button>
      </div>
      <div className="sb-foot">
        <strong>{t('writingAs', { name: user.name, scene: scene.name })}</strong>
        <Hint
          id={`${id}-hint`}
          t={t}
          error={segmentError ? segmentErrorText(t, segmentError) : rejection}
          live={live}
          json={json}
        />
        <Switch label={t('segments')} on={json} onChange={composer.switchJson} />
      </div>
    </form>
  )
}

function segmentErrorText(t: Translate, error: SegmentError): string {
  switch (error.kind) {
    case 'json':
      return t('badJson', { error: error.error })
    case 'list':
      return t('noSegments')
    case 'segment':
      return t('badSegments', { index: error.index + 1 })
  }
}

interface CloseButtonProps {
  readonly label: string
  readonly onClick: () => void
}

function CloseButton({ label, onClick }: CloseButtonProps) {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name="close" />
    </button>
  )
}

interface QuoteBarProps {
  readonly t: Translate
  readonly quote: Quote
  readonly onDrop: () => void
}

function QuoteBar({ t, quote: { name, text }, onDrop }: QuoteBarProps) {
  return (
    <div className="sb-quote">
      <span className="grow">{t('quoting', { name, text })}</span>
      <CloseButton label={t('dropQuote')} onClick={onDrop} />
    </div>
  )
}

interface PictureListProps {
  readonly t: Translate
  readonly pictures: readonly Picture[]
  readonly onRemove: (picture: Picture) => void
}

function PictureList({ t, pictures, onRemove }: PictureListProps) {
  return (
    <ul className="sb-pictures" aria-label={t('pictures')}>
      {pictures.map((picture, index) => (
        <li key={index}>
          <img src={`data:${picture.mime};base64,${picture.base64}`} alt={picture.name} />
          <CloseButton label={t('removePicture', { name: picture.name })} onClick={() => onRemove(picture)} />
        </li>
      ))}
    </ul>
  )
}

interface PictureButtonProps {
  readonly t: Translate
  readonly onChoose: (files: readonly File[]) => void
}

function PictureButton({ t, onChoose }: PictureButtonProps) {
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        type="file"
        className="sr"
        ref={chooser}
        accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          onChoose([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <Button onClick={() => chooser.current?.click()} label={t('addPicture')} title={t('addPicture')}>
        <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2.5 3h11v10h-11zM2.5 11l3.5-4 3 3 2-2 2.5 2.5M10.5 5.5h.01" />
        </svg>
      </Button>
    </>
  )
}
