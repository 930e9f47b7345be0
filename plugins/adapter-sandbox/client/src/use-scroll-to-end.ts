import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { ChatMessage } from './model.js'
import type { VirtualWindow } from './use-virtual-list.js'

/** Distance from the end within which new messages are followed, in pixels. */
const FOLLOW_DISTANCE = 40

interface ScrollToEndOptions {
  readonly list: RefObject<HTMLElement | null>
  readonly messages: readonly ChatMessage[]
  readonly virtual: VirtualWindow
  /** Whether the list of messages is in the document. */
  readonly rendered: boolean
  /** Changes the heights of all messages. */
  readonly raw: boolean
}

interface ScrollToEnd {
  /** Number of messages that arrived below the view. */
  readonly missed: number
  readonly onScroll: () => void
  readonly scrollToEnd: () => void
  /** Scrolls to the end with the next message. */
  readonly follow: () => void
}

/** Keeps a list scrolled to its end while the end is in view. */
export function useScrollToEnd({ list, messages, virtual, rendered, raw }: ScrollToEndOptions): ScrollToEnd {
  const atEnd = useRef(true)
  const [missed, setMissed] = useState(0)
  const lastSeen = useRef(messages.at(-1)?.messageId)
  const scrollToEnd = (): void => list.current?.scrollTo({ top: list.current.scrollHeight })
  const keepAtEnd = (): void => {
    if (atEnd.current) scrollToEnd()
  }
  const { above, below, end } = virtual
  useLayoutEffect(() => {
    keepAtEnd()
    if (!atEnd.current) {
      // Counted from the last message seen, since the oldest ones may have been dropped.
      const seen = messages.findIndex(({ messageId }) => messageId === lastSeen.current)
      setMissed((count) => count + Math.max(0, messages.length - 1 - seen))
    }
    lastSeen.current = messages.at(-1)?.messageId
  }, [messages, raw])
  // Heights that are measured later move the end.
  useLayoutEffect(keepAtEnd, [above, below, end])
  // Pictures change the height after they are shown.
  useEffect(() => {
    const element = list.current?.firstElementChild
    if (!element) return
    const observer = new ResizeObserver(keepAtEnd)
    observer.observe(element)
    return () => observer.disconnect()
  }, [rendered])
  const onScroll = (): void => {
    const element = list.current
    if (!element) return
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < FOLLOW_DISTANCE
    if (atEnd.current) setMissed(0)
  }
  return {
    missed,
    onScroll,
    scrollToEnd,
    follow: () => {
      atEnd.current = true
    },
  }
}
