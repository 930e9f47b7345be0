// Changing one section of a YAML text: everything outside of it stays byte for byte, inside comments and order stay.
import { CORE_SCHEMA, load } from 'js-yaml'
import { isAlias, isMap, isScalar, isSeq, parseDocument, stringify, visit, type Document, type Node, type Pair, type YAMLMap } from 'yaml'
import { isDeepStrictEqual } from 'node:util'
import { WireError } from '@mynah/contract'

type Path = readonly (string | number)[]
const LIMITS = { schema: CORE_SCHEMA, maxDepth: 100, maxAliases: 100 } as const

/** The values of a text, read by the parser of record within its limits. */
export function valuesOf(text: string): Record<string, unknown> {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  if (body.split('\n').every((line) => /^\s*(#.*)?$/.test(line))) return {}
  const values = load(body, LIMITS)
  return (values ?? {}) as Record<string, unknown>
}

/** Where a scalar stands in the text, quotes included; nothing for a path that is no scalar. Call after {@link valuesOf}. */
export function scalarRange(document: Document, path: Path): [number, number] | undefined {
  const node = document.getIn(path, true)
  if (!isScalar(node) || !node.range) return undefined
  const [start, end] = node.range
  // A block scalar's range ends after its last line break.
  return node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED' ? undefined : [start, end]
}

/** Parses for positions; the text has passed {@link valuesOf}, whose limits keep this parser out of trouble. */
export function positions(text: string): Document {
  return parseDocument(text, { keepSourceTokens: false, uniqueKeys: true, logLevel: 'silent' })
}

const scalarText = (value: unknown): string => stringify(value, { lineWidth: 0 }).replace(/\n$/, '')

interface Change { readonly path: Path; readonly value: unknown; readonly kind: 'set' | 'delete' }

function changesBetween(old: unknown, fresh: unknown, path: Path, out: Change[]): void {
  if (isDeepStrictEqual(old, fresh)) return
  const bothMaps = isRecord(old) && isRecord(fresh)
  if (bothMaps) {
    for (const key of Object.keys(old)) if (!Object.hasOwn(fresh, key)) out.push({ path: [...path, key], value: undefined, kind: 'delete' })
    for (const [key, value] of Object.entries(fresh)) {
      if (Object.hasOwn(old, key)) changesBetween(old[key], value, [...path, key], out)
      else out.push({ path: [...path, key], value, kind: 'set' })
    }
    return
  }
  if (Array.isArray(old) && Array.isArray(fresh) && old.length === fresh.length) {
    fresh.forEach((value, index) => changesBetween(old[index], value, [...path, index], out))
    return
  }
  out.push({ path, value: fresh, kind: 'set' })
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const isPlainScalar = (value: unknown): boolean => value === null || typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && !value.includes('\n'))

/** The range of a top-level key and its value; blank and comment lines before the next key belong to that one. */
function sectionRange(text: string, document: Document, key: string): { start: number; end: number } | undefined {
  const map = document.contents
  if (!isMap(map) || map.flow) return undefined
  const index = map.items.findIndex((pair) => isScalar(pair.key) && pair.key.value === key)
  if (index < 0) return undefined
  const startOf = (pair: Pair): number => (pair.key as Node).range?.[0] ?? 0
  const start = startOf(map.items[index] as Pair)
  const next = map.items[index + 1]
  let end = next ? startOf(next) : text.length
  // Step back over the comments and blank lines that stand before the next key.
  for (;;) {
    const lineStart = text.lastIndexOf('\n', end - 2) + 1
    if (lineStart <= start || !/^\s*(#.*)?$/.test(text.slice(lineStart, end).trimEnd()) || /^\s+#/.test(text.slice(lineStart, end))) break
    end = lineStart
  }
  return { start, end }
}

function applyToDocument(document: Document, changes: readonly Change[]): void {
  for (const { path, value, kind } of changes) {
    if (kind === 'delete') document.deleteIn(path)
    else {
      const node = document.getIn(path, true)
      if (isScalar(node) && isPlainScalar(value)) node.value = value
      else if (isSeq(node) && Array.isArray(value)) resizeList(document, node, value, path)
      else document.setIn(path, document.createNode(value))
    }
  }
}

function resizeList(document: Document, node: { items: unknown[] }, fresh: readonly unknown[], path: Path): void {
  // Items that are the same keep their comments, wherever they have moved to.
  const kept = node.items.map((item) => ({ item, value: isNodeLike(item) ? item.toJS(document) : item }))
  node.items = fresh.map((value) => {
    const index = kept.findIndex((candidate) => isDeepStrictEqual(candidate.value, value))
    return index < 0 ? document.createNode(value) : (kept.splice(index, 1)[0] as { item: unknown }).item
  })
  if (node.items.length === 0) document.setIn(path, document.createNode([]))
}

const isNodeLike = (item: unknown): item is { toJS(document: Document): unknown } => typeof item === 'object' && item !== null && 'toJS' in item

function hasAliases(document: Document): boolean {
  let found = false
  visit(document, { Alias: () => { found = true }, Node: (_, node) => { if (!isAlias(node) && (node as { anchor?: string }).anchor) found = true } })
  return found
}

/**
 * The text with the value at `path` (a top-level key, or a path below one) replaced. Proved before it is returned: the new
 * text reads as intended, and nothing else has moved.
 */
export function setSection(text: string, path: readonly string[], value: unknown): string {
  const before = valuesOf(text)
  const wanted = structuredClone(before)
  let holder: Record<string, unknown> = wanted
  for (const key of path.slice(0, -1)) {
    if (!isRecord(holder[key])) holder[key] = {}
    holder = holder[key] as Record<string, unknown>
  }
  holder[path.at(-1) as string] = value
  const [top] = path as readonly [string, ...string[]]
  const edited = rewrite(text, top, before, wanted)
  let after: Record<string, unknown>
  try {
    after = valuesOf(edited)
  } catch (error) {
    throw new WireError('internal', 'The changed section could not be written', { cause: error })
  }
  if (!isDeepStrictEqual(after, wanted)) throw new WireError('conflict', `The section "${top}" is written in a form that cannot be changed in place; edit the YAML instead`)
  return edited
}

function rewrite(text: string, top: string, before: Record<string, unknown>, wanted: Record<string, unknown>): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const whole = positions(text)
  if (!Object.hasOwn(before, top)) {
    const gap = text === '' || text.endsWith('\n') ? '' : newline
    return text + gap + stringify({ [top]: wanted[top] }, { lineWidth: 0 }).replaceAll('\n', newline)
  }
  const changes: Change[] = []
  changesBetween(before[top], wanted[top], [top], changes)
  if (changes.length === 0) return text
  const patched = patchScalars(text, whole, changes)
  if (patched !== undefined) return patched
  const range = sectionRange(text, whole, top)
  if (!range || hasAliases(whole)) return rewriteWhole(whole, changes, newline)
  const section = positions(text.slice(range.start, range.end))
  applyToDocument(section, changes)
  return text.slice(0, range.start) + section.toString({ lineWidth: 0 }).replace(/\n*$/, '\n').replaceAll('\n', newline) + text.slice(range.end)
}

/** Scalars that become other scalars are replaced where they stand: not a byte beside them changes. */
function patchScalars(text: string, document: Document, changes: readonly Change[]): string | undefined {
  const splices: { range: [number, number]; text: string }[] = []
  for (const { path, value, kind } of changes) {
    const range = kind === 'set' && isPlainScalar(value) ? scalarRange(document, path) : undefined
    if (!range || range[0] === range[1]) return undefined
    splices.push({ range, text: scalarText(value) })
  }
  let patched = text
  for (const { range, text: replacement } of splices.sort((a, b) => b.range[0] - a.range[0])) patched = patched.slice(0, range[0]) + replacement + patched.slice(range[1])
  return patched
}

/** The last resort, for files in flow style or with anchors. */
function rewriteWhole(document: Document, changes: readonly Change[], newline: string): string {
  applyToDocument(document as Document & { contents: YAMLMap }, changes)
  return document.toString({ lineWidth: 0 }).replaceAll('\n', newline)
}
