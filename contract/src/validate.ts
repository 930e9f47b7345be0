// Checking values against schemas: compiled on first use, once per schema object, with errors that name the place.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { WireError, type Detail } from './codes.js'

const KEYWORDS = ['secret', 'restart', 'example', 'widget']
const MAX_DETAILS = 20
/** Values up to which all mistakes are looked for: there may be as many as there are values. */
const SMALL = 2_000

interface Mode {
  readonly coerce: boolean
  readonly all: boolean
}

function engine({ coerce, all }: Mode): Ajv2020 {
  // Compiling refuses what cannot be used; proving each schema against the schema of schemas would cost every start 50 ms.
  const ajv = new Ajv2020({
    validateSchema: false,
    meta: false,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: all,
    useDefaults: true,
    coerceTypes: coerce,
    verbose: true,
    ownProperties: true,
  })
  addFormats.default(ajv)
  for (const keyword of KEYWORDS) ajv.addKeyword(keyword)
  return ajv
}

class Validators {
  readonly #mode: Mode
  readonly #compiled = new WeakMap<object, ValidateFunction>()
  #engine: Ajv2020 | undefined

  constructor(mode: Mode) {
    this.#mode = mode
  }

  of(schema: object): ValidateFunction {
    const known = this.#compiled.get(schema)
    if (known) return known
    const ajv = (this.#engine ??= engine(this.#mode))
    const validate = ajv.compile(schema)
    this.#compiled.set(schema, validate)
    // The engine keeps every schema it compiled; ours lives as long as the schema object does.
    ajv.removeSchema(schema)
    return validate
  }
}

/** Stop at the first mistake, and tell all of them: for text of a query, and for values. */
const first = {
  query: new Validators({ coerce: true, all: false }),
  value: new Validators({ coerce: false, all: false }),
}
const every = {
  query: new Validators({ coerce: true, all: true }),
  value: new Validators({ coerce: false, all: true }),
}

/** Whether a value is small enough for each of its mistakes to be told. */
function isSmall(value: unknown): boolean {
  const open = [value]
  let left = SMALL
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const inner = Object.values(next)
    if ((left -= inner.length) < 0) return false
    for (const item of inner) open.push(item)
  }
  return true
}

function pathOf(error: ErrorObject): string {
  const parts = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (error.keyword === 'required') parts.push(String(error.params.missingProperty))
  if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties')
    parts.push(String(error.params.additionalProperty ?? error.params.unevaluatedProperty))
  return parts.reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '')
}

function messageOf(error: ErrorObject): string {
  switch (error.keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not known here'
    case 'enum':
      return `must be one of ${(error.params.allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`
    case 'type':
      return `must be ${[error.params.type].flat().join(' or ')}`
    default:
      return error.message ?? 'is not valid'
  }
}

/** Text such as `1e400` is coerced to a number that is none. */
function infinities(value: unknown, path = ''): Detail[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [{ path, message: 'must be a finite number' }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    infinities(inner, Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key),
  )
}

/** The mistakes of `value` against `schema`, or an empty list; defaults are filled into `value`. With `coerce`, strings of a query become numbers and booleans. */
export function mistakesIn(schema: object, value: unknown, { coerce = false } = {}): Detail[] {
  const kind = coerce ? 'query' : 'value'
  let validate = first[kind].of(schema)
  if (validate(value)) return coerce ? infinities(value) : []
  // A second look costs nobody who sends what is expected.
  if (isSmall(value)) (validate = every[kind].of(schema))(value)
  const errors = validate.errors ?? []
  // A failed `anyOf` reports each branch and itself: only the branches help, unless nothing else is said.
  const useful = errors.filter(
    (error) => error.keyword !== 'anyOf' && error.keyword !== 'oneOf' && error.keyword !== 'if',
  )
  const seen = new Set<string>()
  const details: Detail[] = []
  for (const error of useful.length ? useful : errors) {
    const detail = { path: pathOf(error), message: messageOf(error) }
    const key = `${detail.path}\n${detail.message}`
    if (seen.has(key)) continue
    seen.add(key)
    details.push(detail)
    if (details.length === MAX_DETAILS) break
  }
  return details
}

/**
 * Throws `invalid_request` with details where `value` does not fit `schema`; fills defaults otherwise.
 * `place` prefixes the paths (`query`, `body`).
 */
export function assertFits(schema: object, value: unknown, place: string, options?: { coerce?: boolean }): void {
  const details = mistakesIn(schema, value, options)
  if (details.length === 0) return
  const placed = details.map(({ path, message }) => ({
    path: path ? (place ? `${place}.${path}` : path) : place,
    message,
  }))
  const first = placed[0] as Detail
  throw new WireError('invalid_request', `${first.path || 'The request'} ${first.message}`, { details: placed })
}
