import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { useLazy } from '../lib/use-lazy.js'
import { useStore } from '../lib/use-store.js'
import { closeOverlay, currentOverlay, type OverlayName, type OverlayProps } from './overlays.js'
import { toast } from './toasts.js'

const overlays: Readonly<Record<OverlayName, () => Promise<ComponentType<OverlayProps>>>> = {
  palette: () => import('./palette.js').then((module) => module.Palette),
  pages: () => import('./page-sheet.js').then((module) => module.PageSheet),
  shortcuts: () => import('./shortcut-sheet.js').then((module) => module.ShortcutSheet),
  host: __DEMO__
    ? () => Promise.resolve(() => null)
    : () => import('./host-dialog.js').then((module) => module.HostDialog),
}

export function Overlays() {
  const name = useStore(currentOverlay)
  const { loaded: Content, failure } = useLazy(name && overlays[name])
  useEffect(() => {
    if (failure === undefined) return
    closeOverlay()
    toast(failure, 'err')
  }, [failure])
  return name && Content ? <Content key={name} onClose={closeOverlay} /> : null
}
