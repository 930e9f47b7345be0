import type { SessionTree } from '@mynah/contract/types'
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isAtEnd, scrollToEnd, scrollToLine, useStickToEnd } from '../../lib/scroll-to-end.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { clock, compactNumber, elapsed } from '../../kit/time-format.js'
import { joinFacts as joined } from '../../kit/join-list.js'
import { currentLocale } from '../../lib/i18n.js'
import { lazyPart } from '../../lib/lazy-part.js'
import { Button, EmptyState } from '../../ui/index.js'
import type { TurnBlock, ToolUse } from './model.js'
import { t } from './texts.js'
import type { Turn } from './wire.js'

const ToolText = lazyPart(async () => (await import('./tool-text.js')).ToolText)

const SHOWN = 60

interface ConversationProps {
  readonly blocks: readonly TurnBlock[]
  readonly points: SessionTree['points']
  /** Blocks after this point are faded. */
  readonly from: number | undefined
  readonly more: { readonly busy: boolean; readonly run: () => void } | undefined
  /** The entry that is shown first; default the last. */
  readonly at: number | undefined
  /** The turn that is open, with its question. Its entries are the last of the blocks, once it has some. */
  readonly turn: Turn | undefined
  readonly question: ComponentChildren
}

export function Conversation({ blocks, points, from, more, at, turn, question }: ConversationProps) {
  const placed = at === undefined ? -1 : blocks.findLastIndex((block) => block.id <= at)
  const { box, place, below, onScroll } = useScroll(blocks, blocks[placed])
  const [all, setAll] = useState<boolean>()
  const [count, setCount] = useState(SHOWN)
  useShortcuts({ o: () => setAll(!all) })
  if (blocks.length === 0 && !turn) return <EmptyState title={t('none')} />
  const shown = blocks.slice(-Math.max(count, placed < 0 ? 0 : blocks.length - placed))
  return (
    <>
      <div class="talk" ref={box} onScroll={onScroll} tabIndex={0} role="log" aria-label={t('title')}>
        <p class="row">
          <Button kind="quiet" hotkey="o" onClick={() => setAll(!all)}>
            {t(all ? 'fold' : 'unfold')}
          </Button>
          {shown.length < blocks.length || more ? (
            <Button
              kind="quiet"
              busy={more?.busy ?? false}
              onClick={() => (shown.length < blocks.length ? setCount(count + SHOWN) : more?.run())}
            >
              {t('older')}
            </Button>
          ) : null}
        </p>
        {shown.map((block) => {
          const index = points.find((item) => String(item.messageId) === String(block.id))?.index
          return (
            <BlockView
              key={block.key}
              block={block}
              index={index}
              unfolded={all}
              waits={turn?.waitingFor?.call}
              place={block === blocks[placed] ? place : undefined}
              faded={from !== undefined && (index ?? 0) > from}
            />
          )
        })}
        {turn ? <WaitingWords turn={turn} /> : null}
        {question}
      </div>
      {below ? (
        <button
          type="button"
          class="new-below"
          onClick={() => {
            if (box.current) box.current.scrollTop = box.current.scrollHeight
          }}
        >
          {t('newTurn')}
        </button>
      ) : null}
    </>
  )
}

/** Keeps the log at its end while it is there, or at the block that was looked for. */
function useScroll(blocks: readonly TurnBlock[], placed: TurnBlock | undefined) {
  const box = useRef<HTMLDivElement>(null)
  const place = useRef<HTMLElement>(null)
  const atEnd = useRef(!placed)
  const [below, setBelow] = useState(false)
  const last = blocks.at(-1)
  useLayoutEffect(() => {
    if (!place.current) return undefined
    place.current.focus({ preventScroll: true })
    return scrollToLine(box, place.current, atEnd)
  }, [placed?.key])
  useLayoutEffect(() => {
    if (atEnd.current) return scrollToEnd(box)
    setBelow(true)
    return undefined
  }, [last?.key, last?.endedAt])
  useEffect(() => setBelow(false), [])
  useStickToEnd(box, atEnd, blocks.length > 0)
  const onScroll = (): void => {
    const element = box.current
    if (!element) return
    atEnd.current = isAtEnd(element)
    if (atEnd.current) setBelow(false)
  }
  return { box, place, below, onScroll }
}

