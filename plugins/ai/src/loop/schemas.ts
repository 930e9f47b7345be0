// Checks input against the JSON Schema of a tool. A schema object is compiled once, on first use. It may come from an
// untrusted server, so it is limited in size, refers to nothing outside, and its patterns run in linear time.
import type { _, Ajv2020, CodeKeywordDefinition, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { messageOf } from '@mynah/kernel'
import { isShallow } from '@mynah/contract'
import { canonical } from './canonical.js'
import { Effort, nodesOf } from './effort.js'

const MAX_SCHEMA_CHARS = 131_072
const MAX_SCHEMA_DEPTH = 64

/** Returns the mistake in an input, for the model, or `undefined` when it is valid. Fills in defaults. */
export type InputCheck = (input: unknown) => string | undefined

const checks = new WeakMap<object, InputCheck | Promise<InputCheck>>()

/**
 * Returns the check of a schema, as a promise until it is compiled. An unusable schema refuses every input.
 */
export function checkOf(schema: object): InputCheck | Promise<InputCheck> {
  const known = checks.get(schema)
  if (known) return known
  const compiling = compile(schema)
    .catch((error: unknown): InputCheck => {
      const reason = messageOf(error)
      return () => `the schema of this tool cannot be used: ${reason}`
    })
    .then((check) => {
      checks.set(schema, check)
      return check
    })
  checks.set(schema, compiling)
  return compiling
}

async function compile(schema: object): Promise<InputCheck> {
  if (!isShallow(schema, MAX_SCHEMA_DEPTH)) throw new Error(`it is nested deeper than ${MAX_SCHEMA_DEPTH} levels`)
  const text = JSON.stringify(schema)
  if (text.length > MAX_SCHEMA_CHARS)
    throw new Error(`it is ${text.length} characters long; at most ${MAX_SCHEMA_CHARS} are taken`)
  const usable = JSON.parse(text, withoutAsync) as object
  const [{ _, Ajv2020 }, { RE2JS }] = await Promise.all([import('ajv/dist/2020.js'), import('re2js')])
  const effort = new Effort()
  const nodes = nodesOf(usable)
  const linear = (pattern: string): { test(text: string): boolean; toString(): string } => {
    let matches = (_text: string): boolean => true
    try {
      const compiled = RE2JS.compile(pattern)
      matches = (value) => {
        effort.match(compiled.programSize(), value.length)
        return compiled.matcher(value).find()
      }
    } catch {
      // Look-around and back-references need more than linear time. The tool itself has to check them.
    }
    // The engine identifies patterns by this.
    return { test: matches, toString: () => `/${pattern}/` }
  }
  // Each schema has its own engine, so that names of one cannot refer to another.
  const ajv = new Ajv2020({
    strict: false,
    useDefaults: true,
    ownProperties: true,
    validateSchema: false,
    validateFormats: false,
    logger: false,
    addUsedSchema: false,
    inlineRefs: false,
    code: { regExp: Object.assign(linear, { code: 'linear' }) },
  })
  // The engine's own check compares each item with every other.
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    error: { message: 'must NOT have duplicate items' },
    validate: (unique: boolean, items: readonly unknown[]) =>
      !unique || new Set(items.map(canonical)).size === items.length,
  })
  countReferences(ajv, effort, _)
  const validate: ValidateFunction = ajv.compile(usable)
  return (input) => {
    try {
      effort.begin(nodes, input)
      return validate(input) ? undefined : describeError(validate.errors?.[0])
    } catch (error) {
      return `the schema of this tool cannot be used: ${messageOf(error)}`
    }
  }
}

/** Counts references, because circular ones would be followed for ever. */
function countReferences(ajv: Ajv2020, effort: Effort, step: typeof _): void {
  for (const keyword of ['$ref', '$dynamicRef']) {
    const { definition } = ajv.RULES.all[keyword] as { definition: { code: CodeKeywordDefinition['code'] } }
    const { code } = definition
    definition.code = (context, type) => {
      context.gen.code(step`${context.gen.scopeValue('obj', { ref: effort })}.follow()`)
      code(context, type)
    }
  }
}

/** With `$async` every check would succeed. A name or another dialect would be looked up outside. */
function withoutAsync(key: string, value: unknown): unknown {
  return key === '$async' || key === '$schema' || key === '$id' ? undefined : value
}

function describeError(error: ErrorObject | undefined): string {
  if (!error) return 'the input does not fit'
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((before, part) => {
      if (/^\d+$/.test(part)) return `${before}[${part}]`
      return before ? `${before}.${part}` : part
    }, '')
  const inner = (name: unknown): string => (path ? `${path}.${String(name)}` : String(name))
  switch (error.keyword) {
    case 'required':
      return `${inner(error.params.missingProperty)} is required`
    case 'additionalProperties':
      return `${inner(error.params.additionalProperty)} is not known`
    case 'enum':
      return `${path || 'the input'} must be one of ${JSON.stringify(error.params.allowedValues).slice(0, 500)}`
    case 'const':
      return `${path || 'the input'} must be ${JSON.stringify(error.params.allowedValue).slice(0, 500)}`
    default:
      return `${path || 'the input'} ${error.message ?? 'does not fit'}`
  }
}
