import type { FileTreeNode } from '@mynah/contract/types'
import { FILE_READ_LIMIT } from '@mynah/contract/wire'
import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { bytes } from '../../lib/format.js'
import { ShowMore } from '../../ui/parts/show-more.js'
import type { FileChange } from './changes.js'
import { nameOf, parentsOf, type TreeRow } from './model.js'
import { t } from './texts.js'

interface TreeProps {
  readonly rows: readonly TreeRow[]
  readonly current: string | undefined
  readonly dirty: (path: string) => boolean
  readonly onOpen: (node: FileTreeNode) => void
  readonly onFold: (path: string, open: boolean) => void
  /** The path of the item that has, or last had, the focus. */
  readonly active: string
  readonly onActive: (path: string) => void
  readonly onChange: (change: FileChange) => void
}

/** The type of what is dragged within the tree. */
const DRAGGED = 'application/x-mynah-path'

/** Items that are drawn at once, and at most to show the open file: more of them take too long. */
const STEP = 100
const MOST_FOR_OPEN = 600

export function FileTree({ rows, current, dirty, onOpen, onFold, active, onActive, onChange }: TreeProps) {
  const [most, setMost] = useState(STEP)
  const upToOpen = rows.findIndex(({ node }) => node.path === current) + 1
  const count = Math.max(most, upToOpen <= MOST_FOR_OPEN ? upToOpen : 0)
  const shown = rows.slice(0, count)
  // The row that Tab reaches.
  const stop = [active, current].find((path) => shown.some((row) => row.node.path === path)) ?? shown[0]?.node.path
  const list = useRef<HTMLUListElement>(null)
  const onKeyDown = treeKeys(list, shown, stop, { onActive, onFold, onChange, onOpen })
  const { over, handlers } = useDropTarget(rows, onChange)
  return (
    <>
      <ul
        class={over === '' ? 'file-tree over' : 'file-tree'}
        role="tree"
        aria-label={t('tree')}
        ref={list}
        onKeyDown={onKeyDown}
        {...handlers}
      >
        {shown.map((row) => (
          <TreeItem
            key={row.node.path}
            row={row}
            stop={stop}
            current={current}
            onActive={onActive}
            over={row.node.path === over}
            onOpen={onOpen}
            dirty={dirty}
          />
        ))}
      </ul>
      <ShowMore left={rows.length - shown.length} step={STEP} onMore={() => setMost(count + STEP)} />
    </>
  )
}

/** Returns what moves through the items of the tree, and acts on the one that Tab reaches. */
function treeKeys(
  list: RefObject<HTMLUListElement | null>,
  shown: readonly TreeRow[],
  stop: string | undefined,
  { onActive, onFold, onChange, onOpen }: Pick<TreeProps, 'onActive' | 'onFold' | 'onChange' | 'onOpen'>,
): (event: KeyboardEvent) => void {
  const focus = (index: number): void => {
    const row = shown[index]
    if (!row) return
    onActive(row.node.path)
    list.current?.querySelectorAll<HTMLElement>('[role=treeitem]')[index]?.focus()
  }
  const enter = ({ node, open }: TreeRow, at: number): void => {
    if (node.type !== 'directory') return
    if (open) focus(at + 1)
    else onFold(node.path, true)
  }
  const leave = ({ node, open, depth }: TreeRow, at: number): void => {
    if (node.type === 'directory' && open) onFold(node.path, false)
    else focus(shown.slice(0, at).findLastIndex((item) => item.depth < depth))
  }
  return (event) => {
    const at = shown.findIndex((row) => row.node.path === stop)
    const row = shown[at]
    if (!row) return
    switch (event.key) {
      case 'ArrowDown':
        focus(at + 1)
        break
      case 'ArrowUp':
        focus(at - 1)
        break
      case 'Home':
        focus(0)
        break
      case 'End':
        focus(shown.length - 1)
        break
      case 'ArrowRight':
        enter(row, at)
        break
      case 'ArrowLeft':
        leave(row, at)
        break
      case 'F2':
        onChange({ kind: 'move', from: row.node.path, to: row.node.path })
        break
      case 'Enter':
      case ' ':
        onOpen(row.node)
        break
      default:
        return
    }
    event.preventDefault()
  }
}

/** Takes files of this machine, and items of the tree, into the folder that they are dropped on. */
function useDropTarget(rows: readonly TreeRow[], onChange: TreeProps['onChange']) {
  const [over, setOver] = useState<string>()
  // Below the items belongs to the top folder.
  const folderAt = (target: EventTarget | null): string => {
    const path = target instanceof Element ? target.closest<HTMLElement>('[data-path]')?.dataset['path'] : undefined
    const node = rows.find((row) => row.node.path === path)?.node
    if (!node) return ''
    return node.type === 'directory' ? node.path : (parentsOf(node.path).at(-1) ?? '')
  }
  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(undefined)
    const folder = folderAt(event.target)
    const from = event.dataTransfer?.getData(DRAGGED) ?? ''
    const files = [...(event.dataTransfer?.files ?? [])]
    if (from) onChange({ kind: 'move', from, to: folder === '' ? nameOf(from) : `${folder}/${nameOf(from)}` })
    else if (files.length > 0) onChange({ kind: 'upload', folder, files })
  }
  const handlers = {
    onDragOver: (event: DragEvent): void => {
      event.preventDefault()
      setOver(folderAt(event.target))
    },
    onDragLeave: () => setOver(undefined),
    onDrop,
  }
  return { over, handlers }
}

interface TreeItemProps {
  readonly row: TreeRow
  /** The path of the one item in the tab order. */
  readonly stop: string | undefined
  readonly current: string | undefined
  readonly onActive: (path: string) => void
  readonly onOpen: (node: FileTreeNode) => void
  readonly dirty: (path: string) => boolean
  /** Whether what is dragged would drop into it. */
  readonly over: boolean
}

function TreeItem({ row: { node, depth, open }, stop, current, onActive, onOpen, dirty, over }: TreeItemProps) {
  const folder = node.type === 'directory'
  return (
    <li
      role="treeitem"
      tabIndex={node.path === stop ? 0 : -1}
      aria-level={depth}
      aria-expanded={folder ? open : undefined}
      aria-selected={node.path === current}
      class={`${folder ? 'folder' : ''}${open ? ' open' : ''}${over ? ' over' : ''}`}
      data-path={node.path}
      draggable
      onDragStart={(event) => event.dataTransfer?.setData(DRAGGED, node.path)}
      style={{ paddingLeft: `${8 + (depth - 1) * 14}px` }}
      onClick={() => {
        onActive(node.path)
        onOpen(node)
      }}
      onFocusIn={() => onActive(node.path)}
    >
      <span class="name">
        {node.name}
        {dirty(node.path) ? <i class="dot" title={t('changesBar', { name: node.name })} /> : null}
      </span>
      {node.size === undefined || folder ? null : (
        <small>{node.size > FILE_READ_LIMIT ? t('big') : bytes(node.size)}</small>
      )}
    </li>
  )
}
