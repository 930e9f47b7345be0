import { isDeepStrictEqual } from 'node:util'
import type { Configuration } from '@mynah/kernel'
import { maskSecrets, type SchemasByPath } from './secrets.js'
import { valueAt } from './values.js'

export type Values = Readonly<Record<string, unknown>>

/** A section as written, with masked secrets; `undefined` if it is missing. */
export interface Section {
  readonly path: string
  readonly section: unknown
}

/** Returns the sections of `now` that differ from `before`. Each top-level key without a claim is one section. */
export function changedSections(
  before: Values,
  now: Values,
  claims: ReturnType<Configuration['claims']>,
  schemas: SchemasByPath,
): Section[] {
  const claimed = claims.map(({ path }) => path)
  const unclaimed = Object.keys({ ...before, ...now }).filter(
    (key) => !claimed.some((path) => path === key || path.startsWith(`${key}.`)),
  )
  const shown = maskSecrets(now, schemas)
  return [...new Set([...claimed, ...unclaimed])]
    .map((path) => ({ path, keys: path.split('.') }))
    .filter(({ keys }) => !isDeepStrictEqual(valueAt(before, keys), valueAt(now, keys)))
    .map(({ path, keys }) => ({ path, section: valueAt(shown, keys) }))
}
