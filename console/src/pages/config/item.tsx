import type { ComponentChildren } from 'preact'
import { Icon } from '../../ui/index.js'

export interface RemoveProps {
  readonly label: string
  readonly off: boolean
  readonly onClick: () => void
}

export const Remove = ({ label, off, onClick }: RemoveProps) => (
  <button type="button" class="icon-button" disabled={off} aria-label={label} title={label} onClick={onClick}>
    <Icon name="close" />
  </button>
)

interface ItemProps {
  readonly title: ComponentChildren
  readonly open: boolean
  readonly remove: RemoveProps
  readonly children: ComponentChildren
}

/** An item of a list or a map, folded under its title. A summary may contain no button, so that follows it. */
export const Item = ({ title, open, remove, children }: ItemProps) => (
  <div class="item">
    <details open={open}>
      <summary>{title}</summary>
      {children}
    </details>
    <Remove {...remove} />
  </div>
)
