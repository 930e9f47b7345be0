import type { ComponentChildren } from 'preact'

export interface NoticeProps {
  readonly tone?: 'info' | 'warn' | 'err' | 'ok'
  readonly title: string
  readonly children?: ComponentChildren
  readonly actions?: ComponentChildren
}

export function Notice({ tone = 'info', title, children, actions }: NoticeProps) {
  return (
    <div class={`notice ${tone}`} role={tone === 'err' ? 'alert' : 'status'}>
      <div class="grow">
        <strong>{title}</strong> {children}
      </div>
      {actions}
    </div>
  )
}

export interface EmptyStateProps {
  readonly title: string
  readonly children?: ComponentChildren
  readonly action?: ComponentChildren
}

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children ? <p>{children}</p> : null}
      {action}
    </div>
  )
}

/** Shows rows of the real height after a moment so that a fast answer does not flash. */
export function Skeleton({ rows = 6, label }: { readonly rows?: number; readonly label: string }) {
  return (
    <div class="skeleton" role="status">
      <span class="sr">{label}</span>
      {Array.from({ length: rows }, (_, index) => (
        <i key={index} aria-hidden="true" />
      ))}
    </div>
  )
}
