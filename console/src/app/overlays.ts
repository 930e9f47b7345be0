// Which of the things that lie over the page is open; their code is loaded elsewhere, so that whatever opens one costs nothing.
import { createStore } from '../lib/store.js'

export interface OverlayProps {
  readonly onClose: () => void
}

export type OverlayName = 'palette' | 'shortcuts' | 'host'

export const currentOverlay = createStore<OverlayName | undefined>(undefined)

/** Keys that were pressed for an overlay while its code was on its way; they are not meant for the page below. */
let bufferedKeys: string[] = []

/** Opens one, closing another. */
export const openOverlay = (name: OverlayName): void => {
  bufferedKeys = []
  currentOverlay.set(name)
}

export const closeOverlay = (): void => currentOverlay.set(undefined)

/** Keeps a key for the overlay that is about to appear. */
export function bufferKey(key: string): void {
  if (key === 'Escape') closeOverlay()
  else if (key === 'Backspace') bufferedKeys.pop()
  else if (key === 'Enter' || [...key].length === 1) bufferedKeys.push(key)
}

/** What was typed before it appeared, up to the first Enter, and whether there was one. */
export function takeBufferedKeys(): { readonly text: string; readonly entered: boolean } {
  const end = bufferedKeys.indexOf('Enter')
  const text = bufferedKeys.slice(0, end < 0 ? undefined : end).join('')
  bufferedKeys = []
  return { text, entered: end >= 0 }
}
