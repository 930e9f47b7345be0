// Buttons and links that look like them.
import type { ComponentChildren } from 'preact'

export interface ButtonProps {
  readonly children: ComponentChildren
  readonly onClick?: (event: MouseEvent) => void
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly type?: 'button' | 'submit'
  /** Waiting for the host: not clickable, and said so. */
  readonly busy?: boolean
  readonly disabled?: boolean
  /** Why it cannot be used, or what it does. */
  readonly title?: string
  /** Name for screen readers where the content is a picture. */
  readonly label?: string
  readonly href?: string
}

export function Button({ children, onClick, kind = 'plain', type = 'button', busy, disabled, title, label, href }: ButtonProps) {
  const shared = { class: `button ${kind}`, title, 'aria-label': label }
  if (href !== undefined) return <a {...shared} href={href}>{children}</a>
  return (
    <button {...shared} type={type} onClick={busy || disabled ? undefined : onClick} aria-disabled={busy || disabled ? 'true' : undefined} aria-busy={busy ? 'true' : undefined}>
      {children}
    </button>
  )
}
