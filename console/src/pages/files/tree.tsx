// The tree of files: arrow keys as in any tree.
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
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = shown.findIndex((row) => row.node.path === stop)
    const row = shown[at]
    if (!row) return
    const folder = row.node.type === 'directory'
    const up = shown.slice(0, at).findLastIndex((item) => item.depth < row.depth)
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
        if (folder && !row.open) onFold(row.node.path, true)
        else if (folder) focus(at + 1)
        break
      case 'ArrowLeft':
        if (folder && row.open) onFold(row.node.path, false)
        else if (up >= 0) focus(up)
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
      {shown.map(({ node, depth, open }) => {
        const folder = node.type === 'directory'
        return (
          <li
            key={node.path}
            role="treeitem"
            tabIndex={node.path === stop ? 0 : -1}
            aria-level={depth}
            aria-expanded={folder ? open : undefined}
            aria-selected={node.path === current}
            class={folder ? `folder${open ? ' open' : ''}` : undefined}
            style={{ paddingLeft: `${8 + (depth - 1) * 14}px` }}
            onClick={() => {
              setActive(node.path)
              onOpen(node)
            }}
            onFocusIn={() => setActive(node.path)}
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
      })}
    </ul>
  )
}
