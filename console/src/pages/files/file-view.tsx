import type { FileTreeNode } from '@mynah/contract/types'
import { FILE_READ_LIMIT } from '@mynah/contract/wire'
import { useEffect, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { diffSize, lineDiff } from '../../kit/diff.js'
import { useAction } from '../../kit/use-action.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { bytes } from '../../lib/format.js'
import { modifier } from '../../lib/modifier.js'
import { resources } from '../../lib/resources.js'
import { useResource } from '../../lib/use-resource.js'
import { useStore } from '../../lib/use-store.js'
import { Button, Dialog, EmptyState, Icon, Notice } from '../../ui/index.js'
import { DiffView } from '../../ui/parts/diff-view.js'
import { LazyEditor, Loaded } from '../../ui/parts/index.js'
import { draftsOf, putDraft } from './drafts.js'
import { endingOf, nameOf } from './model.js'
import { t } from './texts.js'
import { downloadFile } from './transfer.js'

interface Read {
  readonly content: string
  readonly size: number
  readonly etag: string
}
interface FileProps {
  readonly path: string
  readonly node: FileTreeNode | undefined
  readonly onBack: () => void
  readonly onSaved: () => void
  /** Shows a text that is a picture, too. */
  readonly onMedia: (() => void) | undefined
}

export function FileView({ path, node, onBack, onSaved, onMedia }: FileProps) {
  const edited = useFile(path, node, onSaved)
  const { file, text, isNew, isTooBig, hasConflict, dirty, save } = edited
  const [caret, setCaret] = useState({ line: 1, column: 1 })
  const [showing, setShowing] = useState<'changes' | 'compare'>()
  const submit = (): void => {
    if (dirty && !hasConflict) save.run(() => setShowing(undefined))
  }
  useShortcuts({ 'Ctrl+s': submit })
  if (isTooBig)
    return (
      <EmptyState
        title={t('bigTitle')}
        action={
          <>
            <Button onClick={onBack}>{t('back')}</Button> <DownloadButton path={path} />
          </>
        }
      >
        {t('bigText', { name: nameOf(path), size: bytes(node?.size ?? 0) })}
      </EmptyState>
    )
  const isRefused = file.failure?.kind === 'host' && file.data === undefined && !isNew
  return (
    <>
      {hasConflict ? (
        <Conflict onCompare={() => setShowing('compare')} onKeep={edited.keepMine} onDiscard={edited.discard} />
      ) : null}
      {isRefused && file.failure ? (
        <div class="inner">
          <Notice
            tone="warn"
            title={t('refusedRead')}
            actions={
              <>
                <Button onClick={file.reload}>{t('refresh')}</Button> <DownloadButton path={path} />
              </>
            }
          >
            {file.failure.text}
          </Notice>
        </div>
      ) : (
        <Loaded resource={file} rows={10}>
          {() => (
            <LazyEditor
              label={path}
              language={endingOf(path)}
              value={text}
              onChange={edited.edit}
              onCaret={(line, column) => setCaret({ line, column })}
            />
          )}
        </Loaded>
      )}
      <Foot
        path={path}
        file={edited}
        caret={caret}
        onBack={onBack}
        onShow={() => setShowing('changes')}
        onSave={submit}
        onMedia={onMedia}
      />
      {showing ? (
        <FileDiff path={path} file={edited} showing={showing} onClose={() => setShowing(undefined)} onSave={submit} />
      ) : null}
    </>
  )
}

interface FileDiffProps {
  readonly path: string
  readonly file: ReturnType<typeof useFile>
  readonly showing: 'changes' | 'compare'
  readonly onClose: () => void
  readonly onSave: () => void
}

/** Shows the changes of the draft, or compares it with the version on the host. */
function FileDiff({ path, file, showing, onClose, onSave }: FileDiffProps) {
  const { text, base, hasConflict, save } = file
  const compares = showing === 'compare'
  return (
    <Dialog
      title={t(compares ? 'compareTitle' : 'changesTitle', { name: nameOf(path) })}
      onClose={onClose}
      actions={
        compares ? undefined : (
          <Button
            kind="primary"
            busy={save.busy}
            {...(hasConflict ? { disabled: true, title: t('changed') } : save.blocked)}
            onClick={onSave}
          >
            {t('save')}
          </Button>
        )
      }
    >
      <DiffView before={compares ? (file.file.data?.content ?? '') : base} after={text} />
    </Dialog>
  )
}

/** Reads a file and keeps its draft, which is saved only over the version that it began from. */
function useFile(path: string, node: FileTreeNode | undefined, onSaved: () => void) {
  const isTooBig = (node?.size ?? 0) > FILE_READ_LIMIT
  const draft = useStore(draftsOf())[path]
  const isNew = draft !== undefined && draft.etag === ''
  const file = useResource<Read>(
    `files:read ${path}`,
    async (signal) => {
      if (isTooBig) return { content: '', size: node?.size ?? 0, etag: '' }
      return isNew ? { content: '', size: 0, etag: '' } : host().rpc('files:read', { filePath: path }, { signal })
    },
    'files:read',
  )
  useEffect(() => {
    // No event reports a file that is changed elsewhere, so it is read again when one comes back to the window.
    const look = (): void => {
      if (draftsOf().get()[path]) resources.reload(`files:read ${path}`)
    }
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [path])
  const current = file.data ?? { content: '', etag: '' }
  const { text, base } = draft ?? { text: current.content, base: current.content }
  const save = useAction(async (done: () => void) => {
    const etag = draft?.etag || undefined
    await host()
      .rpc('files:save', { filePath: path, content: text, ...(etag === undefined ? {} : { etag }) })
      .catch((error: unknown) => {
        // Load the newer version, so that both can be compared.
        if ((error as { code?: unknown } | null)?.code === 'conflict') file.reload()
        throw error
      })
    const saved = await host().rpc('files:read', { filePath: path })
    putDraft(path, undefined)
    toast(t('saved', { name: nameOf(path) }), 'ok')
    done()
    file.reload()
    onSaved()
    return saved
  })
  return {
    file,
    text,
    base,
    isNew,
    isTooBig,
    save,
    dirty: draft !== undefined,
    hasConflict: draft !== undefined && file.data !== undefined && !isNew && draft.etag !== file.data.etag,
    edit: (next: string): void => {
      // People type faster than the page renders, so the last draft counts, not the shown one.
      const last = draftsOf().get()[path]
      putDraft(path, { base: last?.base ?? current.content, etag: last?.etag ?? current.etag, text: next })
    },
    keepMine: () => putDraft(path, { base: current.content, etag: current.etag, text }),
    discard: () => putDraft(path, undefined),
  }
}

interface ConflictProps {
  readonly onCompare: () => void
  readonly onKeep: () => void
  readonly onDiscard: () => void
}

function Conflict({ onCompare, onKeep, onDiscard }: ConflictProps) {
  return (
    <div class="strip-line warn" role="alert">
      <span class="grow amber">{t('changed')}</span>
      <Button onClick={onCompare}>{t('compare')}</Button>
      <Button kind="quiet" onClick={onKeep}>
        {t('keepMine')}
      </Button>
      <Button kind="quiet" onClick={onDiscard}>
        {t('takeTheirs')}
      </Button>
    </div>
  )
}

interface FootProps {
  readonly path: string
  readonly file: ReturnType<typeof useFile>
  readonly caret: { readonly line: number; readonly column: number }
  readonly onBack: () => void
  readonly onShow: () => void
  readonly onSave: () => void
  readonly onMedia: (() => void) | undefined
}

function DownloadButton({ path }: { readonly path: string }) {
  const download = useAction(() => downloadFile(path))
  return (
    <Button kind="quiet" busy={download.busy} onClick={() => download.run()}>
      {t('download')}
    </Button>
  )
}

function Foot({ path, file, caret, onBack, onShow, onSave, onMedia }: FootProps) {
  const { text, base, isNew, dirty, hasConflict, save } = file
  const size = dirty ? diffSize(lineDiff(base, text, 0)) : undefined
  return (
    <footer class="file-foot">
      <span class="back-to-list">
        <button type="button" class="icon-button" aria-label={t('back')} onClick={onBack}>
          <Icon name="back" />
        </button>
      </span>
      <code class="muted">{path}</code>
      <span class="muted">{t('size', { size: bytes(new Blob([text]).size) })}</span>
      <span class="grow" />
      <span class="muted" role="status">
        {size ? t('linesChanged', size) : t('clean')}
      </span>
      <span class="muted caret">{t('caret', { line: String(caret.line), column: String(caret.column) })}</span>
      {dirty ? (
        <>
          <Button kind="quiet" onClick={onShow}>
            {t('show')}
          </Button>
          <Button kind="quiet" onClick={file.discard}>
            {t('discard')}
          </Button>
        </>
      ) : null}
      {onMedia && !dirty ? (
        <Button kind="quiet" onClick={onMedia}>
          {t('asPicture')}
        </Button>
      ) : null}
      {isNew ? null : <DownloadButton path={path} />}
      <Button
        kind="primary"
        busy={save.busy}
        {...(dirty && !hasConflict ? save.blocked : { disabled: true, title: t(hasConflict ? 'changed' : 'nothing') })}
        onClick={onSave}
      >
        {t('save')} <kbd class="on-accent">{modifier()} S</kbd>
      </Button>
    </footer>
  )
}
