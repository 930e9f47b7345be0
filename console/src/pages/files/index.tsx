import type { FileTreeNode } from '@mynah/contract/types'
import { useEffect, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useQuery } from '../../lib/router.js'
import { useResource, type Resource } from '../../lib/use-resource.js'
import { useStore } from '../../lib/use-store.js'
import { useOpenItem } from '../../lib/document-title.js'
import { Button, EmptyState, Field, Icon, PageHead } from '../../ui/index.js'
import { Confirm, Loaded, Stale, Workbench } from '../../ui/parts/index.js'
import { draftsOf, putDraft } from './drafts.js'
import { FileView } from './file-view.js'
import { findNode, isPath, nameOf, parentsOf, rowsOf, type FileDraft } from './model.js'
import './page.css'
import { t } from './texts.js'
import { FileTree } from './tree.js'

export function FilesPage() {
  const query = useQuery({ path: '' })
  const { path } = query.values
  useOpenItem(path)
  const tree = useResource<FileTreeNode[]>(
    'files:tree',
    async (signal) => (await host().rpc('files:tree', {}, { signal })).tree,
  )
  const drafts = useStore(draftsOf())
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(parentsOf(path)))
  const [tabs, setTabs] = useState<readonly string[]>(() => [
    ...new Set([...Object.keys(draftsOf().get()), ...(path ? [path] : [])]),
  ])
  const [filter, setFilter] = useState('')
  const [making, setMaking] = useState(false)
  useEffect(() => {
    if (!path) return
    setTabs((former) => (former.includes(path) ? former : [...former, path]))
    setOpen((former) => new Set([...former, ...parentsOf(path)]))
  }, [path])
  const show = (next: string): void => query.set({ path: next })
  const openNode = (node: FileTreeNode): void =>
    node.type === 'directory' ? fold(node.path, !open.has(node.path)) : show(node.path)
  const fold = (folder: string, unfolded: boolean): void => {
    const next = new Set(open)
    if (unfolded) next.add(folder)
    else next.delete(folder)
    setOpen(next)
  }
  const close = (tab: string): void => {
    const left = tabs.filter((item) => item !== tab)
    setTabs(left)
    if (tab === path) show(left.at(-1) ?? '')
  }
  const dirty = Object.keys(drafts).length
  return (
    <>
      <Workbench
        open={path !== ''}
        head={<FilesHead dirty={dirty} tree={tree} onMake={setMaking} />}
        side={
          <>
            <Search filter={filter} onFilter={setFilter} />
            <Tree tree={tree} open={open} filter={filter} path={path} drafts={drafts} onOpen={openNode} onFold={fold} />
            <Note />
          </>
        }
      >
        <FileTabs tabs={tabs} path={path} onShow={show} drafts={drafts} onClose={close} />
        {path ? (
          <FileView
            key={path}
            path={path}
            node={findNode(tree.data ?? [], path)}
            onBack={() => show('')}
            onSaved={tree.reload}
          />
        ) : (
          <EmptyState title={t('choose')} />
        )}
      </Workbench>
      {making ? (
        <NewFile
          onClose={() => setMaking(false)}
          onMake={(name) => {
            putDraft(name, { base: '', etag: '', text: '\n' })
            setMaking(false)
            show(name)
          }}
        />
      ) : null}
    </>
  )
}

interface SearchProps {
  readonly filter: string
  readonly onFilter: (filter: string) => void
}

function Search({ filter, onFilter }: SearchProps) {
  return (
    <div class="side-tools">
      <Field compact type="search" label={t('find')} placeholder={t('find')} value={filter} onInput={onFilter} />
    </div>
  )
}

interface TreeProps {
  readonly tree: Resource<FileTreeNode[]>
  readonly open: ReadonlySet<string>
  readonly filter: string
  readonly path: string
  readonly drafts: Readonly<Record<string, FileDraft>>
  readonly onOpen: (node: FileTreeNode) => void
  readonly onFold: (folder: string, unfolded: boolean) => void
}

function Tree({ tree, open, filter, path, drafts, onOpen, onFold }: TreeProps) {
  return (
    <Loaded resource={tree}>
      {(nodes) => {
        const rows = rowsOf(nodes, open, filter)
        return rows.length === 0 ? (
          <EmptyState title={t(filter ? 'noMatch' : 'empty')} />
        ) : (
          <FileTree
            rows={rows}
            current={path || undefined}
            dirty={(item) => Object.hasOwn(drafts, item)}
            onOpen={onOpen}
            onFold={onFold}
          />
        )
      }}
    </Loaded>
  )
}

function Note() {
  const [before, between, after] = t('note', { config: '\n', env: '\n' }).split('\n')
  return (
    <p class="muted file-note">
      {before}
      <a href="/config">{t('config')}</a>
      {between}
      <a href="/env">{t('env')}</a>
      {after}
    </p>
  )
}

interface FileTabsProps {
  readonly tabs: readonly string[]
  readonly path: string
  readonly onShow: (next: string) => void
  readonly drafts: Readonly<Record<string, FileDraft>>
  readonly onClose: (tab: string) => void
}

function FileTabs({ tabs, path, onShow, drafts, onClose }: FileTabsProps) {
  return tabs.length > 0 ? (
    <ul class="file-tabs" aria-label={t('open')}>
      {tabs.map((tab) => (
        <li key={tab} class={tab === path ? 'current' : undefined}>
          <button
            type="button"
            title={tab}
            aria-current={tab === path ? 'true' : undefined}
            onClick={() => onShow(tab)}
          >
            {nameOf(tab)}
            {Object.hasOwn(drafts, tab) ? <i class="dot" /> : null}
          </button>
          <button type="button" class="icon-button" aria-label={t('close', { name: tab })} onClick={() => onClose(tab)}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  ) : null
}

interface FilesHeadProps {
  readonly dirty: number
  readonly tree: Resource<FileTreeNode[]>
  readonly onMake: (making: true) => void
}

function FilesHead({ dirty, tree, onMake }: FilesHeadProps) {
  return (
    <PageHead
      title={t('page.files')}
      fact={
        <>
          <span>
            {t('beside')} <code>mynah.config.yml</code>
          </span>
          {dirty > 0 ? <span>{t('dirtyN', { count: dirty })}</span> : null} <Stale resource={tree} />
        </>
      }
      actions={
        <>
          <Button onClick={() => onMake(true)}>{t('newFile')}</Button>
          <Button onClick={tree.reload} hotkey="r">
            {t('refresh')}
          </Button>
        </>
      }
    />
  )
}

function NewFile({ onClose, onMake }: { readonly onClose: () => void; readonly onMake: (path: string) => void }) {
  const [name, setName] = useState('')
  const bad = name !== '' && !isPath(name)
  return (
    <Confirm
      title={t('newTitle')}
      action={t('make')}
      disabled={!isPath(name)}
      onClose={onClose}
      onConfirm={() => onMake(name)}
    >
      <Field
        mono
        label={t('newPath')}
        hint={t('newHint')}
        value={name}
        onInput={setName}
        error={bad ? t('badPath') : undefined}
        placeholder="skills/deploy/SKILL.md"
      />
    </Confirm>
  )
}
