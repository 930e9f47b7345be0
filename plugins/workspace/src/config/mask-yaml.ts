// The file as text with its secrets masked, and a text that comes back with its masks filled in.
import { SECRET_MASK, WireError } from '@mynah/contract'
import { isMap, isScalar, isSeq, type Document } from 'yaml'
import { positions, valuesOf } from './edit.js'
import { at, eachSecret, oldPath, type SchemasByPath } from './secrets.js'

type Path = readonly (string | number)[]

function splice(text: string, pieces: { readonly range: readonly [number, number]; readonly text: string }[]): string {
  let out = text
  for (const { range, text: piece } of pieces.sort((a, b) => b.range[0] - a.range[0])) out = out.slice(0, range[0]) + piece + out.slice(range[1])
  return out
}

function rangeOf(document: Document, path: Path): [number, number] | undefined {
  const node = document.getIn(path, true)
  return isScalar(node) && node.range ? [node.range[0], node.range[1]] : undefined
}

/** The text with every secret scalar replaced by the mask; comments are kept as they are. */
export function maskYaml(text: string, schemas: SchemasByPath): string {
  const document = positions(text)
  const pieces: { range: [number, number]; text: string }[] = []
  eachSecret(valuesOf(text), schemas, (path) => {
    const range = rangeOf(document, path)
    // Reached through an alias: the anchor, which is masked where it stands, is another path of the same scalar.
    if (!range) return
    const block = /^[|>]/.test(text.slice(range[0], range[1]))
    pieces.push({ range, text: `"${SECRET_MASK}"${block ? '\n' : ''}` })
  })
  return splice(text, pieces)
}

/** `fresh` with every mask replaced by the text that stands at its place of `old`. */
export function unmaskYaml(fresh: string, old: string): string {
  if (!fresh.includes(SECRET_MASK)) return fresh
  const freshValues = valuesOf(fresh)
  const oldValues = valuesOf(old)
  const document = positions(fresh)
  const oldDocument = positions(old)
  const pieces: { range: [number, number]; text: string }[] = []
  const walk = (node: unknown, path: Path): void => {
    if (isMap(node)) for (const pair of node.items) walk(pair.value, [...path, String(isScalar(pair.key) ? pair.key.value : pair.key)])
    else if (isSeq(node)) node.items.forEach((item, index) => walk(item, [...path, index]))
    else if (isScalar(node) && node.value === SECRET_MASK && node.range) {
      const from = oldPath(path, freshValues, oldValues)
      const range = rangeOf(oldDocument, from)
      if (!range || typeof at(oldValues, from) !== 'string') {
        const shown = path.join('.')
        throw new WireError('invalid_request:config', `${shown} is masked, but no secret is stored there`, { details: [{ path: shown, message: 'is masked, but no secret is stored there' }] })
      }
      pieces.push({ range: [node.range[0], node.range[1]], text: JSON.stringify(at(oldValues, from)) })
    }
  }
  walk(document.contents, [])
  return splice(fresh, pieces)
}
