// The conversation of the path: a message, the tools that ran for it, the answer, what it took.
import type { SessionTree } from '@mynah/contract/types'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isAtEnd, scrollToEnd, useStickToEnd } from '../../lib/scroll-to-end.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { clock, compactNumber, elapsed } from '../../kit/time-format.js'
import { joinFacts as joined } from '../../kit/join-list.js'
import { currentLocale } from '../../lib/i18n.js'
import { Button, EmptyState } from '../../ui/index.js'
import type { TurnBlock, ToolUse } from './model.js'
import { t } from './texts.js'

const SHOWN = 60

interface ConversationProps {
  readonly blocks: readonly TurnBlock[]
  readonly points: SessionTree['points']
  /** What follows this point fades. */
  readonly from: number | undefined
  readonly more: { readonly busy: boolean; readonly run: () => void } | undefined
}

export function Conversation({ blocks, points, from, more }: ConversationProps) {
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const [all, setAll] = useState<boolean>()
  const [below, setBelow] = useState(false)
  const [count, setCount] = useState(SHOWN)
  const last = blocks.at(-1)
  useLayoutEffect(() => {
    if (atEnd.current) return scrollToEnd(box)
    setBelow(true)
    return undefined
  }, [last?.key, last?.endedAt])
  useEffect(() => setBelow(false), [])
  useStickToEnd(box, atEnd, blocks.length > 0)
  useShortcuts({ o: () => setAll(!all) })
  const onScroll = (): void => {
    const element = box.current
    if (!element) return
    atEnd.current = isAtEnd(element)
    if (atEnd.current) setBelow(false)
  }
  if (blocks.length === 0) return <EmptyState title={t('none')} />
  const shown = blocks.slice(-count)
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
          const point = points.find((item) => String(item.messageId) === String(block.id))
          return (
            <BlockView
              key={block.key}
              block={block}
              index={point?.index}
              unfolded={all}
              faded={from !== undefined && (point?.index ?? 0) > from}
            />
          )
        })}
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

interface BlockProps {
  readonly block: TurnBlock
  readonly index: number | undefined
  readonly unfolded: boolean | undefined
  readonly faded: boolean
}

function blockFacts({ model = '', steps, usage, at, endedAt }: TurnBlock): string {
  const input = usage ? t('inTokens', { count: compactNumber(usage.input) }) : ''
  const cached = usage && usage.cachedInput > 0 ? t('cachedTokens', { count: compactNumber(usage.cachedInput) }) : ''
  return joined(
    model,
    steps > 1 ? t('steps', { count: steps }) : '',
    `${input} ${cached}`.trim(),
    usage ? t('outTokens', { count: compactNumber(usage.output) }) : '',
    endedAt > at ? elapsed(endedAt - at) : '',
  )
}

function BlockView({ block, index, unfolded, faded }: BlockProps) {
  const facts = blockFacts(block)
  return (
    <article class={faded ? 'turn faded' : 'turn'}>
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
                <ToolView key={tool.id} tool={tool} unfolded={unfolded} />
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

function toolOutcome({ failed, output, ms }: ToolUse): { readonly text: string; readonly tone: string } {
  const time = ms === undefined ? '' : elapsed(ms)
  if (failed) return { text: time ? `${t('toolFailed')}, ${time}` : t('toolFailed'), tone: 'bad' }
  if (output === undefined) return { text: t('toolRuns'), tone: 'amber' }
  return { text: time, tone: 'muted' }
}

function ToolView({ tool, unfolded }: { readonly tool: ToolUse; readonly unfolded: boolean | undefined }) {
  const { text, tone } = toolOutcome(tool)
  return (
    <details open={unfolded ?? tool.failed}>
      <summary>
        <b>{tool.name}</b>
        <code>{tool.input}</code>
        <span class={tone}>{text}</span>
      </summary>
      <pre class={tool.failed ? 'tool-output err' : 'tool-output'} tabIndex={0}>
        {[tool.input, tool.output].filter((text) => text !== undefined).join('\n\n')}
      </pre>
    </details>
  )
}
