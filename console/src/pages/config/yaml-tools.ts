import { Validator, type OutputUnit } from '@cfworker/json-schema'
import { isMap, isSeq, LineCounter, parseDocument, stringify, visit, type Document } from 'yaml'
import { SECRET_MASK } from '@mynah/contract/wire'
import { changesOf, getIn, isRecord, variablesOf, type Json, type Path } from './model.js'

export interface Problem {
  readonly path: Path
  /** The keyword of the schema, or `unknown` for an undeclared key. */
  readonly keyword: string
  /** The value of the keyword. */
  readonly expected: unknown
  readonly near?: string
  /** Description of a pattern, and an example that matches. */
  readonly said?: string
  readonly example?: string
}

const unescape = (part: string): string => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')

function pathOf(pointer: string, value: unknown): Path {
  const path: (string | number)[] = []
  for (const part of pointer.split('/').slice(1)) {
    const name = unescape(part)
    path.push(Array.isArray(getIn(value, path)) ? Number(name) : name)
  }
  return path
}

function at(schema: unknown, pointer: string): unknown {
  let current = schema
  for (const part of pointer.split('/').slice(1))
    current =
      isRecord(current) || Array.isArray(current) ? (current as Record<string, unknown>)[unescape(part)] : undefined
  return current
}

/** Returns the schema that contains a keyword. */
function parentOf(schema: unknown, pointer: string): unknown {
  for (let cut = pointer.lastIndexOf('/'); cut >= 0; cut = pointer.lastIndexOf('/', cut - 1)) {
    const found = at(schema, pointer.slice(0, cut))
    if (isRecord(found)) return found
    if (cut === 0) break
  }
  return schema
}

/** Returns the edit distance of two names, up to a bound. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length] ?? 0
}

/** Returns the known name that is nearest to a wrong one, if any is near. */
export const nearest = (name: string, names: readonly string[]): string | undefined =>
  names
    .map((known) => ({ known, away: distance(name.slice(0, 64), known) }))
    .filter(({ away, known }) => away <= Math.max(1, Math.ceil(known.length / 3)))
    .sort((a, b) => a.away - b.away)[0]?.known

const OUTER = new Set(['properties', 'items', 'prefixItems', 'patternProperties', 'additionalItems', 'allOf', '$ref'])

/** Returns the names of the properties that a schema declares. */
const declaredIn = (schema: unknown): Json =>
  isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {}

/** Returns the required keys that `value` lacks and that have no default. */
function missingKeys(schema: unknown, value: unknown): string[] {
  if (!isRecord(schema) || !Array.isArray(schema['required'])) return []
  const declared = declaredIn(schema)
  return (schema['required'] as string[]).filter((key) => {
    if (isRecord(value) && Object.hasOwn(value, key)) return false
    const property = declared[key]
    return !(isRecord(property) && 'default' in property)
  })
}

/** Returns whether the failure only repeats one of an inner schema. */
const isOuter = ({ keyword, keywordLocation }: OutputUnit): boolean =>
  OUTER.has(keyword) || /\/(?:anyOf|oneOf)\/\d+/.test(keywordLocation) || keyword === 'additionalProperties'

/** Returns the problems that one failure of the validator stands for. */
function problemsOf(unit: OutputUnit, schema: Json, value: unknown): Problem[] {
  const { keyword, instanceLocation, keywordLocation } = unit
  const path = pathOf(instanceLocation, value)
  const there = getIn(value, path)
  if (variablesOf(there).length > 0 || there === SECRET_MASK) return []
  const parent = parentOf(schema, keywordLocation)
  if (keyword === 'required')
    return missingKeys(parent, there).map((key) => ({ path: [...path, key], keyword, expected: undefined }))
  const expected = isRecord(parent) ? parent[keyword] : undefined
  if (keyword === 'pattern') return [{ path, keyword, expected, ...formOf(parent) }]
  if (keyword !== 'false') return [{ path, keyword, expected }]
  const name = String(path.at(-1) ?? '')
  const known = Object.keys(declaredIn(parent))
  // The validator reports a known key with a wrong value as an unknown one, too.
  if (known.includes(name)) return []
  const near = nearest(name, known)
  return [{ path, keyword: 'unknown', expected, ...(near ? { near } : {}) }]
}

/** Validates a section. References to the environment and stored secrets are left to the host. */
export function check(schema: Json, value: unknown): Problem[] {
  const found = new Map<string, Problem>()
  const units: OutputUnit[] = new Validator(schema as object, '2020-12', false).validate(value ?? {}).errors
  for (const problem of units.filter((unit) => !isOuter(unit)).flatMap((unit) => problemsOf(unit, schema, value))) {
    const id = `${problem.path.join('/')} ${problem.keyword}`
    if (!found.has(id)) found.set(id, problem)
  }
  return [...found.values()]
}

function formOf(schema: unknown): Pick<Problem, 'said' | 'example'> {
  if (!isRecord(schema)) return {}
  const { description, examples } = schema
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined
  return {
    ...(typeof description === 'string' ? { said: description } : {}),
    ...(typeof example === 'string' ? { example } : {}),
  }
}

export interface YamlProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}
export interface Parsed {
  readonly value: Json | undefined
  readonly problems: readonly YamlProblem[]
  readonly lineOf: (path: Path) => number | undefined
}

const LONGEST = 1_048_576

/** Parses a file. Problems have their line. */
export function parse(text: string): Parsed {
  if (text.length > LONGEST)
    return {
      value: undefined,
      problems: [{ line: 1, column: 1, message: `The file is longer than ${LONGEST} characters` }],
      lineOf: () => undefined,
    }
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true })
  const problems = document.errors.map((error) => {
    const { line, col } = lines.linePos(error.pos[0])
    return { line, column: col, message: error.message }
  })
  const value: unknown = problems.length > 0 ? undefined : document.toJS({ maxAliasCount: 100 })
  const lineOf = (path: Path): number | undefined => {
    for (let depth = path.length; depth > 0; depth--) {
      const parent = depth === 1 ? document.contents : document.getIn(path.slice(0, depth - 1), true)
      const name = path[depth - 1]
      let node: unknown
      if (isMap(parent)) node = parent.items.find((item) => String(item.key) === String(name))?.key
      else if (isSeq(parent)) node = parent.items[Number(name)]
      const offset = (node as { range?: readonly number[] } | undefined)?.range?.[0]
      if (offset !== undefined) return lines.linePos(offset).line
    }
    return undefined
  }
  const empty = value === null ? {} : undefined
  return { value: isRecord(value) ? value : empty, problems, lineOf }
}

const opened = (text: string): Document => parseDocument(text, { keepSourceTokens: true, merge: true })

/**
 * Returns `text` with the section at `path` changed to `after`. Only differing values are touched, so comments and
 * order stay.
 */
export function patch(text: string, path: Path, before: unknown, after: unknown): string {
  const document = opened(text)
  for (const change of changesOf(before, after)) {
    const full = [...path, ...change.path]
    if (change.after === undefined) document.deleteIn(full)
    // Reuse the node for a plain value, so that its comment stays.
    else
      document.setIn(
        full,
        typeof change.after === 'object' && change.after !== null ? document.createNode(change.after) : change.after,
      )
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: true })
}

/** Returns a file as `patch` would print it, so that a diff shows only real changes. */
export function normalized(text: string): string {
  const document = opened(text)
  visit(document, {})
  return document.toString({ lineWidth: 0, flowCollectionPadding: true })
}

export const toYaml = (value: unknown): string => (value === undefined ? '' : stringify(value, { lineWidth: 0 }))
