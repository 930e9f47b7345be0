// Keeps the focus on the page when the focused element is removed, as a row that is deleted or a request that is
// answered: it goes to the next element of its kind. Without it, the focus falls on the body, and the next Tab starts
// at the top.
import { focusedElement } from '../lib/focus.js'

/** Elements that the keyboard reaches. */
const REACHED =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])'

/** Time in which the page itself may move the focus, as a new page does to its heading, ms. */
const PATIENCE_MS = 50

/** Where an element was when it was removed. */
interface Gap {
  readonly parent: Element
  readonly next: Element | null
  readonly previous: Element | null
}

/** Starts to keep the focus within `root`. */
export function keepFocus(root: HTMLElement): () => void {
  let last = focusedElement()
  let gap: Gap | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const repair = (): void => {
    const lost = last
    if (!lost || focusedElement() || lost.matches(':disabled')) return
    const target = lost.isConnected ? lost : gap && nearest(gap, lost)
    target?.focus({ preventScroll: false })
  }
  const observer = new MutationObserver((records) => {
    if (!last || focusedElement()) return
    if (!last.isConnected) gap = gapOf(records, last) ?? gap
    clearTimeout(timer)
    timer = setTimeout(repair, PATIENCE_MS)
  })
  const onFocusIn = (event: FocusEvent): void => {
    gap = undefined
    last = event.target instanceof HTMLElement ? event.target : undefined
  }
  const onFocusOut = (event: FocusEvent): void => {
    const { target } = event
    // A disabled or removed element loses the focus against its will; any other gave it away.
    queueMicrotask(() => {
      if (target === last && last?.isConnected && !last.matches(':disabled') && !focusedElement()) last = undefined
    })
  }
  const forget = (): void => {
    last = undefined
  }
  observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] })
  root.addEventListener('focusin', onFocusIn)
  root.addEventListener('focusout', onFocusOut)
  // A click next to all elements gives the focus to the body, as people expect.
  root.addEventListener('pointerdown', forget, true)
  return () => {
    observer.disconnect()
    clearTimeout(timer)
    root.removeEventListener('focusin', onFocusIn)
    root.removeEventListener('focusout', onFocusOut)
    root.removeEventListener('pointerdown', forget, true)
  }
}

/** Returns where the element was, from the change that removed it or an element around it. */
function gapOf(records: readonly MutationRecord[], lost: Element): Gap | undefined {
  const record = records.find(({ removedNodes }) => Array.from(removedNodes).some((node) => node.contains(lost)))
  if (!record || !(record.target instanceof Element)) return undefined
  return {
    parent: record.target,
    next: elementFrom(record, 'nextSibling'),
    previous: elementFrom(record, 'previousSibling'),
  }
}

function elementFrom(record: MutationRecord, side: 'nextSibling' | 'previousSibling'): Element | null {
  let node = record[side]
  while (node && !(node instanceof Element)) node = node[side]
  return node
}

/**
 * Returns the element that takes the place of a removed one: of its kind in the next row, else near the gap. A button
 * is not replaced by a text field, since the next shortcut would be typed into it.
 */
function nearest({ parent, next, previous }: Gap, lost: Element): HTMLElement | undefined {
  const rows = [next, previous, parent].filter((row) => row?.isConnected) as Element[]
  for (const row of rows) {
    const reached = reachedIn(row)
    const found =
      reached.find((other) => kindOf(other) === kindOf(lost)) ??
      reached.find((other) => isTextField(lost) || !isTextField(other))
    if (found) return found
  }
  const page = document.querySelector('dialog[open]') ?? document.querySelector('main')
  return page?.querySelector<HTMLElement>('h1, button') ?? undefined
}

const reachedIn = (row: Element): HTMLElement[] =>
  [...(row.matches(REACHED) ? [row] : []), ...row.querySelectorAll(REACHED)].filter(
    (element): element is HTMLElement => element instanceof HTMLElement && element.closest('[hidden]') === null,
  )

/** Whether the keys of the page would be typed into the element. */
const isTextField = (element: Element): boolean => element.matches('input, textarea, select')

const kindOf = (element: Element): string =>
  [element.tagName, element.className, element.getAttribute('aria-keyshortcuts'), element.getAttribute('role')].join(
    ' ',
  )
