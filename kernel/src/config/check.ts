// Checking configuration sections against their schemas: defaults filled, mistakes with paths and the nearest known key.
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { isPlainObject } from '../base/equal.js'
import { messageOf } from '../base/to-error.js'
import { closestMatch } from '../base/closest-match.js'
import type { Checked, Checks } from '../core/entry.js'
import { claimsOf, type AnyPlugin, type Mistake } from '../core/plugin.js'

const MAX_MISTAKES = 20
// Kept by schema object, so that a reload compiles nothing again.
const compiled = new WeakMap<object, ValidateFunction>()
let compile: ((schema: object) => ValidateFunction) | undefined

/** Loads the validator, which costs tens of milliseconds: only hosts whose plugins have a configuration pay for it. */
export function prepareChecks(plugins: readonly AnyPlugin[]): Promise<void> | undefined {
  return compile || !plugins.some((plugin) => claimsOf(plugin).length) ? undefined : loadValidator()
}

/** Loads the validator, should it not be there. */
export async function loadValidator(): Promise<void> {
  if (compile) return
  const [{ Ajv2020 }, { default: addFormats }] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')])
  const engine = (proving: boolean) => {
    // A section is checked once or twice: shortening the code for it costs more than it saves.
    const ajv = new Ajv2020({
      validateSchema: proving,
      meta: proving,
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
    // Words for forms, masking and variables, without a meaning for validity.
    for (const keyword of ['secret', 'restart', 'example', 'widget', 'mayBeUnset']) ajv.addKeyword(keyword)
    return ajv
  }
  // Compiling refuses what cannot be used. Proving each schema against the schema of schemas, which costs every start 50 ms, says better why.
  const ajv = engine(false)
  compile = (whole) => {
    // A default of the section itself is filled in by `resolveConfig`; the engine refuses one at the root.
    const { default: _root, ...schema } = whole as { default?: unknown }
    let validate: ValidateFunction
    try {
      validate = ajv.compile(schema)
    } catch (error) {
      engine(true).compile(schema)
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
  return parts.reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), base)
}

/** The constants that an `anyOf` offers, where it offers nothing else. */
function choicesOf({ keyword, schema }: ErrorObject): unknown[] | undefined {
  if (keyword !== 'anyOf' || !Array.isArray(schema)) return undefined
  return schema.every((branch: object) => 'const' in branch)
    ? schema.map((branch: { const: unknown }) => branch.const)
    : undefined
}

function textOf(error: ErrorObject): string {
  const choices = choicesOf(error)
  if (choices) return `must be one of ${choices.map((value) => JSON.stringify(value)).join(', ')}`
  switch (error.keyword) {
    case 'required':
      return 'is required'
    case 'enum':
      return `must be one of ${(error.params.allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`
    case 'type':
      return `must be ${[error.params.type].flat().join(' or ')}, not ${kindOf(error.data)}`
    case 'additionalProperties': {
      const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {})
      const meant = closestMatch(String(error.params.additionalProperty), known)
      return `is not known here${meant ? `; did you mean "${meant}"?` : known.length ? `; known are ${known.join(', ')}` : ''}`
    }
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`
    case 'pattern':
      return formOf(error.parentSchema as Formed) ?? error.message ?? 'is not valid'
    default:
      return error.message ?? 'is not valid'
  }
}

interface Formed {
  readonly description?: string
  readonly examples?: readonly unknown[]
}

/** What a pattern asks for, in the words of its schema: the pattern itself tells few people what to write. */
function formOf({ description, examples }: Formed): string | undefined {
  const [example] = examples ?? []
  const words = [
    ...(description ? [description] : []),
    ...(typeof example === 'string' ? [`such as ${JSON.stringify(example)}`] : []),
  ]
  return words.length > 0
    ? `does not fit the form that is asked for${description ? ':' : ','} ${words.join(', ')}`
    : undefined
}

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

/** The mistakes of one section; `section` is completed with defaults. */
export function mistakesIn(schema: object, section: unknown, path: string): Mistake[] {
  let validate: ValidateFunction
  try {
    validate = validator(schema)
  } catch (error) {
    return [{ path, message: `cannot be checked, because the schema of the plugin is not usable: ${messageOf(error)}` }]
  }
  if (validate(section)) return []
  const errors = validate.errors ?? []
  // A choice among constants is one mistake, whatever its branches say.
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

/** A structural copy, so that defaults never reach the caller's value. */
function copy(value: unknown): unknown {
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

/** What a plugin receives as configuration for what was written, frozen, or the mistakes in it. */
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
  const result = frozen(many ? config : config[(claims[0] as { path: string }).path])
  if (mistakes.length === 0) mistakes.push(...ownMistakes(plugin, result, (claims[0] as { path: string }).path))
  return {
    section: result,
    mistakes: plugin.config?.fatal ? mistakes.map((mistake) => ({ ...mistake, fatal: true })) : mistakes,
  }
}

/** What a host asks of configurations. */
export const checks: Checks = { prepare: prepareChecks, check: checkSection }

/** Nobody changes what all are told of: frozen down to what is no plain value. */
function frozen(value: unknown): unknown {
  if (
    typeof value !== 'object' ||
    value === null ||
    Object.isFrozen(value) ||
    !(Array.isArray(value) || isPlainObject(value))
  )
    return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}

/** What the plugin itself finds wrong with a configuration that its schemas accept. */
function ownMistakes({ config: claims }: AnyPlugin, config: unknown, path: string): readonly Mistake[] {
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
/** A claimed path that may be absent is one whose schema has no default and is marked optional by TypeBox. */
const isOptional = (schema: object): boolean => '~optional' in schema
