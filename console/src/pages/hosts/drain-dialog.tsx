import type { ClusterHost } from '@mynah/contract/types'
import { host as client } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction } from '../../kit/use-action.js'
import { Confirm } from '../../ui/parts/index.js'
import { drainEffect } from './model.js'
import { t } from './texts.js'

interface DrainDialogProps {
  readonly host: ClusterHost
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Asks before a host is drained, or takes places again. */
export function DrainDialog({ host, onClose, onDone }: DrainDialogProps) {
  const { id, name, drains, self } = host
  const change = useAction(async () => {
    await client().rpc('cluster:drain', { host: id, drains: !drains })
    toast(t(drains ? 'taken' : 'drained', { host: name }), 'ok')
    onClose()
    onDone()
  }, 'here')
  const effect = drainEffect(host)
  return (
    <Confirm
      title={t(drains ? 'takeTitle' : 'drainTitle', { host: name })}
      action={t(drains ? 'takeDo' : 'drainDo')}
      danger={!drains && effect === 'drainHouse'}
      busy={change.busy}
      disabled={change.blocked.disabled ?? false}
      onClose={onClose}
      onConfirm={() => change.run()}
    >
      <p>{t(drains ? 'takeText' : effect, { host: name })}</p>
      {drains ? null : <p>{after(effect, name, self)}</p>}
      {change.blocked.title ? <p class="amber">{change.blocked.title}</p> : null}
      {change.failure ? (
        <p class="bad" role="alert">
          {change.failure}
        </p>
      ) : null}
    </Confirm>
  )
}

/** Returns until when a host drains, or how the console goes on where the host starts again. */
function after(effect: ReturnType<typeof drainEffect>, name: string, self: boolean): string {
  if (effect !== 'drainHouse') return t('drainUntil')
  return t(self ? 'reconnects' : 'goesOn', { from: name })
}
