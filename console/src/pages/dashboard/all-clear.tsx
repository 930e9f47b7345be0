import { joinFacts as joined } from '../../kit/join-list.js'
import { Shape } from '../../ui/badge.js'
import { t } from './lazy-texts.js'

export function AllClear({ facts }: { readonly facts: readonly string[] }) {
  return (
    <p class="all-well">
      <Shape shape="full" />
      <strong>{t('well')}</strong> <span class="muted">{joined(...facts)}</span>
    </p>
  )
}
