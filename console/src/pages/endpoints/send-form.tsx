import type { ChannelItem, ChannelType, EndpointInfo, Group } from '@mynah/contract/types'
import { useEffect, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useDraft } from '../../kit/use-draft.js'
import { useAction, type Action } from '../../kit/use-action.js'
import { clockSeconds } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { modifier } from '../../lib/modifier.js'
import { useQuery } from '../../lib/router.js'
import { readStored, writeStored } from '../../lib/storage.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, Field, Icon, Select } from '../../ui/index.js'
import { Section, Segments, TextArea } from '../../ui/parts/index.js'
import { parseTarget, type Target } from './model.js'
import { t } from './texts.js'

interface Choice {
  readonly value: string
  readonly label: string
  readonly guild?: string
}

/** The lists of targets by their kind, named as the capability of the endpoint and as its method. */
const TARGET_LISTS: Readonly<Partial<Record<ChannelType, 'groups' | 'channels'>>> = {
  group: 'groups',
  channel: 'channels',
}

/** Loads the targets of an endpoint, if its platform lists them and it is online. */
function useChoices(endpoint: EndpointInfo, type: ChannelType): readonly Choice[] {
  const at = { adapter: endpoint.adapter, endpointId: endpoint.name }
  const list = TARGET_LISTS[type]
  const method = list && endpoint.capabilities.includes(list) ? (`endpoint:${list}` as const) : undefined
  const { data } = useResource<{ groups?: Group[]; channels?: ChannelItem[] }>(
    method && endpoint.status === 'online'
      ? `${method} ${endpoint.adapter} ${endpoint.name}`
      : `absent targets of ${endpoint.name}`,
    async (signal) => (method && endpoint.status === 'online' ? host().rpc(method, at, { signal }) : {}),
    method ?? 'endpoint:groups',
  )
  if (type === 'group') return (data?.groups ?? []).map((group) => ({ value: group.id, label: group.name || group.id }))
  return (data?.channels ?? []).map((channel) => ({
    value: channel.id,
    label: [channel.parent?.name, channel.name ?? channel.id].filter(Boolean).join(' / '),
    ...(channel.parent ? { guild: channel.parent.id } : {}),
  }))
}

interface Sent {
  readonly at: number
  readonly target: string
  readonly messageId: string
}

function SentNote({ sent }: { readonly sent: Sent }) {
  return (
    <p class="sent-note" role="status">
      <Icon name="check" />
      <span>
        {t('sentAt', { time: clockSeconds(sent.at, currentLocale()), target: sent.target })}{' '}
        <code>{sent.messageId}</code>
      </span>
    </p>
  )
}

interface TargetFieldProps {
  readonly type: ChannelType
  readonly id: string
  readonly choices: readonly Choice[]
  readonly onChange: (id: string) => void
}

function TargetField({ type, id, choices, onChange }: TargetFieldProps) {
  const label = t(`id.${type}`)
  if (choices.length === 0) return <Field label={label} value={id} onInput={onChange} />
  const known = choices.some((item) => item.value === id)
  return (
    <Select
      label={label}
      value={known ? id : ''}
      onChange={onChange}
      options={[...(known ? [] : [{ value: '', label: '–' }]), ...choices]}
    />
  )
}

/** Returns the target of the form: the one that the address names, else the stored one. */
function useTarget(endpoint: EndpointInfo, stored: string) {
  const last = parseTarget(readStored(stored))
  const {
    values: { send },
  } = useQuery({ send: '' })
  const asked = send !== '' && send !== '1' ? send : undefined
  const usual = endpoint.capabilities.includes('groups') ? 'group' : 'private'
  const [type, setType] = useState<ChannelType>(asked ? 'private' : (last?.type ?? usual))
  const [id, setId] = useState(asked ?? last?.id ?? '')
  const [guild, setGuild] = useState(last?.guild ?? '')
  useEffect(() => {
    if (asked) {
      setType('private')
      setId(asked)
    }
    if (send) document.querySelector<HTMLElement>('.send-form textarea')?.focus()
  }, [send])
  return { type, setType, id, setId, guild, setGuild }
}

export function SendForm({ endpoint }: { readonly endpoint: EndpointInfo }) {
  const stored = `mynah_target:${host().base}:${endpoint.adapter}/${endpoint.name}`
  const { type, setType, id, setId, guild, setGuild } = useTarget(endpoint, stored)
  const { value: text, set: setText, clear } = useDraft(`send ${endpoint.adapter}/${endpoint.name}`, '')
  const [sent, setSent] = useState<Sent>()
  const choices = useChoices(endpoint, type)
  const choice = choices.find((item) => item.value === id)
  const target = choice?.label ?? id
  const offline = endpoint.status === 'online' ? undefined : t('sendOffline', { state: t(`word.${endpoint.status}`) })
  const action = useAction(async () => {
    const kept: Target = { type, id, ...(choice ? { name: choice.label } : {}), ...(guild ? { guild } : {}) }
    const guildId = type === 'channel' ? (choice?.guild ?? guild) : ''
    const { messageId } = await host().rpc('endpoint:sendMessage', {
      adapter: endpoint.adapter,
      endpointId: endpoint.name,
      id,
      type,
      content: text,
      ...(guildId ? { parent: { type: 'guild' as const, id: guildId } } : {}),
    })
    writeStored(stored, JSON.stringify(kept))
    setSent({ at: Date.now(), target, messageId })
    clear()
  }, 'here')
  const ready = id.trim() !== '' && text.trim() !== '' && offline === undefined
  const submit = (): void => {
    if (ready) action.run()
  }
  const choose = (kind: ChannelType): void => {
    setType(kind)
    setId('')
  }
  return (
    <Section
      title={t('sendTitle')}
      actions={endpoint.selfName ? <span class="muted">{t('asSelf', { name: endpoint.selfName })}</span> : undefined}
    >
      <form
        class="send-form"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Segments
          wide
          label={t('kind')}
          value={type}
          onChange={choose}
          options={(['private', 'group', 'channel'] as const).map((value) => ({ value, label: t(`kind.${value}`) }))}
        />
        <TargetField type={type} id={id} choices={choices} onChange={setId} />
        {type === 'channel' && !choice?.guild && choices.length === 0 ? (
          <Field label={t('guild')} hint={t('guildHint')} value={guild} onInput={setGuild} />
        ) : null}
        <TextArea label={t('text')} value={text} onInput={setText} onSubmit={submit} error={action.failure} />
        <SendRow action={action} ready={ready} offline={offline} target={target} />
        {offline === undefined ? null : <p class="muted">{offline}</p>}
        {sent ? <SentNote sent={sent} /> : null}
      </form>
    </Section>
  )
}

interface SendRowProps {
  readonly action: Action<[]>
  readonly ready: boolean
  readonly offline: string | undefined
  readonly target: string
}

function SendRow({ action, ready, offline, target }: SendRowProps) {
  return (
    <div class="row">
      <Button
        kind="primary"
        type="submit"
        busy={action.busy}
        {...(ready ? action.blocked : { disabled: true, title: offline ?? t('sendEmpty') })}
      >
        {target ? t('sendTo', { target }) : t('sendNoTarget')}
      </Button>
      <span class="keys-hint" aria-hidden="true">
        <span>
          <kbd>{modifier()}</kbd> <kbd>Enter</kbd>
        </span>
      </span>
    </div>
  )
}
