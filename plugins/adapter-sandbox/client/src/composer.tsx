// Where messages are typed: as text, or as segments in JSON.
import type { HostApi } from '@mynah/console/entry'
import { Button, Icon, Switch } from '@mynah/console/ui'
import type { Content } from '@mynah/contract/types'
import { useEffect, useLayoutEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import type { Drafts } from './drafts.js'
import { keyOf, readSegments, type Line, type Scene, type SegmentMistake, type User } from './model.js'
import { contentOf, MAX_PICTURE_BYTES, MAX_PICTURES, picturesOf, type Picture } from './pictures.js'
import { translator, type Translate } from './texts.js'

interface ComposerProps {
  readonly host: HostApi
  readonly user: User
  readonly scene: Scene
  readonly botId: string
  readonly quote: { readonly name: string; readonly text: string } | undefined
  readonly drafts: Drafts
  readonly onDropQuote: () => void
  readonly onSend: (content: Content, text: string) => void
  /** What was said, for recalling. */
  readonly recent: readonly Line[]
}

const TEMPLATE = '[{ "type": "text", "data": { "text": "" } }]'

function explain(t: Translate, mistake: SegmentMistake): string {
  if (mistake.kind === 'json') return t('badJson', { error: mistake.error })
  return mistake.kind === 'list' ? t('noSegments') : t('badSegments', { index: mistake.index + 1 })
}

function useLive(host: HostApi): boolean {
  const [live, setLive] = useState(host.client.events.state.status === 'live')
  useEffect(() => {
    setLive(host.client.events.state.status === 'live')
    return host.client.events.onState(({ status }) => setLive(status === 'live'))
  }, [host])
  return live
}

export function Composer({ host, user, scene, botId, quote, drafts, onDropQuote, onSend, recent }: ComposerProps) {
  const t = translator(host)
  const id = useId()
  const live = useLive(host)
  const draft = keyOf(scene.channel)
  const [text, setText] = useState(drafts.get(draft))
  const [json, setJson] = useState(false)
  const [mistake, setMistake] = useState<SegmentMistake>()
  // How many messages back the recalled one is; 0 while nothing is recalled.
  const [back, setBack] = useState(0)
  const input = useRef<HTMLTextAreaElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const [pictures, setPictures] = useState<readonly Picture[]>([])
  const [refusal, setRefusal] = useState<string>()
  const take = (files: readonly File[]): void => {
    void picturesOf(files, pictures).then(({ pictures: added, refused }) => {
      setPictures((known) => [...known, ...added])
      const [first] = refused
      setRefusal(
        first &&
          t({ kind: 'noPicture', size: 'largePicture', count: 'manyPictures' }[first.why] as 'noPicture', {
            name: first.name,
            most: first.why === 'count' ? MAX_PICTURES : Math.round((MAX_PICTURE_BYTES / 1_048_576) * 10) / 10,
          }),
      )
      input.current?.focus()
    })
  }
  useEffect(() => {
    if (quote) input.current?.focus()
  }, [quote?.name, quote?.text])

  // At once: who leaves with the last letter takes it along.
  useLayoutEffect(() => {
    if (!json) drafts.set(draft, text)
  }, [drafts, draft, text, json])
  const edit = (value: string): void => {
    setText(value)
    setMistake(undefined)
    setBack(0)
  }
  const send = (): void => {
    if (text.trim() === '' && (json || pictures.length === 0)) return
    if (json) {
      const read = readSegments(text)
      if ('mistake' in read) return setMistake(read.mistake)
      onSend(
        read.segments,
        read.segments
          .map((part) => (part.type === 'text' ? String(part.data['text'] ?? '') : `[${part.type}]`))
          .join(''),
      )
    } else
      onSend(contentOf(text, pictures), [text, ...pictures.map(({ name }) => `[${name}]`)].filter(Boolean).join(' '))
    setPictures([])
    setRefusal(undefined)
    edit('')
    input.current?.focus()
  }
  const own = recent
    .filter(
      (line) =>
        line.direction === 'in' && line.sender.id === user.id && typeof line.text === 'string' && line.text !== '',
    )
    .map((line) => line.text)
  const said = own.filter((entry, index) => entry !== own[index + 1]).reverse()
  const recall = (step: number): void => {
    const to = Math.max(0, Math.min(said.length, back + step))
    setBack(to)
    setText(said[to - 1] ?? '')
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // Enter that ends the composing of a Chinese word belongs to the input method.
    if (event.isComposing || event.keyCode === 229) return
    const { key, shiftKey, altKey } = event
    const modified = event.ctrlKey || event.metaKey
    const untouched = text === '' || back > 0
    if (key === 'Enter' && !altKey && (json ? modified : !shiftKey)) send()
    else if (key === 'ArrowUp' && !json && untouched && said.length > 0 && !modified && !shiftKey) recall(1)
    else if (key === 'ArrowDown' && back > 0 && !modified && !shiftKey) recall(-1)
    else if (key === 'Escape' && (back > 0 || quote)) {
      if (quote) onDropQuote()
      else edit('')
    } else return
    event.preventDefault()
  }
  const mention = (): void => {
    edit(`@${botId} ${text}`)
    input.current?.focus()
  }
  return (
    <form
      className="sb-composer"
      data-dock
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div className="sb-as">
        <strong>{t('writingAs', { name: user.name, scene: scene.name })}</strong>
        <Switch
          label={t('segments')}
          on={json}
          onChange={(on) => {
            setJson(on)
            edit(on ? (text === '' ? TEMPLATE : JSON.stringify([{ type: 'text', data: { text } }])) : '')
          }}
        />
      </div>
      {quote ? (
        <div className="sb-quote">
          <span className="grow">{t('quoting', quote)}</span>
          <button
            type="button"
            className="icon-button"
            aria-label={t('dropQuote')}
            title={t('dropQuote')}
            onClick={onDropQuote}
          >
            <Icon name="close" />
          </button>
        </div>
      ) : null}
      {pictures.length > 0 ? (
        <ul className="sb-pictures" aria-label={t('pictures')}>
          {pictures.map((picture, index) => (
            <li key={index}>
              <img src={`data:${picture.mime};base64,${picture.base64}`} alt={picture.name} />
              <button
                type="button"
                className="icon-button"
                aria-label={t('removePicture', { name: picture.name })}
                title={t('removePicture', { name: picture.name })}
                onClick={() => setPictures(pictures.filter((other) => other !== picture))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <div className="sb-entry">
        <label className="sr" htmlFor={id}>
          {json ? t('segments') : t('message')}
        </label>
        <div className="control grow">
          <textarea
            id={id}
            ref={input}
            rows={json ? 4 : 1}
            className={json ? 'mono' : undefined}
            value={text}
            placeholder={json ? TEMPLATE : t('placeholder')}
            spellcheck={!json}
            aria-invalid={mistake ? 'true' : undefined}
            aria-describedby={`${id}-hint`}
            onInput={(event) => edit(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onPaste={(event) => {
              const files = [...(event.clipboardData?.files ?? [])]
              if (json || files.length === 0) return
              event.preventDefault()
              take(files)
            }}
          />
        </div>
        {scene.channel.type === 'private' || json ? null : (
          <Button onClick={mention} label={t('mention')} title={t('mention')}>
            @
          </Button>
        )}
        {json ? null : (
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
                take([...(event.currentTarget.files ?? [])])
                event.currentTarget.value = ''
              }}
            />
            <Button onClick={() => chooser.current?.click()} label={t('addPicture')} title={t('addPicture')}>
              <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
                <path d="M2.5 3h11v10h-11zM2.5 11l3.5-4 3 3 2-2 2.5 2.5M10.5 5.5h.01" />
              </svg>
            </Button>
          </>
        )}
        <Button kind="primary" type="submit">
          {t('send')}
        </Button>
      </div>
      <p
        className={mistake || refusal ? 'sb-hint error' : 'sb-hint'}
        id={`${id}-hint`}
        role={mistake || refusal ? 'alert' : undefined}
      >
        {mistake ? explain(t, mistake) : refusal ? refusal : live ? (json ? t('keysJson') : t('keys')) : t('notLive')}
      </p>
    </form>
  )
}
