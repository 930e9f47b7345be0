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

export function Points({ tree, current, entries, onChoose }: PointsProps) {
  const [filter, setFilter] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const times = new Map(entries.map((entry) => [String(entry.id), entry.timestamp]))
  const locale = currentLocale()
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
                    {active
                      ? t(tree.activeLeafMessageId === null ? 'last' : 'here')
                      : time === undefined
                        ? ''
                        : sameDay(time, now)
                          ? clock(time, locale)
                          : `${dayOf(time, locale)} ${clock(time, locale)}`}
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
