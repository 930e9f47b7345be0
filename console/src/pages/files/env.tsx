import { useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction, type Action } from '../../kit/use-action.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { useDraft } from '../../kit/use-draft.js'
import { joinList } from '../../kit/join-list.js'
import { useQuery } from '../../lib/router.js'
import { useResource, type Resource } from '../../lib/use-resource.js'
import { useOpenItem } from '../../lib/document-title.js'
import { Button, Dialog, PageHead, Select } from '../../ui/index.js'
import { Confirm, DraftBar, LazyEditor, Loaded, Segments, Stale, Workbench } from '../../ui/parts/index.js'
import { ApplyNow } from '../config/apply-now.js'
import { isVariable, parseEnv, writeEnv } from './model.js'
import './page.css'
import { t } from './texts.js'
import { Variables } from './variables.js'
import type { ComponentChildren } from 'preact'

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
  const kept = useDraft<string | undefined>(`env ${file}`, undefined, { secret: true })
  const { value: draft, set: setDraft } = kept
  const [asking, setAsking] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const { has } = useCatalogue()
  const now = draft ?? content.data ?? ''
  const dirty = draft !== undefined && draft !== content.data
  const save = useAction(async () => {
    await host().rpc('env:save', { filename: file, content: now })
    if (has('config:apply')) setSaved(true)
    else toast(t('envNextStart', { name: file }), 'ok')
    kept.clear()
    setAsking(false)
    content.reload()
  })
  useShortcuts({
    'Ctrl+s': () => {
      if (dirty) setAsking(true)
    },
  })
  const { changed, before } = envChanges(content, now)
  return (
    <Workbench
      open
      head={<EnvHead stale={stale} file={file} onFile={onFile} files={files} text={text} onMode={onMode} />}
      bar={
        dirty ? (
          <DraftBar
            changes={changed.length > 0 ? t('envChanges', { count: changed.length }) : t('envText')}
            onDiscard={() => kept.clear()}
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
      <SaveDialog asking={asking} file={file} save={save} onAsk={setAsking} changed={changed} />
      {isSaved ? (
        <Dialog
          title={t('envSaved', { name: file })}
          onClose={() => setSaved(false)}
          actions={<Button onClick={() => setSaved(false)}>{t('close')}</Button>}
        >
          <ApplyNow />
        </Dialog>
      ) : null}
    </Workbench>
  )
}

function envChanges(content: Resource<string>, text: string) {
  const before = new Map(
    parseEnv(content.data ?? '')
      .filter(isVariable)
      .map((line) => [line.name, line.value]),
  )
  const after = new Map(
    parseEnv(text)
      .filter(isVariable)
      .map((line) => [line.name, line.value]),
  )
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  )
  return { changed, before }
}

interface SaveDialogProps {
  readonly asking: boolean
  readonly file: string
  readonly save: Action<[]>
  readonly onAsk: (asking: false) => void
  readonly changed: string[]
}

function SaveDialog({ asking, file, save, onAsk, changed }: SaveDialogProps) {
  return asking ? (
    <Confirm
      title={t('envReview', { name: file })}
      action={t('envSave')}
      saves
      busy={save.busy}
      onClose={() => onAsk(false)}
      onConfirm={() => save.run()}
    >
      <p>{changed.length > 0 ? joinList(changed) : t('envText')}</p>
      <p class="muted">{t('nextStart')}</p>
    </Confirm>
  ) : null
}

interface EnvHeadProps {
  readonly stale: ComponentChildren
  readonly file: string
  readonly onFile: (file: string) => void
  readonly files: readonly string[]
  readonly text: boolean
  readonly onMode: (mode: string) => void
}

function EnvHead({ stale, file, onFile, files, text, onMode }: EnvHeadProps) {
  return (
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
  )
}
