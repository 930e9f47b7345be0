import { call } from '../../kit/call.js'
import { useAction } from '../../kit/use-action.js'
import { announce } from '../../lib/announce.js'
import { Confirm } from '../../ui/parts/index.js'
import { t } from './texts.js'
import type { Turn } from './wire.js'

interface StopDialogProps {
  readonly turn: Turn
  readonly onClose: () => void
  readonly onStopped: () => void
}

export function StopDialog({ turn, onClose, onStopped }: StopDialogProps) {
  const stop = useAction(async () => {
    await call('agent:stop', { turnId: turn.id })
    onClose()
    announce(t('stopped'))
    onStopped()
  })
  return (
    <Confirm
      danger
      title={t('stopAsk')}
      action={t('stopDo')}
      busy={stop.busy}
      onClose={onClose}
      onConfirm={() => stop.run()}
    >
      <p>{t('stopText')}</p>
    </Confirm>
  )
}
