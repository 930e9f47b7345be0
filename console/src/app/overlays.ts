import { createStore } from '../lib/store.js'

export interface OverlayProps {
  readonly onClose: () => void
}

export type OverlayName = 'palette' | 'shortcuts' | 'host' | 'pages'

export const currentOverlay = createStore<OverlayName | undefined>(undefined)

/** Keys pressed while the code of an overlay loads. They must not reach the page below. */
let bufferedKeys: string[] = []

/** Opens an overlay and closes any other. */
export const openOverlay = (name: OverlayName): void => {
  bufferedKeys = []
  currentOverlay.set(name)
}

export const closeOverlay = (): void => currentOverlay.set(undefined)

/** Buffers a key for the overlay that is loading. */
export function bufferKey(key: string): void {
  if (key === 'Escape') closeOverlay()
  else if (key === 'Backspace') bufferedKeys.pop()
  else if (key === 'Enter' || [...key].length === 1) bufferedKeys.push(key)
}

/** Returns the buffered text up to the first Enter, and whether there was one. */
export function takeBufferedKeys(): { readonly text: string; readonly entered: boolean } {
  const end = bufferedKeys.indexOf('Enter')
  const text = bufferedKeys.slice(0, end < 0 ? undefined : end).join('')
  bufferedKeys = []
  return { text, entered: end >= 0 }
}
