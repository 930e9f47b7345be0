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
  return left > 0 ? <Button onClick={onMore}>{t('showMore', { count: Math.min(left, step), left })}</Button> : null
}
