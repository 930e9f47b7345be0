import type { ExecApproval, ExecOffer } from '@mynah/contract/types'
import { t } from './texts.js'

/** Returns the host or the path of an offer. */
export const targetOf = ({ addition }: ExecOffer): string => (addition.kind === 'host' ? addition.host : addition.path)

/** Returns the hosts and paths of a request in one text. */
export const offered = ({ offers = [] }: ExecApproval): string => offers.map(targetOf).join(', ')

/** Returns the keys of the configuration that keep them. */
export const keysOf = ({ offers = [] }: ExecApproval): string => [...new Set(offers.map(({ key }) => key))].join(', ')

/** Says what would be kept for good and where, or why it cannot be. */
export function Offers({ offers }: { readonly offers: readonly ExecOffer[] }) {
  if (offers.length === 0) return null
  return (
    <ul class="offers">
      {offers.map((offer) => (
        <li key={offer.key + targetOf(offer)} class="muted">
          {t('forGood')} <code>{targetOf(offer)}</code>{' '}
          {offer.problem === undefined ? t('goesTo', { key: offer.key }) : t('cannot', { why: offer.problem })}
        </li>
      ))}
    </ul>
  )
}
