// Environment files: variables with their values hidden, or the file as text.
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction } from '../../kit/use-action.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { useLeaveGuard } from '../../kit/use-leave-guard.js'
import { joinList } from '../../kit/join-list.js'
import { useQuery } from '../../lib/router.js'
import { useResource } from '../../lib/use-resource.js'
import { useOpenItem } from '../../lib/document-title.js'
import { Button, EmptyState, Icon, PageHead, Select } from '../../ui/index.js'
import { Confirm, DraftBar, LazyEditor, Loaded, Segments, Stale, Workbench } from '../../ui/parts/index.js'
import { isVariable, parseEnv, writeEnv } from './model.js'
import './page.css'
import { t } from './texts.js'

const NAME = /^[A-Za-z_]\w{0,127}$/

export function EnvPage() {
  const query = useQuery({ file: '', mode: 'table' })
  const list = useResource<string[]>('env:list', async (signal) => (await host().rpc('env:list', {}, { signal })).files)
  const file = list.data?.find((name) => name === query.values.file) ?? list.data?.[0]
  useOpenItem(file)
  if (list.data === undefined)
    return (
      <>
        <PageHead title={t('page.env')} />
        <Loaded resource={list}>{() => null}</Loaded>
      </>
    )
  return (
    <Loaded resource={list}>
      {(files) => (
        <EnvFile
          key={file}
          file={file ?? '.env'}
          files={files}
          text={query.values.mode === 'text'}
          stale={<Stale resource={list} />}
          onFile={(name) => query.set({ file: name })}
          onMode={(mode) => query.set({ mode })}
        />
      )}
    </Loaded>
  )
}

interface EnvProps {
  readonly file: string
  readonly files: readonly string[]
  readonly text: boolean
  readonly stale: preact.ComponentChildren
  readonly onFile: (file: string) => void
  readonly onMode: (mode: string) => void
}

function EnvFile({ file, files, text, stale, onFile, onMode }: EnvProps) {
  const content = useResource<string>(
    `env:get ${file}`,
    async (signal) => (await host().rpc('env:get', { filename: file }, { signal })).content,
    'env:get',
  )
  // A draft of secrets lives as long as the page and nowhere else.
  const [draft, setDraft] = useState<string>()
  const [asking, setAsking] = useState(false)
  const now = draft ?? content.data ?? ''
  const dirty = draft !== undefined && draft !== content.data
  useLeaveGuard(dirty)
  const save = useAction(async () => {
    await host().rpc('env:save', { filename: file, content: now })
    toast(t('envSaved', { name: file }), 'ok')
    setDraft(undefined)
    setAsking(false)
    content.reload()
  })
  useShortcuts({
    'Ctrl+s': () => {
      if (dirty) setAsking(true)
    },
  })
  const before = new Map(
    parseEnv(content.data ?? '')
      .filter(isVariable)
      .map((line) => [line.name, line.value]),
  )
  const after = new Map(
    parseEnv(now)
      .filter(isVariable)
      .map((line) => [line.name, line.value]),
  )
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  )
  return (
    <Workbench
      open
      head={
        <PageHead
          title={t('page.env')}
          fact={
            <>
              <span>{t('envFact')}</span> {stale}
            </>
          }
          actions={
            <>
              <Select
                compact
                label={t('file')}
                value={file}
                onChange={onFile}
                options={files.map((name) => ({ value: name, label: name }))}
              />
              <Segments
                label={t('mode')}
                value={text ? 'text' : 'table'}
                onChange={onMode}
                options={[
                  { value: 'table', label: t('table') },
                  { value: 'text', label: t('text') },
                ]}
              />
            </>
          }
        />
      }
      bar={
        dirty ? (
          <DraftBar
            changes={changed.length > 0 ? t('envChanges', { count: changed.length }) : t('envText')}
            onDiscard={() => setDraft(undefined)}
            onReview={() => setAsking(true)}
            reviewLabel={t('envSave')}
            blocked={save.blocked}
            busy={save.busy}
          >
            {joinList(changed)}
          </DraftBar>
        ) : undefined
      }
    >
      <Loaded resource={content}>
        {() =>
          text ? (
            <LazyEditor label={file} language="env" value={now} onChange={setDraft} />
          ) : (
            <div class="inner">
              <Variables
                key={file}
                text={now}
                before={before}
                onChange={(changes) => setDraft(writeEnv(parseEnv(now), changes))}
              />
            </div>
          )
        }
      </Loaded>
      {asking ? (
        <Confirm
          title={t('envReview', { name: file })}
          action={t('envSave')}
          busy={save.busy}
          onClose={() => setAsking(false)}
          onConfirm={() => save.run()}
        >
          <p>{changed.length > 0 ? joinList(changed) : t('envText')}</p>
          <p class="muted">{t('nextStart')}</p>
        </Confirm>
      ) : null}
    </Workbench>
  )
}

