// A box that shows its newest line, and goes on doing so when it or what stands beside it changes its size.
import { useEffect } from 'preact/hooks'

const ABOVE = 48
const NEAR = 24

/**
 * Scrolls to the end in the next frame, before it is painted: measuring at once would lay out in the same task all that has just been made.
 * Gives what takes it back.
 */
export function scrollToEnd(box: { readonly current: HTMLElement | null }): () => void {
  const frame = requestAnimationFrame(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  })
  return () => cancelAnimationFrame(frame)
}

/** Whether the end of `element` is in sight. */
export const isAtEnd = (element: HTMLElement): boolean =>
  element.scrollHeight - element.scrollTop - element.clientHeight < NEAR

/** Scrolls so that `line` is near the top, what was before it still in sight, and says whether that is the end. */
export function scrollToLine(
  box: { readonly current: HTMLElement | null },
  line: HTMLElement,
  atEnd: { current: boolean },
): () => void {
  // Until then the box is somewhere else, and must not be kept there.
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
