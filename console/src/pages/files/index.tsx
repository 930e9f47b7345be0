import type { FileTreeNode } from '@mynah/contract/types'
import { useEffect, useState } from 'preact/hooks'
import { LazyPage } from '../../app/lazy-page.js'
import { host } from '../../app/host.js'
import { resources } from '../../lib/resources.js'
import { useQuery } from '../../lib/router.js'
import { useResource, type Resource } from '../../lib/use-resource.js'
import { useStore } from '../../lib/use-store.js'
import { useOpenItem } from '../../lib/document-title.js'
import { Button, EmptyState, Field, Icon, Menu, PageHead } from '../../ui/index.js'
import { Loaded, Stale, Workbench } from '../../ui/parts/index.js'
import type { FileChange } from './changes.js'
import { draftsOf, putDraft } from './drafts.js'
import { FileTabs } from './file-tabs.js'
import { findNode, movedPath, nameOf, parentsOf, rowsOf, type FileDraft } from './model.js'
import { NewFile } from './new-file.js'
import './page.css'
import { t } from './texts.js'
import { FileTree } from './tree.js'

const loadFile = () => import('./open-file.js').then((module) => module.OpenFile)
const loadChange = () => import('./changes.js').then((module) => module.ChangeDialog)

const reloadFile = (path: string): void => {
  for (const call of ['read', 'download']) resources.reload(`files:${call} ${path}`)
}

/** Which files are open, and which folders are unfolded. */
function useOpenFiles(path: string, show: (path: string) => void) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(parentsOf(path)))
  const [tabs, setTabs] = useState<readonly string[]>(() => [
    ...new Set([...Object.keys(draftsOf().get()), ...(path ? [path] : [])]),
  ])
  const [active, setActive] = useState(path)
  const uncover = (item: string): void => {
    setActive(item)
    setOpen((former) => new Set([...former, ...parentsOf(item)]))
  }
  useEffect(() => {
    if (!path) return
    setTabs((former) => (former.includes(path) ? former : [...former, path]))
    uncover(path)
  }, [path])
  return {
    tabs,
    open,
    active,
    setActive,
    uncover,
    fold: (folder: string, unfolded: boolean): void => {
      const next = new Set(open)
      if (unfolded) next.add(folder)
      else next.delete(folder)
      setOpen(next)
    },
    close: (tab: string): void => {
      const left = tabs.filter((item) => item !== tab)
      setTabs(left)
      if (tab === path) show(left.at(-1) ?? '')
    },
    /** Follows what was moved. */
    moved: (from: string, to: string): void => {
      setTabs(tabs.map((tab) => movedPath(tab, from, to)))
      setOpen(new Set([...open].map((folder) => movedPath(folder, from, to))))
      if (path) show(movedPath(path, from, to))
    },
  }
}

export function FilesPage() {
  const query = useQuery({ path: '', as: '' })
  const { path } = query.values
  useOpenItem(path)
  const tree = useResource<FileTreeNode[]>(
    'files:tree',
    async (signal) => (await host().rpc('files:tree', {}, { signal })).tree,
  )
  const drafts = useStore(draftsOf())
  const show = (next: string): void => query.set({ path: next, as: '' })
  const { tabs, open, active, setActive, fold, close, moved, uncover } = useOpenFiles(path, show)
  const [filter, setFilter] = useState('')
  const [making, setMaking] = useState(false)
  const [change, setChange] = useState<FileChange>()
  const openNode = (node: FileTreeNode): void =>
    node.type === 'directory' ? fold(node.path, !open.has(node.path)) : show(node.path)
  const endChange = (): void => {
    setChange(undefined)
    // An upload may have ended in its middle.
    tree.reload()
    reloadFile(path)
  }
  const done = (next: string, former?: string): void => {
    if (former !== undefined) moved(former, next)
    uncover(next)
    endChange()
  }
  const startFile = (name: string): void => {
    putDraft(name, { base: '', etag: '', text: '\n' })
    setMaking(false)
    show(name)
  }
  return (
    <>
      <Workbench
        open={path !== ''}
        head={
          <FilesHead {...{ tree, active }} dirty={Object.keys(drafts).length} onMake={setMaking} onChange={setChange} />
        }
        side={
          <>
            <Search filter={filter} onFilter={setFilter} />
            <Tree
              {...{ tree, open, filter, path, drafts, active }}
              onActive={setActive}
              onOpen={openNode}
              onFold={fold}
              onChange={setChange}
            />
            <Note />
          </>
        }
      >
        <FileTabs tabs={tabs} path={path} onShow={show} drafts={drafts} onClose={close} />
        {path === '' ? (
          <EmptyState title={t('choose')} />
        ) : (
          <LazyPage
            load={loadFile}
            props={{
              path,
              node: findNode(tree.data ?? [], path),
              isText: query.values.as === 'text' || Object.hasOwn(drafts, path),
              onText: (asText) => query.set({ as: asText ? 'text' : '' }),
              onBack: () => show(''),
              onSaved: tree.reload,
            }}
          />
        )}
      </Workbench>
      {making ? <NewFile onClose={() => setMaking(false)} onMake={startFile} /> : null}
      {change ? (
        <LazyPage load={loadChange} props={{ change, tree: tree.data ?? [], onClose: endChange, onDone: done }} />
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
  readonly active: string
  readonly onActive: (path: string) => void
  readonly onOpen: (node: FileTreeNode) => void
  readonly onFold: (folder: string, unfolded: boolean) => void
  readonly onChange: (change: FileChange) => void
}

function Tree({ tree, open, filter, path, drafts, active, onActive, onOpen, onFold, onChange }: TreeProps) {
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
            active={active}
            onActive={onActive}
            onChange={onChange}
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

interface FilesHeadProps {
  readonly dirty: number
  readonly tree: Resource<FileTreeNode[]>
  /** The path of the item that has, or last had, the focus in the tree. */
  readonly active: string
  readonly onMake: (making: true) => void
  readonly onChange: (change: FileChange) => void
}

function FilesHead({ dirty, tree, active, onMake, onChange }: FilesHeadProps) {
  const node = findNode(tree.data ?? [], active)
  const folder = node?.type === 'directory' ? node.path : (parentsOf(active).at(-1) ?? '')
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
          <Button onClick={() => onChange({ kind: 'upload', folder, files: [] })}>{t('upload')}</Button>
          <Button onClick={tree.reload} hotkey="r">
            {t('refresh')}
          </Button>
          <Menu
            label={t('more')}
            items={[
              {
                label: t('newFolder'),
                onSelect: () => onChange({ kind: 'folder', path: folder === '' ? '' : `${folder}/` }),
              },
              ...(node
                ? [
                    {
                      label: t('moveThis', { name: nameOf(node.path) }),
                      onSelect: () => onChange({ kind: 'move', from: node.path, to: node.path }),
                    },
                  ]
                : []),
            ]}
          >
            <Icon name="more" />
          </Menu>
        </>
      }
    />
  )
}
