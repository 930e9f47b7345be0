/** Returns the focused element, or undefined if none has the focus. */
export function focusedElement(): HTMLElement | undefined {
  const element = document.activeElement
  return element instanceof HTMLElement && element !== document.body ? element : undefined
}

/**
 * Returns the focus to `opener`, or if that is gone (a deleted row, a menu that was rendered again) to
 * the heading of the page. Focus that has moved elsewhere stays there.
 */
export function returnFocus(opener: HTMLElement | undefined): void {
  const now = focusedElement()
  if (now?.isConnected && !now.closest('dialog:not([open])')) return
  const target =
    opener?.isConnected && !opener.closest('[hidden]') ? opener : document.querySelector<HTMLElement>('main h1')
  target?.focus({ preventScroll: true })
}
