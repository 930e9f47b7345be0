import type { ComponentChildren } from 'preact'

export type Tone = 'ok' | 'warn' | 'err' | 'info' | 'plain'

export interface BadgeProps {
  readonly tone?: Tone
  readonly children: ComponentChildren
  /** `full` online, `half` pending, `ring` offline; none for a plain label. */
  readonly shape?: 'full' | 'half' | 'ring'
}

export function Badge({ tone = 'plain', shape, children }: BadgeProps) {
  return (
    <span class={`badge ${tone}`}>
      {shape ? <Shape shape={shape} /> : null}
      {children}
    </span>
  )
}

export function Shape({ shape }: { readonly shape: 'full' | 'half' | 'ring' }) {
  return (
    <svg class="shape" viewBox="0 0 8 8" aria-hidden="true">
      {shape === 'full' ? (
        <circle cx="4" cy="4" r="4" fill="currentColor" />
      ) : (
        <circle cx="4" cy="4" r="3" fill="none" stroke="currentColor" stroke-width={shape === 'ring' ? 2 : 1.4} />
      )}
      {shape === 'half' ? <path d="M4 1a3 3 0 0 1 0 6z" fill="currentColor" /> : null}
    </svg>
  )
}
