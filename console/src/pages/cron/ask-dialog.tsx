import { toast } from '../../app/toasts.js'
import { call } from '../../kit/call.js'
import { useAction } from '../../kit/use-action.js'
import { Confirm } from '../../ui/parts/index.js'
import { nameOf } from './model.js'
import { type Asking } from './tasks.js'
import { t } from './texts.js'

const ASK_TEXTS = {
  run: { title: 'runAsk', action: 'runDo', text: 'runText' },
  remove: { title: 'removeAsk', action: 'removeDo', text: 'removeText' },
} as const

interface AskDialogProps {
  readonly asking: Asking
  readonly onClose: () => void
  readonly onDone: () => void
}

export function AskDialog({ asking: { kind, task }, onClose, onDone }: AskDialogProps) {
  const ask = useAction(async () => {
    await call(kind === 'run' ? 'jobs:run' : 'cron:remove', { id: task.id })
    toast(t(kind === 'run' ? 'started' : 'removed', { name: nameOf(task) }), 'ok')
    onClose()
    onDone()
  })
  const texts = ASK_TEXTS[kind]
  return (
    <Confirm
      danger={kind === 'remove'}
      title={t(texts.title, { name: nameOf(task) })}
      action={t(texts.action)}
      busy={ask.busy}
      onClose={onClose}
      onConfirm={() => ask.run()}
    >
      <p>{t(texts.text)}</p>
    </Confirm>
  )
}
