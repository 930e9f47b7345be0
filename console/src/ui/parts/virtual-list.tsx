import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface VirtualListProps<T> {
  readonly rows: readonly T[]
  readonly rowKey: (row: T) => string
  readonly height: number
  readonly label: string
  readonly row: (row: T, index: number) => ComponentChildren
  /** Reports whether the first row is in view, where new rows may be added. */
  readonly onEdge?: (atTop: boolean) => void
  readonly current?: string | undefined
  readonly onOpen?: (row: T) => void
  readonly rowClass?: (row: T) => string
}

const OVERSCAN = 6

export function VirtualList<T>({
  rows,
  rowKey,
  height,
  label,
  row,
  onEdge,
  current,
  onOpen,
  rowClass,
}: VirtualListProps<T>) {
  const { box, view, measure } = useViewport({ rows, rowKey, height, onEdge })
  const [active, setActive] = useState<string>()

  const at = active === undefined ? -1 : rows.findIndex((item) => rowKey(item) === active)
  const onKeyDown = (event: KeyboardEvent): void => {
    const pageful = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / height) - 1)
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + pageful,
      PageUp: at - pageful,
      Home: 0,
      End: rows.length - 1,
    }[event.key]
    if (event.key === 'Enter' && at >= 0) {
      const chosen = rows[at]
      if (chosen !== undefined) onOpen?.(chosen)
      event.preventDefault()
      return
    }
    if (to === undefined || rows.length === 0) return
    event.preventDefault()
    const index = Math.max(0, Math.min(rows.length - 1, to))
    const next = rows[index]
    if (next === undefined) return
    setActive(rowKey(next))
    if (box.current) scrollToRow(box.current, index, height)
  }
  const shown = rows.slice(view.first, view.first + view.count)
  return (
    <div
      class="virtual"
      ref={box}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      onScroll={measure}
      onKeyDown={onKeyDown}
      aria-activedescendant={
        at >= view.first && at < view.first + view.count ? `v-${rowKey(rows[at] as T)}` : undefined
      }
    >
      <div role="presentation" style={{ height: `${rows.length * height}px` }}>
        {shown.map((item, index) => {
          const key = rowKey(item)
          return (
            <div
              key={key}
              id={`v-${key}`}
              role="option"
              aria-selected={key === current}
              aria-setsize={rows.length}
              aria-posinset={view.first + index + 1}
              class={`vrow${key === active ? ' active' : ''} ${rowClass?.(item) ?? ''}`}
              style={{ top: `${(view.first + index) * height}px`, height: `${height}px` }}
              onClick={() => {
                setActive(key)
                onOpen?.(item)
              }}
            >
              {row(item, view.first + index)}
            </div>
          )
        })}
      </div>
    </div>
  )
}

type ViewportInput<T> = Pick<VirtualListProps<T>, 'rows' | 'rowKey' | 'height'> & {
  readonly onEdge: VirtualListProps<T>['onEdge'] | undefined
}

/** Returns the range of rows to render, and keeps the visible rows in place when others are inserted above. */
function useViewport<T>({ rows, rowKey, height, onEdge }: ViewportInput<T>) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ first: 0, count: 40 })
  const anchor = useRef<{ key: string; offset: number } | undefined>(undefined)
  const edge = useRef(true)

  const measure = (): void => {
    const element = box.current
    if (!element) return
    const first = Math.max(0, Math.floor(element.scrollTop / height) - OVERSCAN)
    const count = Math.ceil(element.clientHeight / height) + 2 * OVERSCAN
    setView((former) => (former.first === first && former.count === count ? former : { first, count }))
    const top = Math.floor(element.scrollTop / height)
    const seen = rows[top]
    anchor.current =
      element.scrollTop > height && seen !== undefined
        ? { key: rowKey(seen), offset: element.scrollTop - top * height }
        : undefined
    const atTop = element.scrollTop <= 4
    if (atTop !== edge.current) {
      edge.current = atTop
      onEdge?.(atTop)
    }
  }
  // Rows inserted above move the visible ones down. Scroll back to them before the next paint.
  useLayoutEffect(() => {
    const element = box.current
    const kept = anchor.current
    if (element && kept) {
      const index = rows.findIndex((item) => rowKey(item) === kept.key)
      if (index >= 0) element.scrollTop = index * height + kept.offset
    }
    measure()
  }, [rows])
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { box, view, measure }
}

function scrollToRow(element: HTMLElement, index: number, height: number): void {
  if (index * height < element.scrollTop) element.scrollTop = index * height
  else if ((index + 1) * height > element.scrollTop + element.clientHeight)
    element.scrollTop = (index + 1) * height - element.clientHeight
}
