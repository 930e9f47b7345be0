import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useDraft } from '../../kit/use-draft.js'
import { useAction, type Action } from '../../kit/use-action.js'
import { Button, Field, Icon } from '../../ui/index.js'
import { Confirm, KeptNote, TextArea } from '../../ui/parts/index.js'
import type { Row } from './model.js'
import { t } from './texts.js'

export interface Entry {
  readonly key: string
  readonly value: unknown
  readonly expiresAt?: number
}

interface EditorProps {
  readonly table: string
  readonly kv: boolean
  readonly writable: boolean
  readonly entry: Entry | undefined
  readonly onClose: () => void
  readonly onChanged: () => void
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Saves and removes one entry of a key-value table, or one document. */
function useEntryActions({ table, kv, entry, onChanged }: EditorProps, forget: () => void) {
  const save = useAction(async (key: string, value: unknown, ttl: number | undefined) => {
    if (kv) await host().rpc('db:kv:set', { table, key, value, ...(ttl === undefined ? {} : { ttl }) })
    else if (entry) await host().rpc('db:update', { table, row: value as Row, where: { id: entry.key } })
    else await host().rpc('db:insert', { table, row: { ...(value as Row), ...(key ? { id: key } : {}) } })
    forget()
    toast(kv ? t('keySaved', { key }) : t('documentSaved'), 'ok')
    onChanged()
  }, 'here')
  const remove = useAction(async () => {
    if (!entry) return
    await (kv
      ? host().rpc('db:kv:delete', { table, key: entry.key })
      : host().rpc('db:delete', { table, where: { id: entry.key } }))
    toast(kv ? t('keyGone', { key: entry.key }) : t('documentGone'), 'ok')
    onChanged()
  })
  return { save, remove }
}

const isFields = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

function beginningOf(entry: Entry | undefined, kv: boolean) {
  const empty = kv ? '""' : '{\n  \n}'
  return { key: entry?.key ?? '', text: entry ? JSON.stringify(entry.value, null, 2) : empty, ttl: '' }
}

export function EntryEditor(props: EditorProps) {
  const { table, kv, writable, entry, onClose } = props
  const draft = useDraft(`entry ${table} ${entry?.key ?? ''}`, beginningOf(entry, kv))
  const { key, text, ttl } = draft.value
  const set = (change: Partial<typeof draft.value>): void => draft.set((now) => ({ ...now, ...change }))
  const [asking, setAsking] = useState(false)
  const { save, remove } = useEntryActions(props, draft.clear)
  const parsed = parse(text)
  const fits = parsed !== undefined && (kv || isFields(parsed.value))
  const ready = fits && (!kv || key.trim() !== '')
  const submit = (): void => {
    if (ready) save.run(key, parsed.value, /^\d{1,9}$/.test(ttl) && Number(ttl) > 0 ? Number(ttl) : undefined)
  }
  const newTitle = t(kv ? 'newKey' : 'newDocument')
  return (
    <form
      class="entry-editor"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <EntryHead entry={entry} kv={kv} newTitle={newTitle} onClose={onClose} />
      {entry ? null : <Field mono label={kv ? t('entry') : 'id'} value={key} onInput={(next) => set({ key: next })} />}
      <KeptNote draft={draft} />
      <TextArea
        mono
        rows={12}
        label={t('json')}
        value={text}
        onInput={(next) => set({ text: next })}
        error={fits ? save.failure : t('jsonBad')}
        onSubmit={submit}
      />
      {kv && writable ? (
        <Field label={t('ttl')} hint={t('ttlHint')} type="number" value={ttl} onInput={(next) => set({ ttl: next })} />
      ) : null}
      <EntryButtons writable={writable} save={save} ready={ready} entry={entry} onAsk={setAsking} />
      <RemoveDialog asking={asking} entry={entry} kv={kv} remove={remove} onAsk={setAsking} />
    </form>
  )
}

interface EntryHeadProps {
  readonly entry: Entry | undefined
  readonly kv: boolean
  readonly newTitle: string
  readonly onClose: () => void
}

function EntryHead({ entry, kv, newTitle, onClose }: EntryHeadProps) {
  return (
    <header class="row">
      <h2 class="grow">{entry ? t(kv ? 'keyTitle' : 'documentTitle', { key: entry.key }) : newTitle}</h2>
      <button type="button" class="icon-button" aria-label={t('close')} onClick={onClose}>
        <Icon name="close" />
      </button>
    </header>
  )
}

interface EntryButtonsProps {
  readonly writable: boolean
  readonly save: Action<[key: string, value: unknown, ttl: number | undefined]>
  readonly ready: boolean
  readonly entry: Entry | undefined
  readonly onAsk: (asking: boolean) => void
}

function EntryButtons({ writable, save, ready, entry, onAsk }: EntryButtonsProps) {
  return writable ? (
    <p class="row">
      <Button kind="primary" type="submit" busy={save.busy} {...(ready ? save.blocked : { disabled: true })}>
        {t('save')}
      </Button>
      {entry ? (
        <Button kind="danger" onClick={() => onAsk(true)}>
          {t('remove')}
        </Button>
      ) : null}
    </p>
  ) : null
}

interface RemoveDialogProps {
  readonly asking: boolean
  readonly entry: Entry | undefined
  readonly kv: boolean
  readonly remove: Action<[]>
  readonly onAsk: (asking: boolean) => void
}

function RemoveDialog({ asking, entry, kv, remove, onAsk }: RemoveDialogProps) {
  return asking && entry ? (
    <Confirm
      danger
      title={t(kv ? 'keyAsk' : 'documentAsk', { key: entry.key })}
      action={t('keyDo')}
      busy={remove.busy}
      onClose={() => onAsk(false)}
      onConfirm={() => remove.run()}
    >
      <p>{t('keyText')}</p>
    </Confirm>
  ) : null
}
