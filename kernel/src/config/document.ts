// The text of a configuration file as plain values: bounded in size, depth and expansion, every value with its line.
import { CORE_SCHEMA, getScalarValue, load, parseEvents, YAMLException, type Event } from 'js-yaml'
import type { SourceLocation } from '../base/errors.js'
import { messageOf } from '../base/to-error.js'
import { problem, type Problem } from './problem.js'

const MAX_BYTES = 2 * 1024 * 1024
const MAX_DEPTH = 100
const MAX_ALIASES = 100
// Aliases multiply: the text may be small while its values are not.
const MAX_VALUES = 200_000

export type Section = Record<string, unknown>

/** A parsed configuration file. */
export interface ConfigDocument {
  /** Name of the file as messages show it. */
  readonly file: string
  readonly text: string
  /** The values as written, `${…}` and all. */
  readonly source: Section
  /** Where a key path stands; of a path that is not there, where its nearest ancestor stands. */
  place(path: string): SourceLocation
}

/** Joins a key path in the form used by all messages: `adapters[0].name`. */
export function joinPath(base: string, key: string | number): string {
  return typeof key === 'number' ? `${base}[${key}]` : base ? `${base}.${key}` : key
}

/** Reads YAML text; problems come back instead of being thrown. */
export function parseDocument(text: string, file: string): { document?: ConfigDocument; problems: Problem[] } {
  const syntax = (message: string, line?: number) => ({
    problems: [problem('fatal', 'config/syntax', message, line === undefined ? { file } : { file, line })],
  })
  if (text.length > MAX_BYTES) return syntax(`the file is larger than ${MAX_BYTES / 1024 / 1024} MiB`)
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  let loaded: unknown
  try {
    loaded = isBlank(body) ? {} : load(body, { schema: CORE_SCHEMA, maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES })
  } catch (error) {
    if (!(error instanceof YAMLException)) return syntax(messageOf(error))
    return syntax(error.reason, error.mark ? error.mark.line + 1 : undefined)
  }
  const lines = new Lines(body)
  const place = (path: string): SourceLocation => lines.place(file, path)
  if (loaded === null) loaded = {}
  if (typeof loaded !== 'object' || Array.isArray(loaded)) {
    return {
      problems: [problem('fatal', 'config/shape', 'the file must be a mapping of keys to sections', { file, line: 1 })],
    }
  }
  const problems: Problem[] = []
  const source = plain(loaded, place, problems)
  return problems.length ? { problems } : { document: { file, text, source: source as Section, place }, problems }
}

const isBlank = (text: string): boolean => text.split('\n').every((line) => /^\s*(#.*)?$/.test(line))

class TooLarge extends Error {}

/** A copy without shared or circular parts, in which every value has a meaning in JSON. */
function plain(loaded: unknown, place: (path: string) => SourceLocation, problems: Problem[]): unknown {
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

/** Lines of key paths, computed when the first message asks for one. */
class Lines {
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

/** Where each line of a text begins. */
function startsOf(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The line, from 1, that an offset is in. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] as number) <= offset) low = middle + 1
    else high = middle
  }
  return low
}

interface Open {
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

/** The offset of each key (of items of lists: of the item) by path. */
function offsetsOf(text: string): Map<string, number> {
  const offsets = new Map<string, number>()
  const open: Open[] = []
  let depthOfKey = 0
  for (const event of parseEvents(text, { maxDepth: MAX_DEPTH })) {
    if (event.type === EVENT.document) continue
    if (event.type === EVENT.pop) {
      if (depthOfKey > 0) depthOfKey--
      else open.pop()
      continue
    }
    const parent = open.at(-1)
    const isCollection = event.type === EVENT.mapping || event.type === EVENT.sequence
    // Collections as keys are refused when the text is loaded, so this only keeps the count of open collections right.
    if (depthOfKey > 0) {
      if (isCollection) depthOfKey++
      continue
    }
    let path = ''
    if (parent?.mapping && parent.key === undefined) {
      if (event.type !== EVENT.scalar) {
        if (isCollection) depthOfKey++
        parent.key = ''
        continue
      }
      parent.key = event.valueStart < 0 ? '' : getScalarValue(text, event)
      offsets.set(joinPath(parent.path, parent.key), startOf(event))
      continue
    }
    if (parent) {
      path = joinPath(parent.path, parent.mapping ? (parent.key as string) : parent.index++)
      if (!parent.mapping) offsets.set(path, startOf(event))
      parent.key = undefined
    }
    if (isCollection) open.push({ path, index: 0, key: undefined, mapping: event.type === EVENT.mapping })
  }
  return offsets
}

const EVENT = { document: 1, sequence: 2, mapping: 3, scalar: 4, pop: 6 } as const
