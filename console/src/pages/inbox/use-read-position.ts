import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isAtEnd, scrollToEnd, scrollToLine, useStickToEnd } from '../../lib/scroll-to-end.js'

/**
 * Follows how far a conversation has been read. Scrolling to the end calls `onRead`, and so does each message that
 * arrives while the box stays there. Messages that arrive elsewhere count as missed.
 */
export function useReadPosition(lastId: string | undefined, onRead: () => void) {
  const [missed, setMissed] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  // Only scrolling by a person counts as reading.
  const touched = useRef(false)
  const reached = useRef(false)
  const opened = useRef(false)

  useLayoutEffect(() => {
    // Open at the first unread message, so that the end is reached only by reading.
    const firstUnread = opened.current ? null : box.current?.querySelector<HTMLElement>('.rule.new')
    opened.current = true
    if (firstUnread) return scrollToLine(box, firstUnread, atEnd)
    if (atEnd.current) return scrollToEnd(box)
    setMissed((former) => former + 1)
    return undefined
  }, [lastId])
  useEffect(() => {
    if (reached.current && atEnd.current && document.visibilityState === 'visible') onRead()
  }, [lastId])
  useStickToEnd(box, atEnd, true)

  const reach = (): void => {
    reached.current = true
    onRead()
  }
  const onScroll = (): void => {
    const element = box.current
    if (!element) return
    const was = atEnd.current
    atEnd.current = isAtEnd(element)
    if (!atEnd.current) reached.current = false
    else setMissed(0)
    if (atEnd.current && !was && touched.current) reach()
  }
  const touch = (): void => {
    touched.current = true
  }
  return {
    missed,
    /** Properties of the element that scrolls. */
    box: { ref: box, onScroll, onWheel: touch, onTouchMove: touch, onPointerDown: touch, onKeyDown: touch },
    /** Marks everything read and follows the end from now on. */
    stayAtEnd: () => {
      atEnd.current = true
      reach()
    },
    readToEnd: () => {
      scrollToEnd(box)
      reach()
    },
  }
}
