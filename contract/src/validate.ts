import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { WireError, type Detail } from './codes.js'

const KEYWORDS = ['secret', 'restart', 'example', 'widget', 'basic']
const MAX_DETAILS = 20
/** Larger values are checked up to their first mistake, since each part may have one. */
const MAX_PARTS = 2_000

interface Mode {
  readonly coerce: boolean
  readonly all: boolean
}

function createAjv({ coerce, all }: Mode): Ajv2020 {
  // Compiling refuses unusable schemas. The meta-schema would take 50 ms to load.
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

/** Compiles schemas on first use, once for each schema object. */
class Validators {
  readonly #mode: Mode
  readonly #compiled = new WeakMap<object, ValidateFunction>()
  #ajv: Ajv2020 | undefined

  constructor(mode: Mode) {
    this.#mode = mode
  }

  of(schema: object): ValidateFunction {
    const known = this.#compiled.get(schema)
    if (known) return known
    const ajv = (this.#ajv ??= createAjv(this.#mode))
    const validate = ajv.compile(schema)
    this.#compiled.set(schema, validate)
    // Ajv keeps all compiled schemas. The weak map keeps one only as long as the schema object exists.
    ajv.removeSchema(schema)
    return validate
  }
}

/** Validators that stop at the first mistake. */
const first = {
  query: new Validators({ coerce: true, all: false }),
  value: new Validators({ coerce: false, all: false }),
}
/** Validators that find all mistakes. */
const every = {
  query: new Validators({ coerce: true, all: true }),
  value: new Validators({ coerce: false, all: true }),
}

/** Returns whether a value is small enough to look for all of its mistakes. */
function isSmall(value: unknown): boolean {
  const open = [value]
  let left = MAX_PARTS
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const inner = Object.values(next)
    if ((left -= inner.length) < 0) return false
    for (const item of inner) open.push(item)
  }
  return true
}

function joinPath(base: string, key: string, isIndex: boolean): string {
  if (isIndex) return `${base}[${key}]`
  return base ? `${base}.${key}` : key
}

function pathOf(error: ErrorObject): string {
  const parts = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (error.keyword === 'required') parts.push(String(error.params.missingProperty))
  if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties')
    parts.push(String(error.params.additionalProperty ?? error.params.unevaluatedProperty))
  return parts.reduce((path, part) => joinPath(path, part, /^\d+$/.test(part)), '')
}

function messageOf(error: ErrorObject): string {
  switch (error.keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not known here'
    case 'enum':
      return `must be one of ${listOf(error.params.allowedValues as unknown[])}`
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`
    case 'type':
      return `must be ${[error.params.type].flat().join(' or ')}`
    case 'pattern':
      return describePattern(error.parentSchema ?? {}) ?? error.message ?? 'is not valid'
    default:
      return error.message ?? 'is not valid'
  }
}

/** Describes a pattern in the words of its schema, since few people read regular expressions. */
function describePattern({ description, examples }: Record<string, unknown>): string | undefined {
  const [example] = Array.isArray(examples) ? (examples as unknown[]) : []
  const words = [
    ...(typeof description === 'string' && description ? [description] : []),
    ...(typeof example === 'string' ? [`such as ${JSON.stringify(example)}`] : []),
  ]
  return words.length > 0
    ? `does not fit the form that is asked for${description ? ':' : ','} ${words.join(', ')}`
    : undefined
}

const listOf = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ')

/** Finds infinite numbers, to which a text such as `1e400` is coerced. */
function infinities(value: unknown, path = ''): Detail[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [{ path, message: 'must be a finite number' }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => infinities(inner, joinPath(path, key, Array.isArray(value))))
}

/**
 * Returns the mistakes of `value` against `schema`, at most 20, and fills defaults into it.
 *
 * @param options.coerce convert strings of a query to numbers and booleans
 */
export function mistakesIn(schema: object, value: unknown, { coerce = false } = {}): Detail[] {
  const kind = coerce ? 'query' : 'value'
  let validate = first[kind].of(schema)
  if (validate(value)) return coerce ? infinities(value) : []
  // Only invalid values are checked a second time.
  if (isSmall(value)) (validate = every[kind].of(schema))(value)
  const errors = validate.errors ?? []
  // A failed `anyOf` reports its branches and itself. Only the branches help, if there are any.
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
 * Fills defaults into a value that fits `schema`.
 *
 * @param place prefix of the paths, such as `query` or `body`
 * @throws WireError `invalid_request` with details when it does not fit
 */
export function assertFits(schema: object, value: unknown, place: string, options?: { coerce?: boolean }): void {
  const details = mistakesIn(schema, value, options)
  if (details.length === 0) return
  const placed = details.map(({ path, message }) => ({ path: [place, path].filter(Boolean).join('.'), message }))
  const first = placed[0] as Detail
  throw new WireError('invalid_request', `${first.path || 'The request'} ${first.message}`, { details: placed })
}
