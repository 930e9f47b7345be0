import { SECRET_MASK } from '@mynah/contract/wire'
import { isRecord, type Json } from '../config/model.js'
import { isSecret, propertiesOf, valuesOf } from '../config/schema.js'

/** The platforms of this project that a host can enable, by the name of their adapter. */
const OFFERED: Readonly<Record<string, string>> = { irc: 'IRC', telegram: 'Telegram', webhook: 'Webhook' }

export interface Platform {
  readonly name: string
  readonly label: string
  /** Schema of an account. Absent while no enabled plugin provides the adapter. */
  readonly schema?: Json
}

/** Returns the platforms of enabled plugins and those that can be enabled, without the sandbox. */
export function platformsOf(
  adapters: readonly { readonly name: string; readonly platform: string; readonly schema: unknown }[],
): Platform[] {
  const enabled = adapters
    .filter(({ name }) => name !== 'sandbox')
    .map(({ name, platform, schema }) => ({ name, label: platform, ...(isRecord(schema) ? { schema } : {}) }))
  const others = Object.entries(OFFERED)
    .filter(([name]) => !enabled.some((platform) => platform.name === name))
    .map(([name, label]) => ({ name, label }))
  return [...enabled, ...others].sort((a, b) => a.label.localeCompare(b.label))
}

type Fields = readonly (readonly [string, Json])[]

/** Splits the fields of a schema into those that a new item is asked for and the others. */
export function fieldsOf(schema: Json, hidden: readonly string[]): { readonly basic: Fields; readonly more: Fields } {
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []
  const shown = propertiesOf(schema).filter(([name, inner]) => !hidden.includes(name) && inner['deprecated'] !== true)
  const isBasic = ([name, inner]: Fields[number]): boolean => required.includes(name) || inner['basic'] === true
  // Required fields come first, in the order of the schema.
  const basic = shown.filter(isBasic).sort(([a], [b]) => Number(required.includes(b)) - Number(required.includes(a)))
  return { basic, more: shown.filter((field) => !isBasic(field)) }
}

/** Returns the first name that is not taken: `irc`, `irc-2`, … */
export function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted
  for (let count = 2; taken.includes(name); count++) name = `${wanted}-${count}`
  return name
}

/** Returns a value with its secrets masked, to be shown. */
export function masked(schema: Json, value: Json): Json {
  const known = new Map(propertiesOf(schema))
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const own = known.get(key) ?? {}
      if (isSecret(own) && typeof inner === 'string' && !inner.startsWith('${')) return [key, SECRET_MASK]
      return [key, isRecord(inner) ? masked(own, inner) : inner]
    }),
  )
}

/** Returns the paths of all secrets of a schema. */
export function secretPathsOf(schema: Json): string[][] {
  return propertiesOf(schema).flatMap(([key, inner]) =>
    isSecret(inner) ? [[key]] : secretPathsOf(inner).map((path) => [key, ...path]),
  )
}

/** Returns whether a value has a secret that is no reference to a variable. */
export function hasSecret(schema: Json, value: Json): boolean {
  return propertiesOf(schema).some(([key, inner]) => {
    const own = value[key]
    if (isSecret(inner)) return typeof own === 'string' && own !== '' && !own.includes('${')
    return isRecord(own) && hasSecret(inner, own)
  })
}

/** Returns the schema of one provider in that of the section `ai`. */
export function providerSchemaOf(ai: unknown): Json | undefined {
  const providers = isRecord(ai) ? new Map(propertiesOf(ai)).get('providers') : undefined
  return providers && valuesOf(providers)
}

/** Returns the command that installs a package, when a message of the host names one. */
export const installCommandIn = (message: string): string | undefined => /npm install [@\w./-]+/.exec(message)?.[0]
