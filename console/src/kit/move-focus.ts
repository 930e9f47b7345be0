/** Moves the focus among buttons by arrow keys, Home and End. Returns whether it moved. */
export function moveFocus(event: KeyboardEvent, container: Element | null, selector = 'button'): boolean {
  const all = [...(container?.querySelectorAll<HTMLElement>(selector) ?? [])]
  const at = all.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
  const next = to === undefined ? undefined : all[to]
  if (!next) return false
  event.preventDefault()
  next.focus()
  return true
}
