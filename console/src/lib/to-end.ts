// A box that shows its newest line, and goes on doing so when it or what stands beside it changes its size.
import { useEffect } from 'preact/hooks'

const ABOVE = 48

/**
 * Scrolls to the end in the next frame, before it is painted: measuring at once would lay out in the same task all that has just been made.
 * Gives what takes it back.
 */
export function toEnd(box: { readonly current: HTMLElement | null }): () => void {
  const frame = requestAnimationFrame(() => { if (box.current) box.current.scrollTop = box.current.scrollHeight })
  return () => cancelAnimationFrame(frame)
}

/** Scrolls so that `line` is near the top, what was before it still in sight. */
export function toLine(box: { readonly current: HTMLElement | null }, line: HTMLElement): () => void {
  const frame = requestAnimationFrame(() => {
    if (box.current) box.current.scrollTop += line.getBoundingClientRect().top - box.current.getBoundingClientRect().top - ABOVE
  })
  return () => cancelAnimationFrame(frame)
}

/** Keeps `box` at its end while `atEnd` says that it is there. */
export function useStaysAtEnd(box: { readonly current: HTMLElement | null }, atEnd: { readonly current: boolean }, shown: boolean): void {
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => { if (atEnd.current) element.scrollTop = element.scrollHeight })
    observer.observe(element)
    return () => observer.disconnect()
  }, [shown])
}
