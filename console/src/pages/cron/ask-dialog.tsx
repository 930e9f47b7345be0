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
  readonly busy: boolean
  readonly onClose: () => void
  readonly onConfirm: () => void
}

export function AskDialog({ asking: { kind, task }, busy, onClose, onConfirm }: AskDialogProps) {
  const texts = ASK_TEXTS[kind]
  return (
    <Confirm
      danger={kind === 'remove'}
      title={t(texts.title, { name: nameOf(task) })}
      action={t(texts.action)}
      busy={busy}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p>{t(texts.text)}</p>
    </Confirm>
  )
}
