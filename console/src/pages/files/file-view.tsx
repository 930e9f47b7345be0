// One open file: read, edited as a draft, compared, saved where nobody else has changed it.
import type { FileTreeNode } from '@mynah/contract/types'
import { FILE_READ_LIMIT } from '@mynah/contract/wire'
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { diffSize, lineDiff } from '../../kit/diff.js'
import { useAction } from '../../kit/use-action.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { bytes } from '../../lib/format.js'
import { modifier } from '../../lib/modifier.js'
import { useResource } from '../../lib/use-resource.js'
import { useStore } from '../../lib/use-store.js'
import { Button, Dialog, EmptyState, Icon, Notice } from '../../ui/index.js'
import { DiffView } from '../../ui/parts/diff-view.js'
import { LazyEditor, Loaded } from '../../ui/parts/index.js'
import { draftsOf, putDraft } from './drafts.js'
import { endingOf, nameOf } from './model.js'
import { t } from './texts.js'

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
}

export function FileView({ path, node, onBack, onSaved }: FileProps) {
  const big = (node?.size ?? 0) > FILE_READ_LIMIT
  const drafts = useStore(draftsOf())
  const draft = drafts[path]
  const made = draft !== undefined && draft.etag === ''
  const file = useResource<Read>(
    `files:read ${path}`,
    async (signal) => {
      if (big) return { content: '', size: node?.size ?? 0, etag: '' }
      return made ? { content: '', size: 0, etag: '' } : host().rpc('files:read', { filePath: path }, { signal })
    },
    'files:read',
  )
  const [caret, setCaret] = useState({ line: 1, column: 1 })
  const [showing, setShowing] = useState<'changes' | 'compare'>()
  const text = draft?.text ?? file.data?.content ?? ''
  const base = draft?.base ?? file.data?.content ?? ''
  const conflict = draft !== undefined && file.data !== undefined && !made && draft.etag !== file.data.etag
  const dirty = draft !== undefined
  const save = useAction(async () => {
    const etag = draft?.etag || undefined
    await host()
      .rpc('files:save', { filePath: path, content: text, ...(etag === undefined ? {} : { etag }) })
      .catch((error: unknown) => {
        // The newer file is read, so that both can be seen.
        if ((error as { code?: unknown } | null)?.code === 'conflict') file.reload()
        throw error
      })
    const saved = await host().rpc('files:read', { filePath: path })
    putDraft(path, undefined)
    toast(t('saved', { name: nameOf(path) }), 'ok')
    setShowing(undefined)
    file.reload()
    onSaved()
    return saved
  })
  const submit = (): void => {
    if (dirty && !conflict) save.run()
  }
  useShortcuts({ 'Ctrl+s': submit })
  const edit = (next: string): void => {
    if (next === text) return
    putDraft(path, { base, etag: draft?.etag ?? file.data?.etag ?? '', text: next })
  }
  const size = dirty ? diffSize(lineDiff(base, text, 0)) : undefined
  if (big)
    return (
      <EmptyState title={t('bigTitle')} action={<Button onClick={onBack}>{t('back')}</Button>}>
        {t('bigText', { name: nameOf(path), size: bytes(node?.size ?? 0) })}
      </EmptyState>
    )
  return (
    <>
      {conflict ? (
        <div class="strip-line warn" role="alert">
          <span class="grow amber">{t('changed')}</span>
          <Button onClick={() => setShowing('compare')}>{t('compare')}</Button>
          <Button
            kind="quiet"
            onClick={() => putDraft(path, { base: file.data?.content ?? '', etag: file.data?.etag ?? '', text })}
          >
            {t('keepMine')}
          </Button>
          <Button kind="quiet" onClick={() => putDraft(path, undefined)}>
            {t('takeTheirs')}
          </Button>
        </div>
      ) : null}
      {file.failure && file.data === undefined && file.failure.kind === 'host' && !made ? (
        <div class="inner">
          <Notice tone="warn" title={t('refusedRead')} actions={<Button onClick={file.reload}>{t('refresh')}</Button>}>
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
              onChange={edit}
              onCaret={(line, column) => setCaret({ line, column })}
            />
          )}
        </Loaded>
      )}
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
            <Button kind="quiet" onClick={() => setShowing('changes')}>
              {t('show')}
            </Button>
            <Button kind="quiet" onClick={() => putDraft(path, undefined)}>
              {t('discard')}
            </Button>
          </>
        ) : null}
        <Button
          kind="primary"
          busy={save.busy}
          {...(dirty && !conflict ? save.blocked : { disabled: true, title: t(conflict ? 'changed' : 'nothing') })}
          onClick={submit}
        >
          {t('save')} <kbd class="on-accent">{modifier()} S</kbd>
        </Button>
      </footer>
      {showing ? (
        <Dialog
          title={t(showing === 'compare' ? 'compareTitle' : 'changesTitle', { name: nameOf(path) })}
          onClose={() => setShowing(undefined)}
          actions={
            showing === 'changes' ? (
              <Button
                kind="primary"
                busy={save.busy}
                {...(conflict ? { disabled: true, title: t('changed') } : save.blocked)}
                onClick={submit}
              >
                {t('save')}
              </Button>
            ) : undefined
          }
        >
          <DiffView before={showing === 'compare' ? (file.data?.content ?? '') : base} after={text} />
        </Dialog>
      ) : null}
    </>
  )
}
