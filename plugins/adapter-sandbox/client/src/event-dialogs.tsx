// Dialogs that send a request or a notice to the bot.
import type { HostApi } from '@mynah/console/entry'
import { Dialog, Field, Notice, Select, Switch } from '@mynah/console/ui'
import { useId, useState, type FormEvent } from 'react'
import { displayName, type Scene, type SandboxUser } from './model.js'
import { FormActions } from './sidebar.js'
import { translator } from './texts.js'
import { errorText } from './transcript-store.js'

interface EventDialogProps {
  readonly host: HostApi
  readonly endpointId: string
  readonly user: SandboxUser
  readonly scene: Scene
  readonly onClose: () => void
}

/** Runs the call of a form. The form shows its failure. */
function useFormCall(
  host: HostApi,
  onClose: () => void,
): {
  readonly busy: boolean
  readonly error: string | undefined
  readonly call: (run: () => Promise<{ id: string }>) => void
} {
  const t = translator(host)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const call = (run: () => Promise<{ id: string }>): void => {
    if (busy) return
    setBusy(true)
    setError(undefined)
    run().then(
      () => {
        host.toast(t('injected'), 'ok')
        onClose()
      },
      (failure: unknown) => {
        setError(errorText(failure))
        setBusy(false)
      },
    )
  }
  return { busy, error, call }
}

type RequestKind = 'friend' | 'group-join' | 'group-invite'

export function RequestDialog({ host, endpointId, user, scene, onClose }: EventDialogProps) {
  const t = translator(host)
  const [kind, setKind] = useState<RequestKind>('friend')
  const [group, setGroup] = useState(scene.channel.type === 'group' ? scene.channel.id : 'lobby')
  const [comment, setComment] = useState('')
  const { busy, error, call } = useFormCall(host, onClose)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const channel = kind === 'friend' ? {} : { channel: { type: 'group' as const, id: group.trim() } }
    call(() =>
      host.client.rpc('sandbox:request', {
        endpointId,
        kind,
        sender: { id: user.id, name: user.name },
        ...channel,
        ...(comment ? { comment } : {}),
      }),
    )
  }
  return (
    <Dialog title={t('requestTitle')} onClose={onClose}>
      <form className="sb-form" onSubmit={submit}>
        <p className="muted">{t('from', { name: displayName(user) })}</p>
        <Select
          label={t('eventKind')}
          value={kind}
          onChange={setKind}
          options={[
            { value: 'friend', label: t('friend') },
            { value: 'group-join', label: t('groupJoin') },
            { value: 'group-invite', label: t('groupInvite') },
          ]}
        />
        {kind === 'friend' ? null : <Field label={t('groupId')} value={group} onInput={setGroup} mono required />}
        <Field label={t('comment')} value={comment} onInput={setComment} />
        {error ? <Notice tone="err" title={error} /> : null}
        <FormActions t={t} label={t('submitEvent')} busy={busy} onClose={onClose} />
      </form>
    </Dialog>
  )
}

/** Kinds of notices that have a text. Others are typed. */
const NOTICE_KINDS = ['group-increase', 'group-decrease', 'group-mute', 'message-recall', 'poke'] as const
type NoticeKind = (typeof NOTICE_KINDS)[number]
const KIND_TEXTS = {
  'group-increase': 'joined',
  'group-decrease': 'leftGroup',
  'group-mute': 'muted',
  'message-recall': 'recalled',
  poke: 'nudged',
} as const
const OTHER = 'other'

export function NoticeDialog({ host, endpointId, user, scene, onClose }: EventDialogProps) {
  const t = translator(host)
  const id = useId()
  const [selected, setSelected] = useState<NoticeKind | typeof OTHER>('group-increase')
  const [kind, setKind] = useState('')
  const [here, setHere] = useState(true)
  const [operator, setOperator] = useState('')
  const [target, setTarget] = useState(user.id)
  const [payload, setPayload] = useState('{}')
  const [payloadError, setPayloadError] = useState<string>()
  const { busy, error, call } = useFormCall(host, onClose)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    let value: unknown
    try {
      value = JSON.parse(payload)
    } catch (failure) {
      setPayloadError(t('badJson', { error: errorText(failure) }))
      return
    }
    setPayloadError(undefined)
    call(() =>
      host.client.rpc('sandbox:notice', {
        endpointId,
        kind: selected === OTHER ? kind.trim() : selected,
        payload: value,
        ...(here ? { channel: scene.channel } : {}),
        ...(operator.trim() ? { operator: { id: operator.trim() } } : {}),
        ...(target.trim() ? { target: { id: target.trim() } } : {}),
      }),
    )
  }
  return (
    <Dialog title={t('noticeTitle')} onClose={onClose}>
      <form className="sb-form" onSubmit={submit}>
        <Select
          label={t('eventKind')}
          value={selected}
          onChange={setSelected}
          options={[
            ...NOTICE_KINDS.map((value) => ({ value, label: t(KIND_TEXTS[value]) })),
            { value: OTHER, label: t('otherKind') },
          ]}
        />
        {selected === OTHER ? <Field label={t('noticeKind')} value={kind} onInput={setKind} mono required /> : null}
        <Field label={t('target')} value={target} onInput={setTarget} mono />
        <Field label={t('operator')} value={operator} onInput={setOperator} mono />
        <Switch label={t('inScene', { scene: scene.name })} on={here} onChange={setHere} />
        <details>
          <summary>{t('more')}</summary>
          <div className="field">
            <label htmlFor={id}>{t('payload')}</label>
            <div className="control">
              <textarea
                id={id}
                className="mono"
                rows={3}
                spellcheck={false}
                value={payload}
                aria-invalid={payloadError ? 'true' : undefined}
                aria-describedby={payloadError ? `${id}-error` : undefined}
                onInput={(event) => setPayload(event.currentTarget.value)}
              />
            </div>
            {payloadError ? (
              <p className="error" id={`${id}-error`}>
                {payloadError}
              </p>
            ) : null}
          </div>
        </details>
        {error ? <Notice tone="err" title={error} /> : null}
        <FormActions t={t} label={t('submitEvent')} busy={busy} onClose={onClose} />
      </form>
    </Dialog>
  )
}
