// Changes the nodes of a section. Comments, order, aliases and merge keys stay where the values allow it.
import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '@mynah/contract'
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { tryParseYaml } from './values.js'

type Values = Readonly<Record<string, unknown>>

/** Parses a text for positions. The text must have passed the limits of {@link parseYaml}. */
export function parsePositions(text: string): Document {
  return parseDocument(text, { keepSourceTokens: false, uniqueKeys: true, merge: true, logLevel: 'silent' })
}

/** Returns whether a pair is a merge key, `<<: *base`. */
export const isMerge = ({ key }: Pair): boolean => isScalar(key) && typeof key.value === 'symbol'

/** Returns the key of a pair as the values have it. */
export const keyOf = ({ key }: Pair): string => String(isScalar(key) ? key.value : key)

export const isPlainScalar = (value: unknown): boolean =>
  value === null ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && !value.includes('\n'))

/**
 * Returns how many mappings the parser visits for merge keys. Each merge of a mapping that merges others visits these
 * again, so that a short text may take it for ever.
 */
export function countMerged(document: Document): number {
  const counts = new Map<unknown, number>()
  const count = (node: unknown): number => {
    const source = isAlias(node) ? node.resolve(document) : node
    if (isSeq(source)) return source.items.reduce<number>((sum, item) => sum + count(item), 0)
    if (!isMap(source)) return 1
    const known = counts.get(source)
    if (known !== undefined) return known
    const total = source.items.filter(isMerge).reduce((sum, { value }) => sum + count(value), 1)
    counts.set(source, total)
    return total
  }
  let all = 0
  visit(document, { Map: (_, map) => void (all += count(map)) })
  return all
}

/** A section of a text, alone, so that its aliases may have their anchors elsewhere. */
export interface SectionText {
  readonly source: string
  readonly key: string
  /** Returns the whole text with the section replaced. */
  readonly put: (section: string) => string
}

/** A changed anchor changes its aliases, which are written out in the next round. */
const MAX_ROUNDS = 3

/** Yields whole texts in which the section has the wanted values, or nearly, the smallest change first. */
export function* editsOf({ source, key, put }: SectionText, before: Values, wanted: Values): Generator<string> {
  const anchors = new Set(anchorsIn(parsePositions(source)))
  let lost = new Set<string>()
  do {
    const section = parsePositions(source)
    if (section.errors.length > 0) return
    const editor = new NodeEditor(section, lost)
    let actual: Values | undefined = before
    for (let round = 0; round < MAX_ROUNDS && actual; round++) {
      section.contents = editor.edit(section.contents, { [key]: actual[key] }, { [key]: wanted[key] }) as Node
      const text = put(section.toString({ lineWidth: 0, verifyAliasOrder: false }))
      yield text
      actual = tryParseYaml(text)
      if (isDeepStrictEqual(actual, wanted)) break
    }
    // Values whose anchor is gone, or comes after them now, are written out.
    lost = lost.size > 0 ? new Set() : lostAnchors(section, anchors)
  } while (lost.size > 0)
}

const anchorOf = (node: unknown): string | undefined =>
  isAlias(node) ? undefined : (node as { anchor?: string }).anchor || undefined

function anchorsIn(document: Document): string[] {
  const found: string[] = []
  visit(document, { Node: (_, node) => void found.push(anchorOf(node) ?? '') })
  return found.filter(Boolean)
}

function lostAnchors(document: Document, known: ReadonlySet<string>): Set<string> {
  const [seen, lost] = [new Set<string>(), new Set<string>()]
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node) && known.has(node.source) && !seen.has(node.source)) lost.add(node.source)
      const anchor = anchorOf(node)
      if (anchor !== undefined) seen.add(anchor)
    },
  })
  return lost
}

class NodeEditor {
  readonly #document: Document
  readonly #lost: ReadonlySet<string>

  /** @param lost anchors whose aliases are written out */
  constructor(document: Document, lost: ReadonlySet<string>) {
    this.#document = document
    this.#lost = lost
  }

  /** Changes a node from the values that it has. Returns it, or the one that replaces it. */
  edit(node: unknown, old: unknown, fresh: unknown): unknown {
    const isEqual = isDeepStrictEqual(old, fresh)
    if (isEqual && this.#stays(node)) return node
    if (isMap(node) && isRecord(old) && isRecord(fresh)) return this.#editMap(node, old, fresh)
    if (isSeq(node) && Array.isArray(old) && Array.isArray(fresh)) return this.#editList(node, old, fresh)
    if (!isScalar(node) || !isPlainScalar(fresh)) return this.#replace(node, fresh)
    node.value = fresh
    // Otherwise a value of one line would keep the markers of a block scalar.
    if (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED') node.type = 'PLAIN'
    return node
  }

  /** Returns whether a node that has its values already needs no look inside. */
  #stays(node: unknown): boolean {
    if (isAlias(node)) return !this.#lost.has(node.source)
    return this.#lost.size === 0 || isScalar(node) || node === null
  }

  #create(value: unknown): Node {
    return this.#document.createNode(value, { aliasDuplicateObjects: false })
  }

  /** Creates a node in the place of another one, with its comments. */
  #replace(node: unknown, fresh: unknown): Node {
    const made = this.#create(fresh)
    if (!isNode(node)) return made
    made.comment = node.comment ?? null
    made.commentBefore = node.commentBefore ?? null
    // A word becomes some words in the same line.
    if (isScalar(node) && isMap(made) && made.items.every(({ value }) => isScalar(value))) made.flow = true
    return made
  }

  #editMap(map: YAMLMap, old: Values, fresh: Values): YAMLMap {
    const own = new Map(map.items.filter((pair) => !isMerge(pair)).map((pair) => [keyOf(pair), pair]))
    const merged = Object.keys(old).filter((key) => !own.has(key))
    // A merge gives all keys of its source or none.
    const isWrittenOut =
      merged.some((key) => !Object.hasOwn(fresh, key)) ||
      map.items.some((pair) => isMerge(pair) && this.#usesLost(pair.value))
    map.items = map.items.filter((pair) => (isMerge(pair) ? !isWrittenOut : Object.hasOwn(fresh, keyOf(pair))))
    for (const [key, value] of Object.entries(fresh)) {
      const pair = own.get(key)
      if (pair) pair.value = this.edit(pair.value, old[key], value)
      else if (isWrittenOut || !Object.hasOwn(old, key) || !isDeepStrictEqual(old[key], value))
        map.items.push(this.#document.createPair(key, value, { aliasDuplicateObjects: false }))
    }
    return map
  }

  #usesLost(source: unknown): boolean {
    if (isSeq(source)) return source.items.some((item) => this.#usesLost(item))
    return isAlias(source) && this.#lost.has(source.source)
  }

  #editList(list: YAMLSeq, old: readonly unknown[], fresh: readonly unknown[]): Node {
    if (fresh.length === 0) return this.#create([])
    const nodes = list.items
    // Equal items keep their comments, even if they have moved.
    const kept = old.map((value, index) => ({ value, index }))
    list.items = fresh.map((value, index) => {
      if (old.length === fresh.length) return this.edit(nodes[index], old[index], value)
      const found = kept.findIndex((candidate) => isDeepStrictEqual(candidate.value, value))
      if (found < 0) return this.#create(value)
      const [item] = kept.splice(found, 1)
      return this.edit(nodes[item?.index ?? 0], value, value)
    })
    return list
  }
}
