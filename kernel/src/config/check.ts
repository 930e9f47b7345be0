import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { closestMatch } from '../base/closest-match.js'
import { isPlainObject } from '../base/equal.js'
import { messageOf } from '../base/to-error.js'
import type { Checked, Checks } from '../core/entry.js'
import { claimsOf, type AnyPlugin, type Mistake } from '../core/plugin.js'
import { joinPath } from './key-path.js'

const MAX_MISTAKES = 20
// By schema object, so that a reload does not compile them again.
const compiled = new WeakMap<object, ValidateFunction>()
let compile: ((schema: object) => ValidateFunction) | undefined

/** Loads the validator if a plugin has a configuration, since loading it takes tens of milliseconds. */
export function prepareChecks(plugins: readonly AnyPlugin[]): Promise<void> | undefined {
  return compile || !plugins.some((plugin) => claimsOf(plugin).length) ? undefined : loadValidator()
}

/** Loads the validator once. */
export async function loadValidator(): Promise<void> {
  if (compile) return
  const [{ Ajv2020 }, { default: addFormats }] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')])
  const createAjv = (validateSchema: boolean) => {
    // A section is checked once or twice: optimizing the generated code would cost more than it saves.
    const ajv = new Ajv2020({
      validateSchema,
      meta: validateSchema,
      strict: true,
      strictTypes: false,
      strictRequired: false,
      allErrors: true,
      useDefaults: true,
      verbose: true,
      ownProperties: true,
      code: { optimize: false },
    })
    addFormats.default(ajv)
    // Annotations for forms, masking and variables.
    for (const keyword of ['descriptions', 'secret', 'restart', 'example', 'widget', 'basic', 'mayBeUnset'])
      ajv.addKeyword(keyword)
    return ajv
  }
  // Compiling refuses unusable schemas. Only then the meta-schema, which takes 50 ms to load, gives a better message.
  const ajv = createAjv(false)
  compile = (whole) => {
    // `checkSection` fills in a default of the section itself. Ajv refuses a default at the root.
    const { default: _root, ...schema } = whole as { default?: unknown }
    let validate: ValidateFunction
    try {
      validate = ajv.compile(schema)
    } catch (error) {
      createAjv(true).compile(schema)
      throw error
    }
    ajv.removeSchema(schema)
    return validate
  }
}

function validator(schema: object): ValidateFunction {
  let validate = compiled.get(schema)
  if (!validate) {
    if (!compile) throw new Error('prepareChecks has not run')
    compiled.set(schema, (validate = compile(schema)))
  }
  return validate
}

function pathOf(base: string, error: ErrorObject): string {
  const parts = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (error.keyword === 'required') parts.push(String(error.params.missingProperty))
  if (error.keyword === 'additionalProperties') parts.push(String(error.params.additionalProperty))
  return parts.reduce((path, part) => joinPath(path, /^\d+$/.test(part) ? Number(part) : part), base)
}

/** Returns the constants of an `anyOf` that consists of constants only. */
function choicesOf({ keyword, schema }: ErrorObject): unknown[] | undefined {
  if (keyword !== 'anyOf' || !Array.isArray(schema)) return undefined
  return schema.every((branch: object) => 'const' in branch)
    ? schema.map((branch: { const: unknown }) => branch.const)
    : undefined
}

