// Lists of users and scenes to choose from, with dialogs that add more.
import { Button, Dialog, Field, Icon, Select } from '@mynah/console/ui'
import { useState, useSyncExternalStore, type FormEvent } from 'react'
import { Happenings, type HappeningsProps } from './happenings.js'
import { channelKey, privateChannel, type Scene, type SandboxUser } from './model.js'
import type { Roles } from './roles.js'
import { channelScene, groupScene, PRIVATE, type Settings } from './settings.js'
import type { Translate } from './texts.js'
import type { TranscriptStore } from './transcript-store.js'

interface SidebarProps extends HappeningsProps {
  readonly head: preact.ComponentChildren
  readonly settings: Settings
  /** Those of the settings, and those with a role. */
  readonly people: readonly SandboxUser[]
  /** Absent where this token may not read them. */
  readonly roles: Roles | undefined
  readonly user: SandboxUser
  readonly onChange: (part: Partial<Settings>) => void
}

export function Sidebar(props: SidebarProps) {
  const { t, head, transcripts, settings, people, roles, user, onChange } = props
  const [adding, setAdding] = useState<'user' | 'scene'>()
  const { users, scenes } = settings
  const close = (): void => setAdding(undefined)
  return (
    <div className="sb-side">
      {head}
      <ItemList title={t('people')} addLabel={t('addPerson')} onAdd={() => setAdding('user')}>
        {people.map((item) => (
          <SelectableItem
            key={item.id}
            t={t}
            name={item.name}
            detail={roles ? t(`role.${roles.get(item.id) ?? 'user'}`) : item.id}
            current={item.id === user.id}
            onSelect={() => onChange({ user: item.id })}
            onRemove={item.custom ? () => onChange({ users: users.filter((other) => other !== item) }) : undefined}
          />
        ))}
      </ItemList>
      <ItemList title={t('scenes')} addLabel={t('addScene')} onAdd={() => setAdding('scene')}>
        <SceneItem
          t={t}
          transcripts={transcripts}
          scene={{ name: t('private', { name: user.name }), channel: privateChannel(user) }}
          current={settings.scene === PRIVATE}
          onSelect={() => onChange({ scene: PRIVATE })}
        />
        {scenes.map((scene) => (
          <SceneItem
            key={channelKey(scene.channel)}
            t={t}
            transcripts={transcripts}
            scene={scene}
            current={settings.scene === channelKey(scene.channel)}
            onSelect={() => onChange({ scene: channelKey(scene.channel) })}
            onRemove={scene.custom ? () => onChange({ scenes: scenes.filter((other) => other !== scene) }) : undefined}
          />
        ))}
      </ItemList>
      <Happenings {...props} />
      {adding === 'user' ? (
        <AddUser
          t={t}
          taken={people.map(({ id }) => id)}
          onClose={close}
          onAdd={(added) => {
            close()
            onChange({ users: [...users, added], user: added.id })
          }}
        />
      ) : null}
      {adding === 'scene' ? (
        <AddScene
          t={t}
          taken={scenes.map(({ channel }) => channelKey(channel))}
          onClose={close}
          onAdd={(added) => {
            close()
            onChange({ scenes: [...scenes, added], scene: channelKey(added.channel) })
          }}
        />
      ) : null}
    </div>
  )
}

interface ItemListProps {
  readonly title: string
  readonly addLabel: string
  readonly onAdd: () => void
  readonly children: preact.ComponentChildren
}

function ItemList({ title, addLabel, onAdd, children }: ItemListProps) {
  return (
    <section aria-label={title}>
      <header>
        <h2>{title}</h2>
        <button type="button" className="icon-button" aria-label={addLabel} title={addLabel} onClick={onAdd}>
          <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
            <path d="M8 3v10M3 8h10" />
          </svg>
        </button>
      </header>
      <ul>{children}</ul>
    </section>
  )
}

interface SelectableItemProps {
  readonly t: Translate
  readonly name: string
  readonly detail: string | undefined
  readonly current: boolean
  readonly unread?: number
  readonly onSelect: () => void
  readonly onRemove?: (() => void) | undefined
}

