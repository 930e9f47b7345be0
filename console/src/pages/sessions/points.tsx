import type { SessionTree } from '@mynah/contract/types'
import { useRef, useState } from 'preact/hooks'
import { moveFocus } from '../../kit/move-focus.js'
import { moment } from '../../kit/time-format.js'
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

const pointTime = (time: number | undefined, now: number): string =>
  time === undefined ? '' : moment(time, now, currentLocale())

export function Points({ tree, current, entries, onChoose }: PointsProps) {
  const [filter, setFilter] = useState('')
  // Only narrow screens fold the list.
  const [unfolded, setUnfolded] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  const times = new Map(entries.map((entry) => [String(entry.id), entry.timestamp]))
  const now = Date.now()
  const shown = tree.points.filter((point) => point.preview.toLowerCase().includes(filter.toLowerCase()))
  const onKeyDown = (event: KeyboardEvent): void => void moveFocus(event, list.current)
  const stop = shown.includes(current as Point) ? current : shown[0]
  return (
    <div class={unfolded ? 'points unfolded' : 'points'}>
      <div class="points-head">
        <h2>{t('points')}</h2>
        <span class="muted">{tree.points.length}</span>
      </div>
      <button type="button" class="points-fold" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
        <span class="muted">{t('points')}</span>
        <span class="preview">{current ? `#${current.index} ${current.preview}` : tree.points.length}</span>
      </button>
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
                onClick={() => {
                  setUnfolded(false)
                  onChoose(point)
                }}
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