function textOf(error: ErrorObject): string {
  const choices = choicesOf(error)
  if (choices) return `must be one of ${listOf(choices)}`
  switch (error.keyword) {
    case 'required':
      return 'is required'
    case 'enum':
      return `must be one of ${listOf(error.params.allowedValues as unknown[])}`
    case 'type':
      return `must be ${[error.params.type].flat().join(' or ')}, not ${kindOf(error.data)}`
    case 'additionalProperties': {
      const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {})
      return `is not known here${hintFor(String(error.params.additionalProperty), known)}`
    }
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`
    case 'pattern':
      return describePattern(error.parentSchema as DescribedPattern) ?? error.message ?? 'is not valid'
    default:
      return error.message ?? 'is not valid'
  }
}

const listOf = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ')

function hintFor(key: string, known: readonly string[]): string {
  const meant = closestMatch(key, known)
  if (meant) return `; did you mean "${meant}"?`
  return known.length ? `; known are ${known.join(', ')}` : ''
}

interface DescribedPattern {
  readonly description?: string
  readonly examples?: readonly unknown[]
}

/** Describes a pattern in the words of its schema, since few people read regular expressions. */
function describePattern({ description, examples }: DescribedPattern): string | undefined {
  const [example] = examples ?? []
  const words = [
    ...(description ? [description] : []),
    ...(typeof example === 'string' ? [`such as ${JSON.stringify(example)}`] : []),
  ]
  return words.length > 0
    ? `does not fit the form that is asked for${description ? ':' : ','} ${words.join(', ')}`
    : undefined
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Returns the mistakes in a section, and fills its defaults in. */
export function mistakesIn(schema: object, section: unknown, path: string): Mistake[] {
  let validate: ValidateFunction
  try {
    validate = validator(schema)
  } catch (error) {
    return [{ path, message: `cannot be checked, because the schema of the plugin is not usable: ${messageOf(error)}` }]
  }
  if (validate(section)) return []
  const errors = validate.errors ?? []
  // A choice among constants counts as one mistake, instead of one for each branch.
  const choices = errors.filter((error) => choicesOf(error) !== undefined)
  const isBranch = ({ schemaPath }: ErrorObject): boolean =>
    choices.some((choice) => schemaPath.startsWith(`${choice.schemaPath}/`))
  const useful = errors.filter(
    (error) => choices.includes(error) || (!['anyOf', 'oneOf', 'if'].includes(error.keyword) && !isBranch(error)),
  )
  return (useful.length ? useful : errors)
    .slice(0, MAX_MISTAKES)
    .map((error) => ({ path: pathOf(path, error), message: textOf(error) }))
}

/** Returns a deep copy, so that defaults are not filled into the caller's value. */
export function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy)
  if (typeof value !== 'object' || value === null || !isPlainObject(value)) return value
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const inner = copy((value as Record<string, unknown>)[key])
    if (key === '__proto__')
      Object.defineProperty(result, key, { value: inner, enumerable: true, configurable: true, writable: true })
    else result[key] = inner
  }
  return result
}

/** Checks what is written for a plugin. Returns its configuration, frozen and with defaults, and the mistakes. */
export function checkSection(plugin: AnyPlugin, written: unknown): Checked {
  const claims = claimsOf(plugin)
  if (claims.length === 0) return { section: undefined, mistakes: [] }
  const many = 'keys' in (plugin.config ?? {})
  const sections = (many ? (written ?? {}) : { [(claims[0] as { path: string }).path]: written }) as Record<
    string,
    unknown
  >
  const config: Record<string, unknown> = {}
  const mistakes: Mistake[] = []
  for (const { path, schema } of claims) {
    const section = copy(
      sections[path] ?? (schema as { default?: unknown }).default ?? (isObjectSchema(schema) ? {} : undefined),
    )
    if (section !== undefined || !isOptional(schema)) mistakes.push(...mistakesIn(schema, section, path))
    config[path] = section
  }
  const result = deepFreeze(many ? config : config[(claims[0] as { path: string }).path])
  if (mistakes.length === 0) mistakes.push(...checkByPlugin(plugin, result, (claims[0] as { path: string }).path))
  return {
    section: result,
    mistakes: plugin.config?.fatal ? mistakes.map((mistake) => ({ ...mistake, fatal: true })) : mistakes,
  }
}

/** The checks that the core uses. */
export const checks: Checks = { prepare: prepareChecks, check: checkSection }

/** Freezes objects and arrays deeply, since all readers share them. */
function deepFreeze(value: unknown): unknown {
  if (
    typeof value !== 'object' ||
    value === null ||
    Object.isFrozen(value) ||
    !(Array.isArray(value) || isPlainObject(value))
  )
    return value
  for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}

/** Returns what the `warn` of the plugin finds. One that fails warns of nothing: it must not refuse a configuration. */
export function warningsIn(plugin: AnyPlugin, config: unknown): readonly Mistake[] {
  try {
    const found = Array.from(plugin.config?.warn?.(config as never) ?? []).slice(0, MAX_MISTAKES)
    return found.map(({ path, message }): Mistake => ({ path: `${path}`, message: `${message}` }))
  } catch (error) {
    return [{ path: claimsOf(plugin)[0]?.path ?? '', message: `cannot be looked through: ${messageOf(error)}` }]
  }
}

/** Returns the mistakes that the `check` of the plugin finds. */
function checkByPlugin({ config: claims }: AnyPlugin, config: unknown, path: string): readonly Mistake[] {
  try {
    const found = Array.from(claims?.check?.(config as never) ?? []).slice(0, MAX_MISTAKES)
    return found.map((mistake): Mistake => ({
      path: `${mistake.path}`,
      message: `${mistake.message}`,
      ...(mistake.fatal === true ? { fatal: true } : {}),
    }))
  } catch (error) {
    return [{ path, message: `cannot be checked: ${messageOf(error)}` }]
  }
}

const isObjectSchema = (schema: object): boolean => (schema as { type?: unknown }).type === 'object'
/** A claimed path may be absent if TypeBox marks its schema as optional. */
const isOptional = (schema: object): boolean => '~optional' in schema
