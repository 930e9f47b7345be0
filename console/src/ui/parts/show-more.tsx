import { Button } from '../button.js'
import { t } from './texts.js'

interface ShowMoreProps {
  /** How many rows are not shown yet. */
  readonly left: number
  /** How many of them come next. */
  readonly step: number
  readonly onMore: () => void
}

/** Shows further rows of a list that is drawn in steps, so that no step takes long. */
export function ShowMore({ left, step, onMore }: ShowMoreProps) {
  if (left <= 0) return null
  return (
    <p class="row">
      <Button onClick={onMore}>{t('showMore', { count: Math.min(left, step) })}</Button>
      <span class="muted">{t('notShown', { count: left })}</span>
    </p>
  )
}
