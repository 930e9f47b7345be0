// The head of every page: title, one fact, actions. Takes the focus when the person came here by a link.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { hasNavigated } from '../lib/router.js'

export interface PageHeadProps {
  readonly title: string
  /** One line: total, how old it is. */
  readonly fact?: ComponentChildren
  readonly actions?: ComponentChildren
}

export function PageHead({ title, fact, actions }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (hasNavigated.get()) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <header class="page-head">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {fact ? <p class="fact">{fact}</p> : null}
      <div class="grow" />
      {actions ? <div class="actions">{actions}</div> : null}
    </header>
  )
}
