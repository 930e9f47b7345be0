import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

export interface PanelProps {
  readonly title: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
  /** Without inner space, as for a table. */
  readonly flush?: boolean
}

export function Panel({ title, actions, children, flush }: PanelProps) {
  const id = useId()
  return (
    <section class={flush ? 'panel flush' : 'panel'} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {actions}
      </header>
      <div class="body">{children}</div>
    </section>
  )
}

export interface Fact {
  readonly label: string
  readonly value: ComponentChildren
}

export interface FactsProps {
  readonly facts: readonly Fact[]
  /** Side by side where there is room, for short values. */
  readonly columns?: boolean
  /** The labels are identifiers. */
  readonly mono?: boolean
}

/** Facts without a value are left out. */
export function Facts({ facts, columns, mono }: FactsProps) {
  const known = facts.filter((fact) => fact.value !== undefined && fact.value !== null && fact.value !== '')
  return (
    <dl class={`facts${columns ? ' columns' : ''}${mono ? ' mono' : ''}`}>
      {known.map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd>{fact.value}</dd>
        </div>
      ))}
    </dl>
  )
}
