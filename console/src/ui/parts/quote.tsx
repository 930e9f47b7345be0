import type { ComponentChildren } from 'preact'

export interface QuoteProps {
  readonly children: ComponentChildren
  readonly tone?: 'err' | 'warn' | 'plain'
  readonly actions?: ComponentChildren
}

export function Quote({ children, tone = 'err', actions }: QuoteProps) {
  return (
    <div class={`quote ${tone}`}>
      <code class="grow">{children}</code>
      {actions}
    </div>
  )
}