/** Shows the words of a turn that has not begun, and so has no entries. */
function WaitingWords({ turn: { text, entryId, startedAt } }: { readonly turn: Turn }) {
  if (!text || entryId !== undefined) return null
  return (
    <article class="turn">
      <header>
        <b>{t('user')}</b>
        <time class="muted">{clock(startedAt, currentLocale())}</time>
      </header>
      <p class="words">{text}</p>
    </article>
  )
}

interface BlockProps {
  readonly block: TurnBlock
  readonly index: number | undefined
  readonly unfolded: boolean | undefined
  readonly faded: boolean
  /** Id of the tool call that waits. */
  readonly waits: string | undefined
  /** Given to the block that was looked for. */
  readonly place: RefObject<HTMLElement | null> | undefined
}

function blockFacts({ model = '', steps, usage, at, endedAt }: TurnBlock): string {
  const input = usage ? t('inTokens', { count: compactNumber(usage.input) }) : ''
  const cached = usage && usage.cachedInput > 0 ? t('cachedTokens', { count: compactNumber(usage.cachedInput) }) : ''
  return joined(
    model,
    steps > 1 ? t('steps', { count: steps }) : '',
    `${input}${cached}`,
    usage ? t('outTokens', { count: compactNumber(usage.output) }) : '',
    endedAt > at ? elapsed(endedAt - at) : '',
  )
}

function BlockView({ block, index, unfolded, faded, waits, place }: BlockProps) {
  const facts = blockFacts(block)
  return (
    <article
      class={`turn${faded ? ' faded' : ''}${place ? ' found' : ''}`}
      {...(place ? { ref: place, tabIndex: -1 } : {})}
    >
      <header>
        <b>{block.role === 'summary' || block.role === 'user' ? t(block.role) : block.role}</b>
        <time class="muted">{clock(block.at, currentLocale())}</time>
        <span class="grow" />
        {index === undefined ? null : <span class="muted">#{index}</span>}
      </header>
      {block.asked ? (
        <p class="words">
          {block.sender ? <span class="muted">{block.sender}: </span> : null}
          {block.asked}
        </p>
      ) : null}
      {block.tools.length > 0 || block.answer ? (
        <div class="reply">
          {block.tools.length > 0 ? (
            <div class="tool-list">
              {block.tools.map((tool) => (
                <ToolView key={tool.id} tool={tool} unfolded={unfolded} waits={tool.id === waits} />
              ))}
            </div>
          ) : null}
          {block.answer ? <p class="words">{block.answer}</p> : null}
        </div>
      ) : null}
      {facts && block.role !== 'summary' ? <p class="facts-line muted">{facts}</p> : null}
    </article>
  )
}

function toolOutcome(
  { failed, output, ms }: ToolUse,
  waits: boolean,
): { readonly text: string; readonly tone: string } {
  const time = ms === undefined ? '' : elapsed(ms)
  if (failed) return { text: joined(t('toolFailed'), time), tone: 'bad' }
  if (output === undefined) return { text: t(waits ? 'toolWaits' : 'toolRuns'), tone: 'amber' }
  return { text: time, tone: 'muted' }
}

interface ToolProps {
  readonly tool: ToolUse
  readonly unfolded: boolean | undefined
  readonly waits: boolean
}

function ToolView({ tool, unfolded, waits }: ToolProps) {
  const { text, tone } = toolOutcome(tool, waits)
  const isOpen = unfolded ?? tool.failed
  const [isShown, setShown] = useState(isOpen)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary>
        <b>{tool.name}</b>
        <code>{tool.input}</code>
        <span class={tone}>{text}</span>
      </summary>
      <ToolText tool={tool} isShown={isShown} />
    </details>
  )
}
