import type { Count } from './rail-counts.js'

export interface NavSource {
  readonly id: string
  readonly name: string
  readonly path?: string
  readonly group?: string
  readonly order?: number
  /** Path, id or name of the parent item. */
  readonly parent?: string
  readonly icon?: unknown
  readonly count?: Count | undefined
}

export interface NavItem extends NavSource {
  readonly children: readonly NavItem[]
}
export interface NavGroup {
  readonly id: string
  readonly name: string
  readonly items: readonly NavItem[]
}

const ORDER = 100
const byOrder = (a: NavSource, b: NavSource): number =>
  (a.order ?? ORDER) - (b.order ?? ORDER) || a.name.localeCompare(b.name)

/**
 * Sorts `sources` into `groups` (id to name, in their order). A group that an entry names is one of them by id or name,
 * else one of its own after them; without a group the last of them takes it. A parent that is missing or that would
 * close a
 * circle counts as none.
 */
export function navigation(
  sources: readonly NavSource[],
  groups: readonly (readonly [id: string, name: string])[],
): NavGroup[] {
  const fallback = groups.at(-1)?.[0] ?? ''
  const find = (key: string): NavSource | undefined =>
    sources.find((item) => item.path === key || item.id === key) ?? sources.find((item) => item.name === key)
  const parentOf = (item: NavSource): NavSource | undefined => {
    const parent = item.parent === undefined ? undefined : find(item.parent)
    // The rail has two levels. A child of a child becomes a sibling of its parent.
    return parent && parent !== item ? parent : undefined
  }
  const top = (item: NavSource): NavSource | undefined => {
    const seen = new Set([item])
    let current = parentOf(item)
    let last: NavSource | undefined
    while (current) {
      if (seen.has(current)) return undefined
      seen.add(current)
      last = current
      current = parentOf(current)
    }
    return last
  }
  const children = new Map<NavSource, NavSource[]>()
  const roots: NavSource[] = []
  for (const item of sources) {
    const root = top(item)
    if (root) children.set(root, [...(children.get(root) ?? []), item])
    else roots.push(item)
  }
  const toItem = (source: NavSource): NavItem => ({
    ...source,
    children: (children.get(source) ?? []).sort(byOrder).map((child) => ({ ...child, children: [] })),
  })
  const idOf = (group: string | undefined): string => {
    if (!group) return fallback
    const known = groups.find(([id, name]) => [id, name].some((text) => text.toLowerCase() === group.toLowerCase()))
    return known?.[0] ?? group
  }
  const used = new Map<string, NavSource[]>(groups.map(([id]) => [id, []]))
  for (const root of roots) {
    const id = idOf(root.group)
    used.set(id, [...(used.get(id) ?? []), root])
  }
  const names = new Map(groups)
  return [...used]
    .filter(([, items]) => items.length > 0)
    .map(([id, items]) => ({ id, name: names.get(id) ?? id, items: items.sort(byOrder).map(toItem) }))
}

/** Returns whether the page of `path` is the current one or above it. */
export function isCurrent(path: string, current: string): boolean {
  return current === path || current.startsWith(`${path}/`)
}
