// Where the focus goes when something that held it is gone.

/** What has the focus now, to be given back later; nothing while the page itself has it. */
export function focusedElement(): HTMLElement | undefined {
  const element = document.activeElement
  return element instanceof HTMLElement && element !== document.body ? element : undefined
}

/**
 * Gives the focus back to `opener`, or where that is gone meanwhile (a row that was deleted, a menu that was rendered anew) to
 * the heading of the page. Focus that somebody has put elsewhere stays there.
 */
export function returnFocus(opener: HTMLElement | undefined): void {
  const now = focusedElement()
  if (now?.isConnected && !now.closest('dialog:not([open])')) return
  const target =
    opener?.isConnected && !opener.closest('[hidden]') ? opener : document.querySelector<HTMLElement>('main h1')
  target?.focus({ preventScroll: true })
}
