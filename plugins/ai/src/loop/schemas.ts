// Checks input against the JSON Schema of a tool. A schema object is compiled once, on first use. It may come from an
// untrusted server, so it is limited in size, refers to nothing outside, and its patterns run in linear time.
import type * as Engine from 'ajv/dist/2020.js'
import type { CodeKeywordDefinition, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import type { RE2JS as RE2 } from 're2js'
import { messageOf } from '@mynah/kernel'
import { isRecord } from '@mynah/contract'
import { readToolSchema } from '../tool-schema/read-tool-schema.js'
import { copyJson } from './arguments.js'
import { canonical } from './canonical.js'
import { Effort, nodesOf } from './effort.js'

/** The characters of all patterns of a schema that are compiled, each as often as it is repeated. */
const MAX_PATTERN_STEPS = 100_000
const PER_PATTERN = 100

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
  const read = readToolSchema(schema)
  const [engine, { RE2JS }] = await Promise.all([import('ajv/dist/2020.js'), import('re2js')])
  const effort = new Effort()
  const compilePattern = patternCompiler(RE2JS)
  const parts: ValidatorParts = { engine, effort, compilePattern, schema: withoutUncheckedNames(read, compilePattern) }
  const nodes = nodesOf(read)
  const hasDefaults = JSON.stringify(read).includes('"default":')
  const filling = createValidator(parts, true)
  let plain: ValidateFunction | undefined
  return (input) => {
    try {
      effort.begin(nodes, input)
      if (!hasDefaults) return filling(input) ? undefined : describeError(filling.errors?.[0])
      const filled = copyJson(input)
      if (filling(filled)) {
        Object.assign(input as object, filled)
        return undefined
      }
      const [mistake] = filling.errors ?? []
      if (mistake && isIn(input, mistake)) return describeError(mistake)
      // A default that does not fit its own schema must not refuse the input.
      effort.begin(nodes, input)
      plain ??= createValidator(parts, false)
      return plain(input) ? undefined : describeError(plain.errors?.[0])
    } catch (error) {
      return `the schema of this tool cannot be used: ${messageOf(error)}`
    }
  }
}

type CompilePattern = (pattern: string) => RE2 | undefined

/** Returns a compiler of the patterns of one schema. Patterns that it does not compile are left to the tool. */
function patternCompiler(engine: typeof RE2): CompilePattern {
  const known = new Map<string, RE2 | undefined>()
  let left = MAX_PATTERN_STEPS
  const compile = (pattern: string): RE2 | undefined => {
    const repeats = Array.from(pattern.matchAll(/\d{1,4}\}/g), ([digits]) => Number.parseInt(digits, 10))
    left -= PER_PATTERN + pattern.length * repeats.reduce((most, count) => Math.max(most, count), 1)
    if (left < 0) return undefined
    try {
      return engine.compile(pattern)
    } catch {
      // Look-around and back-references need more than linear time.
      return undefined
    }
  }
  return (pattern) => {
    if (!known.has(pattern)) known.set(pattern, compile(pattern))
    return known.get(pattern)
  }
}

/** Lets all values pass under names that a pattern should match which is not checked, and therefore matches all. */
function withoutUncheckedNames(schema: object, compilePattern: CompilePattern): object {
  return JSON.parse(JSON.stringify(schema), (keyword, value: unknown) =>
    keyword === 'patternProperties' && isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, compilePattern(name) ? each : true]))
      : value,
  ) as object
}

interface ValidatorParts {
  readonly engine: typeof Engine
  readonly effort: Effort
  readonly compilePattern: CompilePattern
  readonly schema: object
}

function createValidator(
  { engine, effort, compilePattern, schema }: ValidatorParts,
  useDefaults: boolean,
): ValidateFunction {
  const linear = (pattern: string): { test(text: string): boolean; toString(): string } => {
    const compiled = compilePattern(pattern)
    const test = (text: string): boolean => {
      if (!compiled) return true
      effort.match(compiled.programSize(), text.length)
      return compiled.matcher(text).find()
    }
    // The engine identifies patterns by this.
    return { test, toString: () => `/${pattern}/` }
  }
  // Each schema has its own engine, so that names of one cannot refer to another.
  const ajv = new engine.Ajv2020({
    strict: false,
    useDefaults,
    ownProperties: true,
    validateSchema: false,
    validateFormats: false,
    logger: false,
    inlineRefs: false,
    // 19.99 is a multiple of 0.01, although its quotient is not whole.
    multipleOfPrecision: 9,
    // Optimizing the code takes longer than it saves.
    code: { optimize: false, regExp: Object.assign(linear, { code: 'linear' }) },
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
  countReferences(ajv, effort, engine._)
  return ajv.compile(schema)
}

/** Returns whether a mistake is about a part of the input, and not about a default. */
function isIn(input: unknown, { instancePath }: ErrorObject): boolean {
  let part = input
  for (const name of partsOf(instancePath)) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return false
    part = (part as Record<string, unknown>)[name]
  }
  return true
}

/** Counts references, because circular ones would be followed for ever. */
function countReferences(ajv: Engine.Ajv2020, effort: Effort, step: typeof Engine._): void {
  for (const keyword of ['$ref', '$dynamicRef']) {
    const { definition } = ajv.RULES.all[keyword] as { definition: { code: CodeKeywordDefinition['code'] } }
    const { code } = definition
    definition.code = (context, type) => {
      context.gen.code(step`${context.gen.scopeValue('obj', { ref: effort })}.follow()`)
      code(context, type)
    }
  }
}

const partsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

function describeError(error: ErrorObject | undefined): string {
  if (!error) return 'the input does not fit'
  const path = partsOf(error.instancePath).reduce((before, part) => {
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
