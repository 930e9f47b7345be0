// What lies over the page, one at a time, its code loaded when it is first opened.
import type { ComponentType } from 'preact'
import { createStore } from '../lib/store.js'
import { useLazy } from '../lib/use-lazy.js'
import { useStore } from '../lib/use-store.js'
import { toast } from './toasts.js'

export interface OverlayProps { readonly onClose: () => void }

const overlays = {
  palette: () => import('./palette.js').then((module): ComponentType<OverlayProps> => module.Palette),
  shortcuts: () => import('./shortcut-sheet.js').then((module): ComponentType<OverlayProps> => module.ShortcutSheet),
  host: () => import('./host-dialog.js').then((module): ComponentType<OverlayProps> => module.HostDialog),
}

const current = createStore<keyof typeof overlays | undefined>(undefined)

/** Opens one, closing another. */
export const openOverlay = (name: keyof typeof overlays): void => current.set(name)

const close = (): void => current.set(undefined)

export function Overlays() {
  const name = useStore(current)
  const { component: Content, failure } = useLazy(name && overlays[name])
  if (failure !== undefined) {
    close()
    toast(failure, 'err')
  }
  return name && Content ? <Content key={name} onClose={close} /> : null
}
