import type { ClusterHost, ClusterPlace } from '@mynah/contract/types'
import { useState } from 'preact/hooks'
import { host as client } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { momentSeconds } from '../../kit/time-format.js'
import { useAction } from '../../kit/use-action.js'
import { currentLocale } from '../../lib/i18n.js'
import { Select } from '../../ui/index.js'
import { Confirm } from '../../ui/parts/index.js'
import { moveEffect, restartsSelf, targetsOf } from './model.js'
import { t } from './texts.js'

interface MoveDialogProps {
  readonly place: ClusterPlace
  readonly hosts: readonly ClusterHost[]
  readonly onClose: () => void
  readonly onDone: () => void
}

export function MoveDialog({ place, hosts, onClose, onDone }: MoveDialogProps) {
  const targets = targetsOf(place, hosts, t('anywhere'))
  const [chosen, setChosen] = useState(targets[0]?.id ?? '')
  const target = targets.find(({ id = '' }) => id === chosen) ?? { id: undefined, name: t('anywhere') }
  const move = useAction(async () => {
    await client().rpc('cluster:move', { place: place.id, ...(target.id === undefined ? {} : { host: target.id }) })
    toast(t(target.id === undefined ? 'freed' : 'moved', { place: place.id, host: target.name }), 'ok')
    onClose()
    onDone()
  }, 'here')
  const effect = moveEffect(place, target)
  const from = place.owner?.name ?? ''
  const time = place.restsUntil === null ? '' : momentSeconds(place.restsUntil, Date.now(), currentLocale())
  return (
    <Confirm
      title={t('moveTitle', { place: place.id })}
      action={t('moveDo')}
      danger={effect === 'moveHouse'}
      busy={move.busy}
      disabled={move.blocked.disabled ?? false}
      onClose={onClose}
      onConfirm={() => move.run()}
    >
      <Select
        label={t('to')}
        value={chosen}
        onChange={setChosen}
        options={targets.map(({ id = '', name }) => ({
          value: id,
          label: id !== '' && id === place.owner?.id ? t('hasIt', { host: name }) : name,
        }))}
      />
      <p>{t(effect, { host: target.name, from, time })}</p>
      {effect === 'moveHouse' ? (
        <p>{t(restartsSelf(place, target, hosts) ? 'reconnects' : 'goesOn', { from })}</p>
      ) : null}
      {move.blocked.title ? <p class="amber">{move.blocked.title}</p> : null}
      {move.failure ? (
        <p class="bad" role="alert">
          {move.failure}
        </p>
      ) : null}
    </Confirm>
  )
}
