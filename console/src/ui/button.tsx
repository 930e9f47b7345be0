import type { ComponentChildren } from 'preact'
import { shortcutsOn } from '../lib/preferences.js'
import { useStore } from '../lib/use-store.js'

export interface ButtonProps {
  readonly children: ComponentChildren
  readonly onClick?: (event: MouseEvent) => void
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly type?: 'button' | 'submit'
  /** Whether the host is working: the button is disabled and announced as busy. */
  readonly busy?: boolean
  readonly disabled?: boolean
  /** Tooltip: why the button is disabled, or what it does. */
  readonly title?: string
  /** Name for screen readers where the content is a picture. */
  readonly label?: string
  readonly href?: string
  /** The shortcut, shown after the label. */
  readonly hotkey?: string
}

export function Button({
  children,
  onClick,
  kind = 'plain',
  type = 'button',
  busy,
  disabled,
  title,
  label,
  href,
  hotkey,
}: ButtonProps) {
  const shared = { class: `button ${kind}`, title, 'aria-label': label, 'aria-keyshortcuts': hotkey }
  const keys = useStore(shortcutsOn)
  const inside = (
    <>
      {children}
      {hotkey && keys ? (
        <span class="hotkey" aria-hidden="true">
          {hotkey.toUpperCase()}
        </span>
      ) : null}
    </>
  )
  if (href !== undefined)
    return (
      <a {...shared} href={href}>
        {inside}
      </a>
    )
  return (
    <button
      {...shared}
      type={type}
      onClick={busy || disabled ? undefined : onClick}
      aria-disabled={busy || disabled ? 'true' : undefined}
      aria-busy={busy ? 'true' : undefined}
    >
      {inside}
    </button>
  )
}
