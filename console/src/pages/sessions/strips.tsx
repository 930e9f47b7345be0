import { Button } from '../../ui/index.js'
import { sessionAddress } from './session-name.js'
import { t } from './texts.js'

interface AtPlaceProps {
  readonly sessionKey: string
  readonly epoch: string
  /** The entry that is shown. Absent at the end. */
  readonly at: number | undefined
}

/** Says that a message is shown that was searched for, and not the end. */
export function AtPlace({ sessionKey, epoch, at }: AtPlaceProps) {
  if (at === undefined) return null
  const newest = sessionAddress({ sessionKey, sessionId: epoch, state: epoch === '' ? 'active' : 'archived' })
  return (
    <p class="strip-line">
      <span class="grow">{t('atPlace')}</span>
      <Button href={newest}>{t('toNewest')}</Button>
    </p>
  )
}

/** Says from which point the conversation continues now. */
export function Switched({ index }: { readonly index: number | undefined }) {
  if (index === undefined) return null
  return (
    <p class="strip-line" role="status">
      <b>{t('switched', { index })}</b>
    </p>
  )
}
