// Changes one section of a YAML text. Every byte outside of the section stays, and inside of it comments and order
// stay.
import { isMap, isScalar, stringify, visit, type Document, type Node, type Pair } from 'yaml'
import { isDeepStrictEqual } from 'node:util'
import { isRecord, WireError } from '@mynah/contract'
import { countMerged, editsOf, isPlainScalar, keyOf, parsePositions } from './edit-nodes.js'
import { parseYaml } from './values.js'

type Path = readonly (string | number)[]
interface Change {
  readonly path: Path
  readonly value: unknown
  readonly kind: 'set' | 'delete'
}
interface Range {
  readonly start: number
  readonly end: number
}

const MAX_MERGED = 100_000

const AMBIGUOUS =
  'The configuration file uses YAML that parsers read differently, such as a key without a name; ' +
  'edit the YAML instead'

/**
 * Returns whether the parser of the editor reads the same values as the parser of the host. When it does not, positions
 * may be those of another value.
 */
export function parsersAgree(document: Document, values: Record<string, unknown>): boolean {
  if (document.errors.length > 0 || countMerged(document) > MAX_MERGED) return false
  return isDeepStrictEqual(document.toJS({ maxAliasCount: -1 }) ?? {}, values)
}

function collectChanges(old: unknown, fresh: unknown, path: Path, out: Change[]): void {
  if (isDeepStrictEqual(old, fresh)) return
  if (isRecord(old) && isRecord(fresh)) {
    for (const key of Object.keys(old))
      if (!Object.hasOwn(fresh, key)) out.push({ path: [...path, key], value: undefined, kind: 'delete' })
    for (const [key, value] of Object.entries(fresh)) {
      if (Object.hasOwn(old, key)) collectChanges(old[key], value, [...path, key], out)
      else out.push({ path: [...path, key], value, kind: 'set' })
    }
    return
  }
  if (Array.isArray(old) && Array.isArray(fresh) && old.length === fresh.length) {
    fresh.forEach((value, index) => collectChanges(old[index], value, [...path, index], out))
    return
  }
  out.push({ path, value: fresh, kind: 'set' })
}

/** Returns the text of a scalar that is valid in any context. It is quoted unless it is a plain word. */
function scalarText(value: unknown): string {
  const text = stringify(value, { lineWidth: 0 }).replace(/\n$/, '')
  return typeof value !== 'string' || /^[A-Za-z_][\w./@-]*$/.test(text) || (text === value && /^\$\{\w+\}$/.test(text))
    ? text
    : JSON.stringify(value)
}

/**
 * Returns the range of a top-level key and its value. Blank and comment lines before the next key belong to the next
 * key.
 */
function sectionRange(text: string, document: Document, key: string): Range | undefined {
  const map = document.contents
  if (!isMap(map) || map.flow) return undefined
  const index = map.items.findIndex((pair) => isScalar(pair.key) && pair.key.value === key)
  if (index < 0) return undefined
  const startOf = (pair: Pair): number => (pair.key as Node).range?.[0] ?? 0
  const start = startOf(map.items[index] as Pair)
  // Text before the key on its line, such as an anchor or an indentation, cannot be moved.
  if (start > 0 && text[start - 1] !== '\n' && text.charCodeAt(start - 1) !== 0xfeff) return undefined
  const next = map.items[index + 1]
  let end = next ? startOf(next) : text.length
  if (next && text[end - 1] !== '\n') return undefined
  const last = lastContent(text, start, end)
  // Exclude the comments and blank lines before the next key.
  while (end > last) {
    const lineStart = text.lastIndexOf('\n', end - 2) + 1
    if (lineStart < last || !isBlankOrComment(text.slice(lineStart, end))) break
    end = lineStart
  }
  return { start, end }
}

const isBlankOrComment = (line: string): boolean => line.startsWith('#') || line.trim() === ''

/** Returns the end of the value. Blank lines and comments may follow, but inside a block scalar both are content. */
function lastContent(text: string, start: number, end: number): number {
  let last = start
  visit(parsePositions(text.slice(start, end)), {
    Scalar: (_, { range, type }) => {
      if (range)
        last = Math.max(
          last,
          start +
            (type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED'
              ? text.slice(start, start + range[1]).trimEnd().length
              : range[1]),
        )
    },
  })
  return last
}

const notEditable = (top: string): WireError =>
  new WireError(
    'conflict',
    `The section "${top}" is written in a form that cannot be changed in place; edit the YAML instead`,
  )

