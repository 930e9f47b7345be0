import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { moveFocus } from '../../kit/move-focus.js'
import { useRowsInSteps } from '../../lib/use-rows-in-steps.js'

/** Rows that are drawn in one task. */
const STEP = 30

export interface PaneRow {
  readonly id: string
  readonly label: ComponentChildren
  /** At the right: a count, a word. */
  readonly end?: ComponentChildren
  /** Below the label. */
  readonly below?: ComponentChildren
  readonly mono?: boolean
  readonly bad?: boolean
}

export interface PaneListProps {
  readonly label: string
  readonly rows: readonly PaneRow[]
  readonly current: string | undefined
  readonly onOpen: (id: string) => void
  /** Shown above the rows. */
  readonly title?: string
}

export function PaneList({ label, rows: all, current, onOpen, title }: PaneListProps) {
  const list = useRef<HTMLUListElement>(null)
  const rows = useRowsInSteps(all, ({ id }) => id, STEP)
  const onKeyDown = (event: KeyboardEvent): void => void moveFocus(event, list.current, 'li > button')
  const stop = rows.some((row) => row.id === current) ? current : rows[0]?.id
  return (
    <>
      {title ? <h2 class="pane-title">{title}</h2> : null}
      <ul class="pane-list" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {rows.map((row) => (
          <li key={row.id}>
            <button
              type="button"
              tabIndex={row.id === stop ? 0 : -1}
              aria-current={row.id === current ? 'true' : undefined}
              onClick={() => onOpen(row.id)}
            >
              <span class="line">
                <span class={row.mono ? 'name mono' : 'name'}>{row.label}</span>
                {row.end === undefined ? null : <small class={row.bad ? 'bad' : undefined}>{row.end}</small>}
              </span>
              {row.below === undefined ? null : <span class="below">{row.below}</span>}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
