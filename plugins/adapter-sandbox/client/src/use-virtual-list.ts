// Keeps only the visible rows of a long list in the document. Rows may have any height.
import { useCallback, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'

/** Height of a row that was not measured yet, in pixels. */
const ESTIMATED_HEIGHT = 56
/** Rows kept in the document above and below the view. */
const OVERSCAN = 8

export interface VirtualWindow {
  readonly first: number
  /** Index after the last row. */
  readonly end: number
  /** Height of the rows left out above, in pixels. */
  readonly above: number
  /** Height of the rows left out below, in pixels. */
  readonly below: number
  /** Measures the element of a row from now on. `null` ends that. */
  readonly measure: (key: string, element: HTMLElement | null) => void
}

/** Returns the offset of each row, from measured heights and an estimate for the others. */
export function rowOffsets(keys: readonly string[], heights: ReadonlyMap<string, number>): readonly number[] {
  const offsets = [0]
  for (const key of keys) offsets.push((offsets.at(-1) ?? 0) + (heights.get(key) ?? ESTIMATED_HEIGHT))
  return offsets
}

/** Returns the rows in view, with some more above and below. */
export function visibleRange(
  offsets: readonly number[],
  top: number,
  height: number,
): { readonly first: number; readonly end: number } {
  const count = offsets.length - 1
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if ((offsets[middle + 1] ?? 0) <= top) low = middle + 1
    else high = middle
  }
  let end = low
  while (end < count && (offsets[end] ?? 0) < top + height) end += 1
  return { first: Math.max(0, low - OVERSCAN), end: Math.min(count, end + OVERSCAN) }
}

/** Follows the scroll position of a list and the heights of its rows. */
export function useVirtualList(list: RefObject<HTMLElement | null>, keys: readonly string[]): VirtualWindow {
  const heights = useRef(new Map<string, number>())
  const elements = useRef(new Map<string, HTMLElement>())
  const [view, setView] = useState({ top: Number.MAX_SAFE_INTEGER, height: 800 })
  const [measured, setMeasured] = useState(0)
  const observer = useMemo(
    () =>
      new ResizeObserver((entries) => {
        let changed = false
        for (const { target } of entries) {
          const key = (target as HTMLElement).dataset['key'] ?? ''
          const height = (target as HTMLElement).offsetHeight
          if (height === 0 || heights.current.get(key) === height) continue
          heights.current.set(key, height)
          changed = true
        }
        if (changed) setMeasured((count) => count + 1)
      }),
    [],
  )
  const measure = useCallback(
    (key: string, element: HTMLElement | null): void => {
      const previous = elements.current.get(key)
      if (previous && previous !== element) observer.unobserve(previous)
      if (!element) elements.current.delete(key)
      else {
        elements.current.set(key, element)
        observer.observe(element)
      }
    },
    [observer],
  )
  useLayoutEffect(() => () => observer.disconnect(), [observer])
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const updateView = (): void =>
      setView((known) =>
        known.top === element.scrollTop && known.height === element.clientHeight
          ? known
          : { top: element.scrollTop, height: element.clientHeight },
      )
    element.addEventListener('scroll', updateView, { passive: true })
    const resized = new ResizeObserver(updateView)
    resized.observe(element)
    updateView()
    return () => {
      element.removeEventListener('scroll', updateView)
      resized.disconnect()
    }
  }, [list, keys.length === 0])

  const offsets = useMemo(() => rowOffsets(keys, heights.current), [keys, measured])
  const total = offsets.at(-1) ?? 0
  const { first, end } = visibleRange(offsets, Math.min(view.top, Math.max(0, total - view.height)), view.height)
  return { first, end, above: offsets[first] ?? 0, below: total - (offsets[end] ?? total), measure }
}
