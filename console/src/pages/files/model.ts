import { parseJson } from '../../lib/parse-json.js'
import type { FileTreeNode } from '@mynah/contract/types'

export interface TreeRow {
  readonly node: FileTreeNode
  readonly depth: number
  readonly open: boolean
}

/** Returns the visible rows of a tree: the content of open folders, or all matches of a filter. */
export function rowsOf(tree: readonly FileTreeNode[], open: ReadonlySet<string>, filter: string): TreeRow[] {
  const needle = filter.trim().toLowerCase()
  const rows: TreeRow[] = []
  const matches = (node: FileTreeNode): boolean =>
    node.path.toLowerCase().includes(needle) || (node.children ?? []).some(matches)
  const walk = (nodes: readonly FileTreeNode[], depth: number): void => {
    for (const node of nodes) {
      if (needle && !matches(node)) continue
      const unfolded = node.type === 'directory' && (needle !== '' || open.has(node.path))
      rows.push({ node, depth, open: unfolded })
      if (unfolded && depth < 64) walk(node.children ?? [], depth + 1)
    }
  }
  walk(tree, 1)
  return rows
}

export function findNode(tree: readonly FileTreeNode[], path: string): FileTreeNode | undefined {
  for (const node of tree) {
    if (node.path === path) return node
    if (node.type === 'directory' && path.startsWith(`${node.path}/`)) return findNode(node.children ?? [], path)
  }
  return undefined
}

/** Folders above a path. */
export const parentsOf = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, index, all) => all.slice(0, index + 1).join('/'))

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
export const endingOf = (path: string): string =>
  nameOf(path).includes('.')
    ? nameOf(path)
        .slice(nameOf(path).lastIndexOf('.') + 1)
        .toLowerCase()
    : ''

/** Types of pictures by ending. The browser looks at the bytes of all but SVG. */
const MEDIA: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
}

/** Returns the type of what is shown as it is instead of as text. */
export const mediaTypeOf = (path: string): string | undefined =>
  Object.hasOwn(MEDIA, endingOf(path)) ? MEDIA[endingOf(path)] : undefined

/** Returns the paths of all folders. */
export const foldersIn = (tree: readonly FileTreeNode[]): string[] =>
  tree.flatMap((node) => (node.type === 'directory' ? [node.path, ...foldersIn(node.children ?? [])] : []))

/** Returns where a path is after a move, or the path itself if it did not move with it. */
export function movedPath(path: string, from: string, to: string): string {
  if (path === from) return to
  return path.startsWith(`${from}/`) ? to + path.slice(from.length) : path
}

/** A draft with the version that it started from. */
export interface FileDraft {
  readonly base: string
  readonly etag: string
  readonly text: string
}

/** Parses stored drafts. Invalid ones are dropped. */
export function parseDrafts(text: string | null): Record<string, FileDraft> {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, FileDraft] => {
      const draft = entry[1] as Partial<FileDraft> | null
      return (
        typeof draft === 'object' &&
        draft !== null &&
        typeof draft.base === 'string' &&
        typeof draft.text === 'string' &&
        typeof draft.etag === 'string'
      )
    }),
  )
}

export const isPath = (path: string): boolean =>
  path !== '' &&
  path.length <= 1024 &&
  !path.startsWith('/') &&
  !path.includes('\\') &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/** A line of an environment file: a variable, or raw text. */
export type EnvLine = { readonly name: string; readonly value: string; readonly raw: string } | { readonly raw: string }

export const isVariable = (line: EnvLine): line is Extract<EnvLine, { name: string }> => 'name' in line

const NAME = /^(?:export\s+)?([A-Za-z_]\w*)\s*=/

const unquote = (text: string): string => {
  const trimmed = text.trim()
  const quote = trimmed[0]
  if ((quote === '"' || quote === "'" || quote === '`') && trimmed.length > 1 && trimmed.endsWith(quote))
    return quote === '"' ? trimmed.slice(1, -1).replaceAll('\\n', '\n') : trimmed.slice(1, -1)
  return trimmed.replace(/\s+#.*$/, '')
}

/** Parses an environment file. Comments, empty lines and multi-line values are kept. */
export function parseEnv(text: string): EnvLine[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const found: EnvLine[] = []
  for (let index = 0; index < lines.length; index++) {
    let raw = lines[index] as string
    const name = raw.slice(0, 512).match(NAME)
    if (!name) {
      found.push({ raw })
      continue
    }
    const quote = raw.slice(name[0].length).trimStart()[0]
    // A quoted value may go on over the next lines.
    if (quote === '"' || quote === "'" || quote === '`') {
      const closed = (body: string): boolean => body.trimStart().slice(1).includes(quote)
      while (!closed(raw.slice(name[0].length)) && index + 1 < lines.length) raw += `\n${lines[++index]}`
    }
    found.push({ name: name[1] as string, value: unquote(raw.slice(name[0].length)), raw })
  }
  return found
}

function quoted(value: string): string {
  if (/^[^\s"'`#\\$]*$/.test(value)) return value
  const needsDouble = value.includes("'") || value.includes('\n')
  return needsDouble ? `"${value.replaceAll('\n', '\\n')}"` : `'${value}'`
}

/** Returns the file with variables set, or removed if undefined. Other lines stay. */
export function writeEnv(lines: readonly EnvLine[], changes: Readonly<Record<string, string | undefined>>): string {
  const left = new Map(Object.entries(changes))
  const kept = lines.flatMap((line) => {
    if (!isVariable(line) || !Object.hasOwn(changes, line.name)) return [line.raw]
    left.delete(line.name)
    const value = changes[line.name]
    if (value === undefined) return []
    return value === line.value ? [line.raw] : [`${line.name}=${quoted(value)}`]
  })
  const added = [...left].flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${quoted(value)}`]))
  const all = [...kept, ...added]
  return all.length > 0 ? `${all.join('\n')}\n` : ''
}
