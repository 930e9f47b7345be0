import { noStoredSecretError, SECRET_MASK, WireError } from '@mynah/contract'
import { isAlias, isMap, isScalar, isSeq, type Document, type Scalar, type YAMLMap } from 'yaml'
import { isMerge, keyOf, parsePositions } from './edit-nodes.js'
import { splice } from './edit-yaml.js'
import { eachSecret, pathInOld, type SchemasByPath } from './secrets.js'
import { valueAt, parseYaml } from './values.js'

/** Values of mappings by their node, since mappings may merge each other many times. */
type Known = Map<YAMLMap, ReadonlyMap<string, unknown>>
type Path = readonly (string | number)[]

/**
 * Calls `visit` for each scalar, including those behind an alias or a merge key. Terminates, because the text has
 * passed {@link parseYaml}.
 */
function eachScalar(document: Document, visit: (path: Path, node: Scalar) => void): void {
  const known: Known = new Map()
  const walk = (node: unknown, path: Path): void => {
    if (isAlias(node)) walk(node.resolve(document), path)
    else if (isMap(node)) for (const [key, value] of valuesIn(node, document, known)) walk(value, [...path, key])
    else if (isSeq(node)) node.items.forEach((item, index) => walk(item, [...path, index]))
    else if (isScalar(node)) visit(path, node)
  }
  walk(document.contents, [])
}

/** Returns the nodes of the values of a mapping. Its own keys come before merged ones, and these in their order. */
function valuesIn(map: YAMLMap, document: Document, known: Known): ReadonlyMap<string, unknown> {
  const found = known.get(map)
  if (found) return found
  const values = new Map(map.items.filter((pair) => !isMerge(pair)).map((pair) => [keyOf(pair), pair.value]))
  const merge = (node: unknown): void => {
    const source = isAlias(node) ? node.resolve(document) : node
    if (isSeq(source)) source.items.forEach(merge)
    else if (isMap(source))
      for (const [key, value] of valuesIn(source, document, known)) if (!values.has(key)) values.set(key, value)
  }
  for (const pair of map.items) if (isMerge(pair)) merge(pair.value)
  known.set(map, values)
  return values
}

/** Returns the text with every secret scalar replaced by the mask. Comments stay. */
export function maskYaml(text: string, schemas: SchemasByPath): string {
  const secrets = new Set<string>()
  eachSecret(parseYaml(text), schemas, (path) => secrets.add(JSON.stringify(path)))
  if (secrets.size === 0) return text
  const pieces = new Map<number, { start: number; end: number; text: string }>()
  eachScalar(parsePositions(text), (path, { range, type }) => {
    if (!range || !secrets.has(JSON.stringify(path))) return
    const [start, end] = range
    const block = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED'
    pieces.set(start, { start, end, text: `"${SECRET_MASK}"${block && end < text.length ? '\n' : ''}` })
  })
  const masked = splice(text, Array.from(pieces.values()))
  eachSecret(parseYaml(masked), schemas, (path) => {
    if (valueAt(parseYaml(masked), path) !== SECRET_MASK)
      throw new WireError(
        'unsupported',
        `${path.join('.')} is a secret that cannot be masked in the text; use the form`,
      )
  })
  return masked
}

/** Returns `fresh` with every mask replaced by the stored secret of `old`. */
export function unmaskYaml(fresh: string, old: string): string {
  if (!fresh.includes(SECRET_MASK)) return fresh
  const freshValues = parseYaml(fresh)
  const oldValues = parseYaml(old)
  const pieces = new Map<number, { start: number; end: number; text: string }>()
  eachScalar(parsePositions(fresh), (path, { value, range }) => {
    if (value !== SECRET_MASK || !range) return
    const stored = valueAt(oldValues, pathInOld(path, freshValues, oldValues))
    if (typeof stored !== 'string' && typeof stored !== 'number') throw noStoredSecretError(path.join('.'))
    pieces.set(range[0], { start: range[0], end: range[1], text: JSON.stringify(stored) })
  })
  const text = splice(fresh, Array.from(pieces.values()))
  // A mask that the editor's parser did not find would be stored in place of the secret.
  if (hasMask(parseYaml(text)))
    throw new WireError('unsupported', 'A masked secret cannot be restored in this text; use the form')
  return text
}

function hasMask(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === SECRET_MASK
  return Object.values(value).some(hasMask)
}
