// Dialogs that let the platform say something other than a message: a request to answer, a notice.
import type { HostApi } from '@mynah/console/entry'
import { Dialog, Field, Notice, Select, Switch } from '@mynah/console/ui'
import { useId, useState, type FormEvent } from 'react'
import { nameOf, type Scene, type User } from './model.js'
import { Submit } from './sidebar.js'
import { translator } from './texts.js'
import { textOf } from './transcripts.js'

interface InjectProps {
  readonly host: HostApi
  readonly endpointId: string
  readonly user: User
  readonly scene: Scene
  readonly onClose: () => void
}

/** Runs a call of a form; a failure stays in the form. */
function useCall(
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
        setError(textOf(failure))
        setBusy(false)
      },
    )
  }
  return { busy, error, call }
}

type Kind = 'friend' | 'group-join' | 'group-invite'

export function RequestDialog({ host, endpointId, user, scene, onClose }: InjectProps) {
  const t = translator(host)
  const [kind, setKind] = useState<Kind>('friend')
  const [group, setGroup] = useState(scene.channel.type === 'group' ? scene.channel.id : 'lobby')
  const [comment, setComment] = useState('')
  const { busy, error, call } = useCall(host, onClose)
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
        <p className="muted">{t('from', { name: nameOf(user) })}</p>
        <Select
          label={t('whatHappens')}
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
        <Submit t={t} label={t('letHappen')} busy={busy} onClose={onClose} />
      </form>
    </Dialog>
  )
}

/** What platforms tell, in words; another kind is written as the platform writes it. */
const KINDS = ['group-increase', 'group-decrease', 'group-mute', 'message-recall', 'poke'] as const
type KnownKind = (typeof KINDS)[number]
const words = {
  'group-increase': 'joined',
  'group-decrease': 'leftGroup',
  'group-mute': 'muted',
  'message-recall': 'recalled',
  poke: 'poked',
} as const
const OTHER = 'other'

export function NoticeDialog({ host, endpointId, user, scene, onClose }: InjectProps) {
  const t = translator(host)
  const id = useId()
  const [chosen, choose] = useState<KnownKind | typeof OTHER>('group-increase')
  const [kind, setKind] = useState('')
  const [here, setHere] = useState(true)
  const [operator, setOperator] = useState('')
  const [target, setTarget] = useState(user.id)
  const [payload, setPayload] = useState('{}')
  const [mistake, setMistake] = useState<string>()
  const { busy, error, call } = useCall(host, onClose)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    let value: unknown
    try {
      value = JSON.parse(payload)
    } catch (failure) {
      setMistake(t('badJson', { error: textOf(failure) }))
      return
    }
    setMistake(undefined)
    call(() =>
      host.client.rpc('sandbox:notice', {
        endpointId,
        kind: chosen === OTHER ? kind.trim() : chosen,
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
          label={t('whatHappens')}
          value={chosen}
          onChange={choose}
          options={[
            ...KINDS.map((value) => ({ value, label: t(words[value]) })),
            { value: OTHER, label: t('somethingElse') },
          ]}
        />
        {chosen === OTHER ? <Field label={t('noticeKind')} value={kind} onInput={setKind} mono required /> : null}
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
                aria-invalid={mistake ? 'true' : undefined}
                aria-describedby={mistake ? `${id}-error` : undefined}
                onInput={(event) => setPayload(event.currentTarget.value)}
              />
            </div>
            {mistake ? (
              <p className="error" id={`${id}-error`}>
                {mistake}
              </p>
            ) : null}
          </div>
        </details>
        {error ? <Notice tone="err" title={error} /> : null}
        <Submit t={t} label={t('letHappen')} busy={busy} onClose={onClose} />
      </form>
    </Dialog>
  )
}