/**
 * Replaces the value at `path`, which is a top-level key or a path below one. Nothing outside of the top-level section
 * changes. Verifies that the new text parses to the intended values before it is returned.
 *
 * @param value undefined removes the key
 * @throws WireError `conflict` if the section cannot be changed in place
 */
export function setSection(text: string, path: readonly string[], value: unknown): string {
  const before = parseYaml(text)
  if (!parsersAgree(parsePositions(text), before)) throw new WireError('conflict', AMBIGUOUS)
  const wanted = structuredClone(before)
  let holder: Record<string, unknown> = wanted
  for (const key of path.slice(0, -1)) {
    if (!isRecord(holder[key])) {
      if (value === undefined) return text
      holder[key] = {}
    }
    holder = holder[key] as Record<string, unknown>
  }
  if (value === undefined) delete holder[path.at(-1) as string]
  else holder[path.at(-1) as string] = value
  const [top] = path as readonly [string, ...string[]]
  for (const edited of candidateEdits(text, top, before, wanted)) if (parsesTo(edited, wanted)) return edited
  throw notEditable(top)
}

function parsesTo(text: string, wanted: Record<string, unknown>): boolean {
  try {
    return isDeepStrictEqual(parseYaml(text), wanted) && parsersAgree(parsePositions(text), wanted)
  } catch {
    // The edit broke the YAML.
    return false
  }
}

/** Yields texts with the change, the smallest edit first. */
function* candidateEdits(
  text: string,
  top: string,
  before: Record<string, unknown>,
  wanted: Record<string, unknown>,
): Generator<string> {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const write = (key: string, value: unknown): string =>
    stringify({ [key]: value }, { lineWidth: 0, merge: true }).replaceAll('\n', newline)
  const append = (): string => text + (text === '' || text.endsWith('\n') ? '' : newline) + write(top, wanted[top])
  if (!Object.hasOwn(before, top)) {
    yield Object.hasOwn(wanted, top) ? append() : text
    return
  }
  if (!Object.hasOwn(wanted, top)) {
    const range = sectionRange(text, parsePositions(text), top)
    if (range) yield text.slice(0, range.start) + text.slice(range.end)
    return
  }
  const changes: Change[] = []
  collectChanges(before[top], wanted[top], [top], changes)
  if (changes.length === 0) {
    yield text
    return
  }
  const whole = parsePositions(text)
  if (!isMap(whole.contents) || !whole.contents.items.some((pair) => keyOf(pair) === top)) {
    // A merge key gives the section.
    yield append()
    return
  }
  const patched = patchScalars(text, whole, changes)
  if (patched !== undefined) yield patched
  const range = sectionRange(text, whole, top)
  if (!range) return
  const put = (section: string): string => {
    const after = text.slice(range.end)
    const trimmed = withOneLineEnd(section).replaceAll('\r\n', '\n').replaceAll('\n', newline)
    return text.slice(0, range.start) + trimmed + after
  }
  const source = text.slice(range.start, range.end)
  yield* editsOf({ source, key: top, put }, before, wanted)
  // A section that cannot be changed in place is written again in plain form if no comment is lost.
  if (!source.includes('#')) yield put(stringify({ [top]: wanted[top] }, { lineWidth: 0, merge: true }))
}

/** Returns the text with exactly one line feed at its end. */
function withOneLineEnd(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n') end--
  return `${text.slice(0, end)}\n`
}

/** Replaces scalars by other scalars without changing anything else. Returns `undefined` for other changes. */
function patchScalars(text: string, document: Document, changes: readonly Change[]): string | undefined {
  const splices: { start: number; end: number; text: string }[] = []
  for (const { path, value, kind } of changes) {
    const node = document.getIn(path, true)
    if (kind === 'delete' || !isPlainScalar(value) || !isScalar(node) || !node.range) return undefined
    const [start, end] = node.range
    // A block scalar's range ends after its last line break, and an empty one has none.
    if (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED' || start === end) return undefined
    splices.push({ start, end, text: scalarText(value) })
  }
  return splice(text, splices)
}

/** Returns the text with pieces of it replaced. */
export function splice(
  text: string,
  pieces: readonly { readonly start: number; readonly end: number; readonly text: string }[],
): string {
  let result = text
  for (const { start, end, text: piece } of Array.from(pieces).sort((a, b) => b.start - a.start))
    result = result.slice(0, start) + piece + result.slice(end)
  return result
}
