import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { useAction } from '../../kit/use-action.js'
import { Confirm } from '../../ui/parts/index.js'
import { nameOf } from './model.js'
import { t } from './texts.js'
import type { Job, Run } from './wire.js'

interface RunDialogProps {
  readonly job: Job
  /** The run whose input it gets; absent for the input that the job has now. */
  readonly as: Run | undefined
  readonly onClose: () => void
  readonly onStarted: () => void
}

export function RunDialog({ job, as, onClose, onStarted }: RunDialogProps) {
  const run = useAction(async () => {
    if (as) await call('jobs:repeat', { runId: as.id })
    else await call('jobs:run', { id: job.id })
    toast(t('started', { name: nameOf(job) }), 'ok')
    onClose()
    onStarted()
  })
  return (
    <Confirm
      title={t(as ? 'againAsk' : 'runAsk', { name: nameOf(job) })}
      action={t(as ? 'runAgain' : 'runDo')}
      busy={run.busy}
      onClose={onClose}
      onConfirm={() => run.run()}
    >
      <p>{t(as ? 'againText' : 'runText')}</p>
    </Confirm>
  )
}
