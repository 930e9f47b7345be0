import { Dialog } from '../ui/dialog.js'
import type { OverlayProps } from './overlays.js'
import { Navigation, useHostLabel } from './rail.js'

/** The pages on narrow screens, which have no rail. */
export function PageSheet({ onClose }: OverlayProps) {
  const { label } = useHostLabel()
  const closeOnLink = (event: MouseEvent): void => {
    if (event.target instanceof Element && event.target.closest('a')) onClose()
  }
  return (
    <Dialog sheet title={label} onClose={onClose}>
      <div onClick={closeOnLink}>
        <Navigation />
      </div>
    </Dialog>
  )
}