interface VariablesProps {
  readonly text: string
  readonly before: ReadonlyMap<string, string>
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void
}

function Variables({ text, before, onChange }: VariablesProps) {
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set())
  const [name, setName] = useState('')
  const lines = parseEnv(text).filter(isVariable)
  const names = new Set(lines.map((line) => line.name))
  const gone = [...before.keys()].filter((item) => !names.has(item))
  const toggle = (item: string): void => {
    const next = new Set(shown)
    if (!next.delete(item)) next.add(item)
    setShown(next)
  }
  const add = (): void => {
    if (!NAME.test(name) || names.has(name)) return
    onChange({ [name]: '' })
    setShown(new Set([...shown, name]))
    setName('')
  }
  return (
    <>
      {lines.length === 0 && gone.length === 0 ? (
        <EmptyState title={t('noVariables')} />
      ) : (
        <div class="table env-table">
          <table>
            <caption class="sr">{t('envTitle')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('name')}</th>
                <th scope="col">{t('value')}</th>
                <th scope="col">
                  <span class="sr">{t('actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={line.name} class={before.get(line.name) === line.value ? undefined : 'changed'}>
                  <th scope="row">
                    <code>{line.name}</code>
                  </th>
                  <td>
                    <div class="control">
                      <input
                        class="mono"
                        type={(shown.has(line.name) ? 'text' : 'password') as 'text'}
                        aria-label={line.name}
                        autocomplete="off"
                        spellcheck={false}
                        value={line.value}
                        onInput={(event) => onChange({ [line.name]: event.currentTarget.value })}
                      />
                      <button
                        type="button"
                        class="icon-button"
                        aria-pressed={shown.has(line.name)}
                        aria-label={t(shown.has(line.name) ? 'hidden' : 'shown', { name: line.name })}
                        onClick={() => toggle(line.name)}
                      >
                        <Icon name="eye" />
                      </button>
                    </div>
                  </td>
                  <td class="num">
                    <button
                      type="button"
                      class="icon-button"
                      aria-label={t('remove', { name: line.name })}
                      title={t('remove', { name: line.name })}
                      onClick={() => onChange({ [line.name]: undefined })}
                    >
                      <Icon name="close" />
                    </button>
                  </td>
                </tr>
              ))}
              {gone.map((item) => (
                <tr key={item} class="removed">
                  <th scope="row">
                    <code>
                      <s>{item}</s>
                    </code>
                  </th>
                  <td />
                  <td class="num">
                    <button type="button" class="linkish" onClick={() => onChange({ [item]: before.get(item) })}>
                      {t('undo', { name: item })}
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <div class="control env-new">
          <input
            class="mono"
            aria-label={`${t('add')}: ${t('name')}`}
            placeholder="NAME"
            value={name}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </div>
        <Button type="submit" disabled={!NAME.test(name) || names.has(name)} title={t('badName')}>
          {t('add')}
        </Button>
      </form>
    </>
  )
}
