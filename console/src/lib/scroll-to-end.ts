import { useEffect } from 'preact/hooks'

const ABOVE = 48
const NEAR = 24

/**
 * Scrolls to the end in the next frame, before the paint. Measuring now would force a layout in this task.
 * Returns a function that cancels it.
 */
export function scrollToEnd(box: { readonly current: HTMLElement | null }): () => void {
  const frame = requestAnimationFrame(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  })
  return () => cancelAnimationFrame(frame)
}

/** Returns whether the end of `element` is in sight. */
export const isAtEnd = (element: HTMLElement): boolean =>
  element.scrollHeight - element.scrollTop - element.clientHeight < NEAR

/** Scrolls `line` near the top, with the lines before it in sight, and sets `atEnd`. */
export function scrollToLine(
  box: { readonly current: HTMLElement | null },
  line: HTMLElement,
  atEnd: { current: boolean },
): () => void {
  // The box must not stick to its end before the scroll.
  atEnd.current = false
  const frame = requestAnimationFrame(() => {
    const element = box.current
    if (!element) return
    element.scrollTop += line.getBoundingClientRect().top - element.getBoundingClientRect().top - ABOVE
    atEnd.current = isAtEnd(element)
  })
  return () => cancelAnimationFrame(frame)
}

/** Keeps `box` at its end while `atEnd` says that it is there. */
export function useStickToEnd(
  box: { readonly current: HTMLElement | null },
  atEnd: { readonly current: boolean },
  shown: boolean,
): void {
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [shown])
}
