// One line that all is well, and what it was judged by.
import { facts as joined } from '../../kit/listed.js'
import { Shape } from '../../ui/badge.js'
import { d } from './texts.js'

export function AllWell({ facts }: { readonly facts: readonly string[] }) {
  return (
    <p class="all-well">
      <Shape shape="full" />
      <strong>{d('well')}</strong> <span class="muted">{joined(...facts)}</span>
    </p>
  )
}
