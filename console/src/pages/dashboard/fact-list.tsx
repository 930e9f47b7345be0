// Names and values, a line each.
import type { ComponentChildren } from 'preact'

export type Fact = readonly [name: string, value: ComponentChildren]

export const FactList = ({ lines }: { readonly lines: readonly Fact[] }) => (
  <dl class="lines">
    {lines.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
