// Example data from the schemas of the contract, so that a field added to an answer needs no edit in the tests.
import * as contracts from '@mynah/contract'
import type { Contract } from '@mynah/contract'
import type { Static, TSchema } from '@mynah/contract/type'
import type { Answer } from './stand-in.js'

/** `T` with every field optional at every depth. Lists keep complete items, apart from missing fields of their own. */
export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly DeepPartial<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: DeepPartial<T[Key]> | undefined }
    : T

interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minItems?: number
  readonly anyOf?: readonly Schema[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly minimum?: number
  readonly minLength?: number
}
type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value that a schema names itself: its constant, an example, its default or its first choice. */
function named(schema: Schema): unknown {
  if ('const' in schema) return schema.const
  return schema.examples?.[0] ?? schema.default ?? schema.enum?.[0]
}

const generators: Readonly<Record<string, (schema: Schema, name: string) => unknown>> = {
  object: (schema) => completeFields(schema, {}),
  array: ({ items, minItems = 0 }, name) => Array.from({ length: minItems }, () => generate(items ?? {}, name)),
  string: ({ minLength = 0 }, name) => name.padEnd(minLength, '-'),
  integer: ({ minimum = 0 }) => Math.ceil(minimum),
  number: ({ minimum = 0 }) => minimum,
  boolean: () => false,
}

function generate(schema: Schema, name: string): unknown {
  const value = named(schema)
  if (value !== undefined) return value
  if (schema.anyOf) return generate(schema.anyOf[0] ?? {}, name)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  return generators[String(type)]?.(schema, name) ?? null
}

/** Adds required fields that `given` lacks, and completes those that it has. */
function completeFields({ properties = {}, required = [] }: Schema, given: Fields): Fields {
  const missing = required.filter((name) => given[name] === undefined)
  return {
    ...Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, completeValue(properties[name] ?? {}, value)]),
    ),
    ...Object.fromEntries(missing.map((name) => [name, generate(properties[name] ?? {}, name)])),
  }
}

/** Whether constants and choices in the fields of `schema` agree with `given`, which picks a branch of a union. */
function agrees({ properties = {}, type }: Schema, given: unknown): boolean {
  if (!isFields(given)) return type === (Array.isArray(given) ? 'array' : typeof given)
  return (
    type === 'object' &&
    Object.entries(properties).every(([name, field]) => {
      const value = given[name]
      if (value === undefined) return true
      return 'const' in field ? field.const === value : (field.enum?.includes(value) ?? true)
    })
  )
}

function completeValue(schema: Schema, given: unknown): unknown {
  const branch = schema.anyOf?.find((candidate) => agrees(candidate, given)) ?? schema
  const { items } = branch
  if (Array.isArray(given)) return items ? given.map((item) => completeValue(items, item)) : given
  return isFields(given) ? completeFields(branch, given) : given
}

/**
 * Returns an example of `schema`: `given`, with a generated value for each required field that it lacks, at any depth.
 * Optional fields stay absent, as in an answer of a host.
 */
export function exampleOf<S extends TSchema>(schema: S, given?: DeepPartial<Static<S>>): Static<S> {
  return (
    given === undefined ? generate(schema as Schema, 'example') : completeValue(schema as Schema, given)
  ) as Static<S>
}

/** The schemas of all answers, by call: `GET /stats`, or the type of an RPC method. */
export const answerSchemas: ReadonlyMap<string, TSchema> = new Map(
  Object.values(contracts as unknown as Readonly<Record<string, Contract>>)
    .filter((value) => isFields(value) && (isFields(value.rest) || isFields(value.rpc)))
    .flatMap(({ rest = {}, rpc = {} }) => Object.entries({ ...rest, ...rpc }))
    .flatMap(([call, { data }]) => (data === undefined ? [] : [[call, data] as const])),
)

/** Returns `answers` with every required field of the contract; calls without a schema are returned as they are. */
export function completeAnswers(answers: Readonly<Record<string, Answer>>): Record<string, Answer> {
  const complete = (call: string, answer: Answer): Answer => {
    const schema = answerSchemas.get(call)
    if (schema === undefined || answer === 'silence') return answer
    if (typeof answer === 'function') return (params) => complete(call, answer(params))
    return 'data' in answer ? { data: completeValue(schema as Schema, answer.data) } : answer
  }
  return Object.fromEntries(Object.entries(answers).map(([call, answer]) => [call, complete(call, answer)]))
}
