// Names and values, a line each.
import type { ComponentChildren } from 'preact'

export type Line = readonly [name: string, value: ComponentChildren]

export const Lines = ({ lines }: { readonly lines: readonly Line[] }) => (
  <dl class="lines">
    {lines.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