function SelectableItem({ t, name, detail, current, unread = 0, onSelect, onRemove }: SelectableItemProps) {
  return (
    <li>
      <button type="button" className="sb-choice" aria-pressed={current} onClick={onSelect}>
        <b>{name}</b> {detail === undefined ? null : <small>{detail}</small>}
        {unread > 0 ? (
          <em>
            <span aria-hidden="true">{unread}</span>
            <span className="sr">{t('unread', { count: unread })}</span>
          </em>
        ) : null}
      </button>
      {onRemove ? (
        <button
          type="button"
          className="icon-button"
          aria-label={t('remove', { name })}
          title={t('remove', { name })}
          onClick={onRemove}
        >
          <Icon name="close" />
        </button>
      ) : null}
    </li>
  )
}

interface SceneItemProps extends Omit<SelectableItemProps, 'name' | 'detail' | 'unread'> {
  readonly transcripts: TranscriptStore
  readonly scene: Scene
}

function SceneItem({ transcripts, scene, ...rest }: SceneItemProps) {
  const { unread } = useSyncExternalStore(transcripts.subscribe, () => transcripts.scene(scene.channel))
  const { type } = scene.channel
  return (
    <SelectableItem
      {...rest}
      name={scene.name}
      detail={type === 'private' ? undefined : rest.t(type === 'group' ? 'aGroup' : 'aChannel')}
      unread={unread}
    />
  )
}

const MAX_LENGTH = 512

/** Returns what is wrong with an id or a name. */
function inputError(t: Translate, value: string, taken = false): string | undefined {
  if (value === '') return t('required')
  if (value.length > MAX_LENGTH) return t('tooLong', { most: MAX_LENGTH })
  return taken ? t('taken') : undefined
}

interface AddProps<T> {
  readonly t: Translate
  readonly taken: readonly string[]
  readonly onAdd: (added: T) => void
  readonly onClose: () => void
}

function AddUser({ t, taken, onAdd, onClose }: AddProps<SandboxUser>) {
  const [id, setId] = useState('')
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const error = inputError(t, id.trim(), taken.includes(id.trim()))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setTried(true)
    if (!error) onAdd({ id: id.trim(), name: name.trim().slice(0, MAX_LENGTH) || id.trim(), custom: true })
  }
  return (
    <Dialog title={t('addPerson')} onClose={onClose}>
      <form className="sb-form" onSubmit={submit}>
        <Field label={t('id')} value={id} onInput={setId} mono required error={tried ? error : undefined} />
        <Field label={t('name')} value={name} onInput={setName} placeholder={id} />
        <FormActions t={t} label={t('add')} onClose={onClose} />
      </form>
    </Dialog>
  )
}

function AddScene({ t, taken, onAdd, onClose }: AddProps<Scene>) {
  const [type, setType] = useState<'group' | 'channel'>('group')
  const [id, setId] = useState('')
  const [name, setName] = useState('')
  const [guild, setGuild] = useState('town')
  const [tried, setTried] = useState(false)
  const title = name.trim().slice(0, MAX_LENGTH) || id.trim()
  const scene = type === 'group' ? groupScene(id.trim(), title) : channelScene(guild.trim(), id.trim(), title)
  const error = inputError(t, id.trim(), taken.includes(channelKey(scene.channel)))
  const guildError = type === 'channel' ? inputError(t, guild.trim()) : undefined
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setTried(true)
    if (!error && !guildError) onAdd(scene)
  }
  return (
    <Dialog title={t('addScene')} onClose={onClose}>
      <form className="sb-form" onSubmit={submit}>
        <Select
          label={t('kind')}
          value={type}
          options={[
            { value: 'group', label: t('group') },
            { value: 'channel', label: t('channel') },
          ]}
          onChange={setType}
        />
        {type === 'channel' ? (
          <Field
            label={t('guild')}
            value={guild}
            onInput={setGuild}
            mono
            required
            error={tried ? guildError : undefined}
          />
        ) : null}
        <Field label={t('id')} value={id} onInput={setId} mono required error={tried ? error : undefined} />
        <Field label={t('name')} value={name} onInput={setName} placeholder={id} />
        <FormActions t={t} label={t('add')} onClose={onClose} />
      </form>
    </Dialog>
  )
}

/** Shows the buttons at the end of a form in a dialog. */
export function FormActions({
  t,
  label,
  busy,
  onClose,
}: {
  readonly t: Translate
  readonly label: string
  readonly busy?: boolean
  readonly onClose: () => void
}) {
  return (
    <div className="sb-actions">
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind="primary" type="submit" {...(busy ? { busy } : {})}>
        {label}
      </Button>
    </div>
  )
}
