// Which of the things that lie over the page is open; their code is loaded elsewhere, so that whatever opens one costs nothing.
import { createStore } from '../lib/store.js'

export interface OverlayProps { readonly onClose: () => void }

export type OverlayName = 'palette' | 'shortcuts' | 'host'

export const currentOverlay = createStore<OverlayName | undefined>(undefined)

/** Opens one, closing another. */
export const openOverlay = (name: OverlayName): void => currentOverlay.set(name)

export const closeOverlay = (): void => currentOverlay.set(undefined)
