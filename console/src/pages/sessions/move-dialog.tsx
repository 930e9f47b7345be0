import type { SessionTree } from '@mynah/contract/types'
import type { Action } from '../../kit/use-action.js'
import { Confirm } from '../../ui/parts/index.js'
import { t } from './texts.js'

type Point = SessionTree['points'][number]

interface MoveDialogProps {
  readonly point: Point
  readonly tree: SessionTree | undefined
  readonly running: boolean
  readonly move: Action<[Point]>
  readonly onClose: () => void
}

export function MoveDialog({ point, tree, running, move, onClose }: MoveDialogProps) {
  const { index, preview } = point
  const later = (tree?.points.length ?? 0) - index
  return (
    <Confirm
      title={t('askTitle', { index })}
      action={t('askDo', { index })}
      busy={move.busy}
      disabled={move.blocked.disabled === true}
      onClose={onClose}
      onConfirm={() => move.run(point)}
    >
      <blockquote class="point-quote">{preview}</blockquote>
      <p>{t('askText', { index, later })}</p>
      {running ? <p class="amber">{t('askRunning')}</p> : null}
      <p class="muted">{t('explain')}</p>
    </Confirm>
  )
}
