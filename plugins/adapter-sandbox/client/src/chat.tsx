// One scene: what is said, kept at its end unless somebody reads further up, and the composer.
import type { HostApi } from '@mynah/console/entry'
import { Button, EmptyState, Notice, Skeleton } from '@mynah/console/ui'
import type { EndpointRow } from '@mynah/contract/types'
import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { Composer } from './composer.js'
import type { Drafts } from './drafts.js'
import { MessageItem } from './message.js'
import { brief, nameOf, rowsOf, type Line, type Scene, type User } from './model.js'
import { translator } from './texts.js'
import type { Transcripts } from './transcripts.js'
import { useWindow } from './use-window.js'

interface ChatProps {
  readonly host: HostApi
  readonly transcripts: Transcripts
  readonly endpoint: EndpointRow
  readonly user: User
  readonly scene: Scene
  readonly users: readonly User[]
  readonly raw: boolean
  /** What was typed and not sent, by scene. */
  readonly drafts: Drafts
}

/** Distance from the end within which new messages are followed, in pixels. */
const NEAR = 40

export function Chat({ host, transcripts, endpoint, user, scene, users, raw, drafts }: ChatProps) {
  const t = translator(host)
  const { lines, status, error, starts } = useSyncExternalStore(transcripts.subscribe, () =>
    transcripts.scene(scene.channel),
  )
  const latest = useSyncExternalStore(transcripts.subscribe, () => transcripts.latest)
  const [heardFrom] = useState(latest)
  const [quote, setQuote] = useState<Line>()
  const list = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const [missed, setMissed] = useState(0)
  const seen = useRef(lines.at(-1)?.messageId)
  const rows = useMemo(() => rowsOf(lines, starts), [lines, starts])
  const keys = useMemo(() => lines.map(({ messageId }) => messageId), [lines])
  const { first, end, above, below, measure } = useWindow(list, keys)
  const toEnd = (): void => list.current?.scrollTo({ top: list.current.scrollHeight })

  useLayoutEffect(() => {
    if (atEnd.current) toEnd()
    // By the last one that was there: the oldest may have been dropped meanwhile.
    else
      setMissed(
        (count) =>
          count + Math.max(0, lines.length - 1 - lines.findIndex(({ messageId }) => messageId === seen.current)),
      )
    seen.current = lines.at(-1)?.messageId
  }, [lines, raw])
  // What is measured only now changes where the end is.
  useLayoutEffect(() => {
    if (atEnd.current) toEnd()
  }, [above, below, end])
  const onScroll = (): void => {
    const element = list.current
    if (!element) return
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR
    if (atEnd.current) setMissed(0)
  }
  // Pictures change the height after they are shown.
  useEffect(() => {
    const element = list.current?.firstElementChild
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (atEnd.current) toEnd()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [status === 'ready' && lines.length > 0])

  const names = new Map([
    ...users.map(({ id, name }) => [id, name] as const),
    [endpoint.name, endpoint.selfName ?? endpoint.name] as const,
  ])
  const speaker = (line: Line): string => line.sender.name ?? names.get(line.sender.id) ?? nameOf(line.sender)
  const find = (id: string): Line | undefined => lines.find(({ messageId }) => messageId === id)
  const say = (content: Parameters<Transcripts['send']>[2], text: string): void => {
    atEnd.current = true
    void transcripts.send(scene.channel, { id: user.id, name: user.name }, content, text, quote?.messageId)
    setQuote(undefined)
  }
  const resend = (line: Line): void => {
    atEnd.current = true
    void (line.state === 'failed'
      ? transcripts.retry(line)
      : transcripts.send(line.channel, line.sender, line.content, line.text))
  }
  const spoken =
    latest && latest !== heardFrom ? t('said', { name: speaker(latest), text: brief(latest.text, 400) }) : ''
  return (
    <section className="panel sb-chat" aria-label={scene.name}>
      <div
        className="sb-list"
        ref={list}
        onScroll={onScroll}
        tabIndex={0}
        role="region"
        aria-label={t('transcript', { scene: scene.name })}
      >
        {status === 'failed' ? (
          <Notice
            tone="err"
            title={t('historyFailed')}
            actions={<Button onClick={() => void transcripts.load(scene.channel)}>{t('retry')}</Button>}
          >
            {error}
          </Notice>
        ) : null}
        {lines.length > 0 ? (
          <ol style={{ paddingTop: above, paddingBottom: below }}>
            {rows.slice(first, end).map((row, index) => (
              <MessageItem
                key={row.line.messageId}
                t={t}
                locale={host.locale()}
                row={row}
                place={{ at: first + index + 1, of: rows.length }}
                speaker={speaker(row.line)}
                raw={raw}
                find={find}
                speakerOf={speaker}
                measure={measure}
                onResend={
                  row.line.direction === 'in' && row.line.state !== 'sending' ? () => resend(row.line) : undefined
                }
                onQuote={() => setQuote(row.line)}
                onCommand={(text) => say(text, text)}
              />
            ))}
          </ol>
        ) : status === 'loading' ? (
          <Skeleton label={t('loading')} />
        ) : status === 'ready' ? (
          <EmptyState title={t('emptyTitle')}>{t('emptyText')}</EmptyState>
        ) : null}
      </div>
      {missed > 0 ? (
        <div className="sb-missed">
          <Button kind="primary" onClick={toEnd}>
            {t('newMessages', { count: missed })} ↓
          </Button>
        </div>
      ) : null}
      <p className="sr" role="status" aria-live="polite">
        {spoken}
      </p>
      <Composer
        host={host}
        drafts={drafts}
        user={user}
        scene={scene}
        botId={endpoint.selfId ?? endpoint.name}
        quote={quote && { name: speaker(quote), text: brief(quote.text) }}
        onDropQuote={() => setQuote(undefined)}
        onSend={say}
        recent={lines}
      />
    </section>
  )
}
