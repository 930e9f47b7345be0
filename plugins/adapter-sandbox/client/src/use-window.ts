// Which rows of a long list are in the document: those in view and a few beside them, whatever their heights.
import { useCallback, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'

const ESTIMATE = 56
const BESIDE = 8

export interface Window {
  readonly first: number
  /** Behind the last one. */
  readonly end: number
  /** Heights of what is left out above and below, pixels. */
  readonly above: number
  readonly below: number
  /** To be given the element of each row by its key, so that it is measured. */
  readonly measure: (key: string, element: HTMLElement | null) => void
}

/** The place of each row, by the heights that are known and a guess for the others. */
export function offsetsOf(keys: readonly string[], heights: ReadonlyMap<string, number>): readonly number[] {
  const offsets = [0]
  for (const key of keys) offsets.push((offsets.at(-1) ?? 0) + (heights.get(key) ?? ESTIMATE))
  return offsets
}

/** The rows that touch the view, with some beside them. */
export function visible(
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
  return { first: Math.max(0, low - BESIDE), end: Math.min(count, end + BESIDE) }
}

export function useWindow(list: RefObject<HTMLElement | null>, keys: readonly string[]): Window {
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
      const former = elements.current.get(key)
      if (former && former !== element) observer.unobserve(former)
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
    const look = (): void =>
      setView((known) =>
        known.top === element.scrollTop && known.height === element.clientHeight
          ? known
          : { top: element.scrollTop, height: element.clientHeight },
      )
    element.addEventListener('scroll', look, { passive: true })
    const resized = new ResizeObserver(look)
    resized.observe(element)
    look()
    return () => {
      element.removeEventListener('scroll', look)
      resized.disconnect()
    }
  }, [list, keys.length === 0])

  const offsets = useMemo(() => offsetsOf(keys, heights.current), [keys, measured])
  const total = offsets.at(-1) ?? 0
  const { first, end } = visible(offsets, Math.min(view.top, Math.max(0, total - view.height)), view.height)
  return { first, end, above: offsets[first] ?? 0, below: total - (offsets[end] ?? total), measure }
}
