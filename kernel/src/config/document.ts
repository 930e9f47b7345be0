// Parses configuration files, bounded in size, depth and expansion.
import { CORE_SCHEMA, getScalarValue, load, mergeTag, parseEvents, YAMLException, type Event } from 'js-yaml'
import type { SourceLocation } from '../base/errors.js'
import { messageOf } from '../base/to-error.js'
import { joinPath } from './key-path.js'
import { problem, type Problem } from './problem.js'
import { syntaxProblem } from './syntax-error.js'

const MAX_BYTES = 2 * 1024 * 1024
const MAX_DEPTH = 100
const MAX_ALIASES = 100
// A small text with nested aliases may expand to very many values.
const MAX_VALUES = 200_000
const SCHEMA = CORE_SCHEMA.withTags(mergeTag)

export type Section = Record<string, unknown>

/** A parsed configuration file. */
export interface ConfigDocument {
  /** Name of the file as messages show it. */
  readonly file: string
  readonly text: string
  /** The values, with `${…}` as written. */
  readonly source: Section
  /** Returns the location of a key path, or that of its nearest ancestor in the file. */
  place(path: string): SourceLocation
}

/** Parses YAML text. Returns problems instead of throwing them. */
export function parseDocument(text: string, file: string): { document?: ConfigDocument; problems: Problem[] } {
  const syntax = (message: string, line?: number) => ({
    problems: [problem('fatal', 'config/syntax', message, line === undefined ? { file } : { file, line })],
  })
  if (text.length > MAX_BYTES) return syntax(`the file is larger than ${MAX_BYTES / 1024 / 1024} MiB`)
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  let loaded: unknown
  try {
    loaded = isBlank(body) ? {} : load(body, { schema: SCHEMA, maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES })
  } catch (error) {
    if (!(error instanceof YAMLException)) return syntax(messageOf(error))
    const { message, line } = syntaxProblem(error, body)
    return syntax(message, line)
  }
  const lines = new LineIndex(body)
  const place = (path: string): SourceLocation => lines.place(file, path)
  if (loaded === null) loaded = {}
  if (typeof loaded !== 'object' || Array.isArray(loaded)) {
    return {
      problems: [problem('fatal', 'config/shape', 'the file must be a mapping of keys to sections', { file, line: 1 })],
    }
  }
  const problems: Problem[] = []
  const source = copyPlain(loaded, place, problems)
  return problems.length ? { problems } : { document: { file, text, source: source as Section, place }, problems }
}

const isBlank = (text: string): boolean => text.split('\n').every((line) => /^\s*(#.*)?$/.test(line))

class TooLarge extends Error {}

/** Copies loaded values without shared or circular parts, and refuses values that JSON cannot express. */
function copyPlain(loaded: unknown, place: (path: string) => SourceLocation, problems: Problem[]): unknown {
  let values = 0
  const refuse = (path: string, message: string): undefined => {
    if (problems.length < 20) problems.push(problem('fatal', 'config/syntax', `${path} ${message}`, place(path)))
    return undefined
  }
  const copy = (value: unknown, path: string, depth: number): unknown => {
    if (++values > MAX_VALUES || depth > MAX_DEPTH) throw new TooLarge()
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) return refuse(path, 'is not a finite number')
      return Math.abs(value) > Number.MAX_SAFE_INTEGER
        ? refuse(path, 'is a number too large to be kept exactly; put it in quotes')
        : value
    }
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item, index) => copy(item, joinPath(path, index), depth + 1))
    const result: Section = {}
    for (const [key, inner] of Object.entries(value)) {
      if (key === '__proto__') refuse(joinPath(path, key), 'is not allowed as a key')
      else result[key] = copy(inner, joinPath(path, key), depth + 1)
    }
    return result
  }
  try {
    return copy(loaded, '', 0)
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    problems.push(
      problem(
        'fatal',
        'config/syntax',
        `aliases make this file grow beyond ${MAX_VALUES} values or ${MAX_DEPTH} levels`,
        place(''),
      ),
    )
    return undefined
  }
}

/** Finds the lines of key paths. Computes them on first use. */
class LineIndex {
  readonly #text: string
  #offsets: Map<string, number> | undefined
  #starts: number[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  place(file: string, path: string): SourceLocation {
    this.#offsets ??= isBlank(this.#text) ? new Map() : offsetsOf(this.#text)
    for (let known = path; known; known = parentOf(known)) {
      const offset = this.#offsets.get(known)
      if (offset !== undefined) return { file, line: lineAt((this.#starts ??= startsOf(this.#text)), offset), path }
    }
    return path ? { file, path } : { file }
  }
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.'), path.lastIndexOf('[')))

/** Returns the offset of the start of each line. */
function startsOf(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Returns the line of an offset, from 1. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] as number) <= offset) low = middle + 1
    else high = middle
  }
  return low
}

/** A collection whose end has not been parsed yet. */
interface OpenCollection {
  readonly path: string
  index: number
  key: string | undefined
  readonly mapping: boolean
}

function startOf(event: Event): number {
  if ('start' in event) return event.start
  if ('valueStart' in event) return event.valueStart
  return 'anchorStart' in event ? event.anchorStart : -1
}

/** Returns the offset of each key, and of each item of a list, by path. */
function offsetsOf(text: string): Map<string, number> {
  const index = new OffsetIndex(text)
  for (const event of parseEvents(text, { maxDepth: MAX_DEPTH })) index.add(event)
  return index.offsets
}

/** Collects offsets from the events of a parser. */
class OffsetIndex {
  readonly offsets = new Map<string, number>()
  readonly #text: string
  readonly #open: OpenCollection[] = []
  /** Number of open collections within a key. Loading refuses such keys, so only the count matters. */
  #depthOfKey = 0

  constructor(text: string) {
    this.#text = text
  }

  add(event: Event): void {
    if (event.type === EVENT.document) return
    if (event.type === EVENT.pop) {
      if (this.#depthOfKey > 0) this.#depthOfKey--
      else this.#open.pop()
      return
    }
    const isCollection = event.type === EVENT.mapping || event.type === EVENT.sequence
    if (this.#depthOfKey > 0) {
      if (isCollection) this.#depthOfKey++
      return
    }
    const parent = this.#open.at(-1)
    if (parent?.mapping && parent.key === undefined) this.#addKey(parent, event, isCollection)
    else this.#addValue(parent, event, isCollection)
  }

  #addKey(parent: OpenCollection, event: Event, isCollection: boolean): void {
    if (event.type !== EVENT.scalar) {
      if (isCollection) this.#depthOfKey++
      parent.key = ''
      return
    }
    parent.key = event.valueStart < 0 ? '' : getScalarValue(this.#text, event)
    this.offsets.set(joinPath(parent.path, parent.key), startOf(event))
  }

  #addValue(parent: OpenCollection | undefined, event: Event, isCollection: boolean): void {
    let path = ''
    if (parent) {
      path = joinPath(parent.path, parent.mapping ? (parent.key as string) : parent.index++)
      if (!parent.mapping) this.offsets.set(path, startOf(event))
      parent.key = undefined
    }
    if (isCollection) this.#open.push({ path, index: 0, key: undefined, mapping: event.type === EVENT.mapping })
  }
}

const EVENT = { document: 1, sequence: 2, mapping: 3, scalar: 4, pop: 6 } as const
