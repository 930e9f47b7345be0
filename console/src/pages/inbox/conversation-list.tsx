import { useRef, useState } from 'preact/hooks'
import { moveFocus } from '../../kit/move-focus.js'
import { moment } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { Pager } from '../../ui/index.js'
import type { Conversation } from './model.js'
import { t } from './texts.js'

const PAGE_SIZE = 50

/** Returns the text of a message, or the types of its segments. */
export function plainText(message: Conversation['last']): string {
  if (message.text) return message.text
  return typeof message.content === 'string'
    ? message.content
    : message.content.map((segment) => `[${segment.type}]`).join(' ')
}

export function ConversationList({
  talks,
  current,
  onOpen,
}: {
  readonly talks: readonly Conversation[]
  readonly current: string | undefined
  readonly onOpen: (key: string) => void
}) {
  const [page, setPage] = useState(1)
  const list = useRef<HTMLUListElement>(null)
  const now = Date.now()
  const totalPages = Math.ceil(talks.length / PAGE_SIZE)
  const at = Math.max(1, Math.min(page, totalPages))
  const shown = talks.slice((at - 1) * PAGE_SIZE, at * PAGE_SIZE)
  const stop = shown.some((talk) => talk.key === current) ? current : shown[0]?.key
  const onKeyDown = (event: KeyboardEvent): void => void moveFocus(event, list.current, 'li > button')
  return (
    <>
      <ul ref={list} onKeyDown={onKeyDown}>
        {shown.map((talk) => (
          <li key={talk.key} class={talk.chat === undefined ? undefined : 'is-thread'}>
            <button
              type="button"
              class={talk.unread > 0 ? 'unread' : undefined}
              tabIndex={talk.key === stop ? 0 : -1}
              aria-current={talk.key === current ? 'true' : undefined}
              onClick={() => onOpen(talk.key)}
            >
              <span class="line">
                <b>
                  {talk.chat === undefined ? null : <span class="sr">{t('threadOf')} </span>}
                  {talk.name}
                </b>
                <small>{talk.endpoint}</small>
                <time>{moment(talk.last.timestamp, now, currentLocale())}</time>
              </span>
              <span class="line">
                <span class="said">
                  {talk.channel.type === 'private' && talk.last.direction === 'in' ? '' : `${talk.last.sender.name}: `}
                  {plainText(talk.last)}
                </span>
                {talk.unread > 0 ? (
                  <em>
                    <span class="sr">{t('unread')} </span>
                    {talk.unread}
                  </em>
                ) : null}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <Pager page={at} totalPages={totalPages} total={talks.length} onPage={setPage} />
    </>
  )
}
