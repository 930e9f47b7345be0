import type { ComponentChildren } from 'preact'

export interface Figure {
  readonly label: string
  readonly value?: ComponentChildren
  /** After the figure: unit, "of 4 online". */
  readonly rest?: string | undefined
  /** Instead of a figure. */
  readonly body?: ComponentChildren
  readonly href?: string
}

export function Ledger({ figures, label }: { readonly figures: readonly Figure[]; readonly label: string }) {
  return (
    <dl class="ledger" aria-label={label}>
      {figures.map((figure) => (
        <div key={figure.label}>
          <dt>{figure.href ? <a href={figure.href}>{figure.label}</a> : figure.label}</dt>
          <dd>
            {figure.body ?? (
              <>
                <b>{figure.value ?? '–'}</b>
                {figure.rest ? <small>{figure.rest}</small> : null}
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
