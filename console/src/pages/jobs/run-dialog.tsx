import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { useAction } from '../../kit/use-action.js'
import { Confirm } from '../../ui/parts/index.js'
import { nameOf } from './model.js'
import { t } from './texts.js'
import type { Job } from './wire.js'

interface RunDialogProps {
  readonly job: Job
  readonly onClose: () => void
  readonly onStarted: () => void
}

export function RunDialog({ job, onClose, onStarted }: RunDialogProps) {
  const run = useAction(async () => {
    await call('jobs:run', { id: job.id })
    toast(t('started', { name: nameOf(job) }), 'ok')
    onClose()
    onStarted()
  })
  return (
    <Confirm
      title={t('runAsk', { name: nameOf(job) })}
      action={t('runDo')}
      busy={run.busy}
      onClose={onClose}
      onConfirm={() => run.run()}
    >
      <p>{t('runText')}</p>
    </Confirm>
  )
}
