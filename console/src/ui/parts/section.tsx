import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

export interface SectionProps {
  readonly title: string
  readonly fact?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

export function Section({ title, fact, actions, children }: SectionProps) {
  const id = useId()
  return (
    <section class="section" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {fact ? <span class="muted">{fact}</span> : null}
        <span class="grow" />
        {actions}
      </header>
      {children}
    </section>
  )
}
