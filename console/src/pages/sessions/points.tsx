// Branch points as a rail: one line down, the active one filled.
import type { SessionTree } from '@mynah/contract/types'
import { useRef, useState } from 'preact/hooks'
import { moveFocus } from '../../kit/move-focus.js'
import { clock, dayOf, sameDay } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { EmptyState, Field } from '../../ui/index.js'
import { t } from './texts.js'
import type { Entry } from './wire.js'

type Point = SessionTree['points'][number]

interface PointsProps {
  readonly tree: SessionTree
  readonly current: Point | undefined
  readonly entries: readonly Entry[]
  readonly onChoose: (point: Point) => void
}

/** Returns the clock time of a point, with its day unless that is today. */
function pointTime(time: number | undefined, now: number): string {
  if (time === undefined) return ''
  const locale = currentLocale()
  return sameDay(time, now) ? clock(time, locale) : `${dayOf(time, locale)} ${clock(time, locale)}`
}

export function Points({ tree, current, entries, onChoose }: PointsProps) {
  const [filter, setFilter] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const times = new Map(entries.map((entry) => [String(entry.id), entry.timestamp]))
  const now = Date.now()
  const shown = tree.points.filter((point) => point.preview.toLowerCase().includes(filter.toLowerCase()))
  const onKeyDown = (event: KeyboardEvent): void => void moveFocus(event, list.current)
  const stop = shown.includes(current as Point) ? current : shown[0]
  return (
    <div class="points">
      <p class="points-head">
        <h2>{t('points')}</h2>
        <span class="muted">{tree.points.length}</span>
      </p>
      {tree.points.length > 6 ? (
        <Field compact type="search" label={t('find')} placeholder={t('find')} value={filter} onInput={setFilter} />
      ) : null}
      {shown.length === 0 ? <EmptyState title={t(tree.points.length === 0 ? 'noPoints' : 'noMatch')} /> : null}
      <ol ref={list} onKeyDown={onKeyDown} aria-label={t('points')}>
        {shown.map((point) => {
          const active = point === current
          const time = times.get(String(point.messageId))
          return (
            <li key={point.messageId} class={active ? 'active' : undefined}>
              <button
                type="button"
                tabIndex={point === stop ? 0 : -1}
                aria-current={active ? 'true' : undefined}
                onClick={() => onChoose(point)}
              >
                <span class="index">{point.index}</span>
                <i aria-hidden="true" />
                <span class="preview">
                  {point.preview || '–'}
                  <small>
                    {active ? t(tree.activeLeafMessageId === null ? 'last' : 'here') : pointTime(time, now)}
                  </small>
                </span>
              </button>
            </li>
          )
        })}
      </ol>
      <p class="explain muted">{t('explain')}</p>
    </div>
  )
}
