import type { FileTreeNode } from '@mynah/contract/types'
import { FILE_READ_LIMIT } from '@mynah/contract/wire'
import { useRef, useState } from 'preact/hooks'
import { bytes } from '../../lib/format.js'
import type { TreeRow } from './model.js'
import { t } from './texts.js'

interface TreeProps {
  readonly rows: readonly TreeRow[]
  readonly current: string | undefined
  readonly dirty: (path: string) => boolean
  readonly onOpen: (node: FileTreeNode) => void
  readonly onFold: (path: string, open: boolean) => void
}

const MOST = 600

export function FileTree({ rows, current, dirty, onOpen, onFold }: TreeProps) {
  const list = useRef<HTMLUListElement>(null)
  const [active, setActive] = useState<string>()
  const shown = rows.slice(0, MOST)
  // The row that Tab reaches.
  const stop = [active, current].find((path) => shown.some((row) => row.node.path === path)) ?? shown[0]?.node.path
  const focus = (index: number): void => {
    const row = shown[index]
    if (!row) return
    setActive(row.node.path)
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
  const onKeyDown = (event: KeyboardEvent): void => {
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
      case 'Enter':
      case ' ':
        onOpen(row.node)
        break
      default:
        return
    }
    event.preventDefault()
  }
  return (
    <ul class="file-tree" role="tree" aria-label={t('tree')} ref={list} onKeyDown={onKeyDown}>
      {shown.map((row) => (
        <TreeItem
          key={row.node.path}
          row={row}
          stop={stop}
          current={current}
          onActive={setActive}
          onOpen={onOpen}
          dirty={dirty}
        />
      ))}
    </ul>
  )
}

interface TreeItemProps {
  readonly row: TreeRow
  /** The path of the one item in the tab order. */
  readonly stop: string | undefined
  readonly current: string | undefined
  readonly onActive: (path: string) => void
  readonly onOpen: (node: FileTreeNode) => void
  readonly dirty: (path: string) => boolean
}

function TreeItem({ row: { node, depth, open }, stop, current, onActive, onOpen, dirty }: TreeItemProps) {
  const folder = node.type === 'directory'
  return (
    <li
      role="treeitem"
      tabIndex={node.path === stop ? 0 : -1}
      aria-level={depth}
      aria-expanded={folder ? open : undefined}
      aria-selected={node.path === current}
      class={folder ? `folder${open ? ' open' : ''}` : undefined}
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
