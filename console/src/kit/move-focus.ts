// Arrow keys in a list of buttons: one stop for Tab, the rest by arrows, Home and End.

/** Moves the focus among `buttons` as `event` asks; true where it did. */
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
