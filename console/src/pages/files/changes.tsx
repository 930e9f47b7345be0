import type { FileTreeNode } from '@mynah/contract/types'
import { FILE_TRANSFER_LIMIT } from '@mynah/contract/wire'
import { useRef, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { useAction } from '../../kit/use-action.js'
import { bytes } from '../../lib/format.js'
import { Button, Field, Icon, Select } from '../../ui/index.js'
import { Confirm } from '../../ui/parts/index.js'
import { t } from './change-texts.js'
import { moveDrafts } from './drafts.js'
import { findNode, foldersIn, isPath, nameOf } from './model.js'
import { base64Of } from './transfer.js'

export type FileChange =
  | { readonly kind: 'upload'; readonly folder: string; readonly files: readonly File[] }
  | { readonly kind: 'move'; readonly from: string; readonly to: string }
  | { readonly kind: 'folder'; readonly path: string }

export interface ChangeProps {
  readonly change: FileChange
  readonly tree: readonly FileTreeNode[]
  readonly onClose: () => void
  /** Takes the new path, and after a move the former one. */
  readonly onDone: (path: string, former?: string) => void
}

/** The dialog of a change. */
export function ChangeDialog({ change, ...props }: ChangeProps) {
  if (change.kind === 'upload') return <UploadDialog {...props} {...change} />
  if (change.kind === 'move') return <MoveDialog {...props} {...change} />
  return <FolderDialog {...props} {...change} />
}

type Common = Omit<ChangeProps, 'change'>

const within = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

function UploadDialog({
  folder: first,
  files: dropped,
  tree,
  onClose,
  onDone,
}: Common & { readonly folder: string; readonly files: readonly File[] }) {
  const [folder, setFolder] = useState(first)
  const [files, setFiles] = useState(dropped)
  const upload = useAction(async () => {
    for (const file of sendable) {
      const filePath = within(folder, file.name)
      const replace = findNode(tree, filePath) !== undefined
      await host().rpc('files:upload', { filePath, base64: await base64Of(file), ...(replace ? { replace } : {}) })
      // A sent file is not sent again where a later one fails.
      setFiles((left) => left.filter((item) => item !== file))
    }
    toast(t('uploaded', { count: sendable.length }), 'ok')
    onDone(sendable.length === 1 ? within(folder, sendable[0]?.name ?? '') : folder)
  })
  const noteOf = (file: File): { readonly text: string; readonly bad: boolean } | undefined => {
    if (file.size > FILE_TRANSFER_LIMIT) return { text: t('tooBig'), bad: true }
    if (!isPath(file.name) || file.name.includes('/')) return { text: t('badName'), bad: true }
    const there = findNode(tree, within(folder, file.name))
    if (!there) return undefined
    return there.type === 'directory' ? { text: t('isFolder'), bad: true } : { text: t('replaces'), bad: false }
  }
  const sendable = files.filter((file) => noteOf(file)?.bad !== true)
  const add = (more: readonly File[]): void =>
    setFiles((former) => [...former.filter((file) => !more.some(({ name }) => name === file.name)), ...more])
  return (
    <Confirm
      title={t('uploadTitle')}
      action={t('upload', { count: sendable.length })}
      disabled={sendable.length === 0}
      busy={upload.busy}
      onClose={onClose}
      onConfirm={() => upload.run()}
    >
      <Select
        label={t('folder')}
        value={folder}
        onChange={setFolder}
        options={['', ...foldersIn(tree)].map((path) => ({ value: path, label: path || t('top') }))}
      />
      <DropZone onFiles={add} />
      {files.length === 0 ? <p class="muted">{t('none')}</p> : null}
      <ul class="upload-list">
        {files.map((file) => {
          const note = noteOf(file)
          return (
            <li key={file.name}>
              <span class="name">{file.name}</span>
              <span class={note?.bad ? 'bad' : 'amber'}>{note?.text}</span>
              <small class="muted">{bytes(file.size)}</small>
              <button
                type="button"
                class="icon-button"
                aria-label={t('leave', { name: file.name })}
                onClick={() => setFiles(files.filter((item) => item !== file))}
              >
                <Icon name="close" />
              </button>
            </li>
          )
        })}
      </ul>
    </Confirm>
  )
}

function DropZone({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div
      class="drop-zone"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        onFiles([...(event.dataTransfer?.files ?? [])])
      }}
    >
      <Button onClick={() => input.current?.click()}>{t('pick')}</Button>
      <span class="muted">{t('drop')}</span>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('pick')}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}

function MoveDialog({
  from,
  to: first,
  tree,
  onClose,
  onDone,
}: Common & { readonly from: string; readonly to: string }) {
  const [to, setTo] = useState(first)
  const move = useAction(async () => {
    await host().rpc('files:move', { from, to })
    moveDrafts(from, to)
    toast(t('moved', { from, to }), 'ok')
    onDone(to, from)
  })
  const problem = moveProblem(tree, from, to)
  return (
    <Confirm
      title={t('moveTitle', { name: nameOf(from) })}
      action={t('move')}
      disabled={to === from || problem !== undefined}
      busy={move.busy}
      onClose={onClose}
      onConfirm={() => move.run()}
    >
      <PathForm
        label={t('to')}
        hint={t('toHint')}
        value={to}
        onInput={setTo}
        error={problem}
        onSubmit={() => move.run()}
      />
    </Confirm>
  )
}

function moveProblem(tree: readonly FileTreeNode[], from: string, to: string): string | undefined {
  if (to === from) return undefined
  if (!isPath(to)) return t('badPath')
  if (to.startsWith(`${from}/`)) return t('into')
  return findNode(tree, to) ? t('taken') : undefined
}

function FolderDialog({ path: first, tree, onClose, onDone }: Common & { readonly path: string }) {
  const [path, setPath] = useState(first)
  const make = useAction(async () => {
    await host().rpc('files:make-folder', { folderPath: path })
    toast(t('made', { name: path }), 'ok')
    onDone(path)
  })
  const typed = path !== first
  const taken = findNode(tree, path) ? t('taken') : undefined
  const problem = isPath(path) ? taken : t('badPath')
  return (
    <Confirm
      title={t('folderTitle')}
      action={t('make')}
      disabled={problem !== undefined}
      busy={make.busy}
      onClose={onClose}
      onConfirm={() => make.run()}
    >
      <PathForm
        label={t('path')}
        hint={t('pathHint')}
        value={path}
        onInput={setPath}
        error={typed ? problem : undefined}
        onSubmit={() => make.run()}
        blocked={problem !== undefined}
      />
    </Confirm>
  )
}

interface PathFormProps {
  readonly label: string
  readonly hint: string
  readonly value: string
  readonly onInput: (value: string) => void
  readonly error: string | undefined
  readonly onSubmit: () => void
  readonly blocked?: boolean
}

function PathForm({ label, hint, value, onInput, error, onSubmit, blocked = false }: PathFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!error && !blocked) onSubmit()
      }}
    >
      <Field mono label={label} hint={hint} value={value} onInput={onInput} error={error} />
    </form>
  )
}
