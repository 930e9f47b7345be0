// The file as text with its secrets masked, and a text that comes back with its masks filled in.
import { SECRET_MASK, WireError } from '@mynah/contract'
import { isAlias, isMap, isScalar, isSeq, type Document, type Scalar } from 'yaml'
import { positions, spliced } from './edit.js'
import { eachSecret, noStoredSecret, oldPath, type SchemasByPath } from './secrets.js'
import { at, valuesOf } from './values.js'

type Path = readonly (string | number)[]

/** Calls `visit` for each scalar with its path, those behind an alias too. The text has passed {@link valuesOf}, so this ends. */
function eachScalar(document: Document, visit: (path: Path, node: Scalar) => void): void {
  const walk = (node: unknown, path: Path): void => {
    if (isAlias(node)) walk(node.resolve(document), path)
    else if (isMap(node))
      for (const pair of node.items) walk(pair.value, [...path, String(isScalar(pair.key) ? pair.key.value : pair.key)])
    else if (isSeq(node)) node.items.forEach((item, index) => walk(item, [...path, index]))
    else if (isScalar(node)) visit(path, node)
  }
  walk(document.contents, [])
}

/** The text with every secret scalar replaced by the mask; comments are kept as they are. */
export function maskYaml(text: string, schemas: SchemasByPath): string {
  const secrets = new Set<string>()
  eachSecret(valuesOf(text), schemas, (path) => secrets.add(JSON.stringify(path)))
  if (secrets.size === 0) return text
  const pieces = new Map<number, { start: number; end: number; text: string }>()
  eachScalar(positions(text), (path, { range, type }) => {
    if (!range || !secrets.has(JSON.stringify(path))) return
    const [start, end] = range
    const block = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED'
    pieces.set(start, { start, end, text: `"${SECRET_MASK}"${block && end < text.length ? '\n' : ''}` })
  })
  const masked = spliced(text, Array.from(pieces.values()))
  eachSecret(valuesOf(masked), schemas, (path) => {
    if (at(valuesOf(masked), path) !== SECRET_MASK)
      throw new WireError(
        'unsupported',
        `${path.join('.')} is a secret that cannot be masked in the text; use the form`,
      )
  })
  return masked
}

/** `fresh` with every mask replaced by the text that stands at its place of `old`. */
export function unmaskYaml(fresh: string, old: string): string {
  if (!fresh.includes(SECRET_MASK)) return fresh
  const freshValues = valuesOf(fresh)
  const oldValues = valuesOf(old)
  const pieces = new Map<number, { start: number; end: number; text: string }>()
  eachScalar(positions(fresh), (path, { value, range }) => {
    if (value !== SECRET_MASK || !range) return
    const stored = at(oldValues, oldPath(path, freshValues, oldValues))
    if (typeof stored !== 'string' && typeof stored !== 'number') throw noStoredSecret(path.join('.'))
    pieces.set(range[0], { start: range[0], end: range[1], text: JSON.stringify(stored) })
  })
  const text = spliced(fresh, Array.from(pieces.values()))
  // A mask that the editor's parser did not find would be stored in place of the secret.
  if (hasMask(valuesOf(text)))
    throw new WireError('unsupported', 'A masked secret cannot be restored in this text; use the form')
  return text
}

function hasMask(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === SECRET_MASK
  return Object.values(value).some(hasMask)
}
