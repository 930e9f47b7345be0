// Which of the things that lie over the page is open; their code is loaded elsewhere, so that whatever opens one costs nothing.
import { createStore } from '../lib/store.js'

export interface OverlayProps {
  readonly onClose: () => void
}

export type OverlayName = 'palette' | 'shortcuts' | 'host'

export const currentOverlay = createStore<OverlayName | undefined>(undefined)

/** Keys that were pressed for an overlay while its code was on its way; they are not meant for the page below. */
let ahead: string[] = []

/** Opens one, closing another. */
export const openOverlay = (name: OverlayName): void => {
  ahead = []
  currentOverlay.set(name)
}

export const closeOverlay = (): void => currentOverlay.set(undefined)

/** Keeps a key for the overlay that is about to appear. */
export function keepAhead(key: string): void {
  if (key === 'Escape') closeOverlay()
  else if (key === 'Backspace') ahead.pop()
  else if (key === 'Enter' || [...key].length === 1) ahead.push(key)
}

/** What was typed before it appeared, up to the first Enter, and whether there was one. */
export function takeAhead(): { readonly text: string; readonly entered: boolean } {
  const end = ahead.indexOf('Enter')
  const text = ahead.slice(0, end < 0 ? undefined : end).join('')
  ahead = []
  return { text, entered: end >= 0 }
}
