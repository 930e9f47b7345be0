// Which sections differ between two configurations.
import { isDeepStrictEqual } from 'node:util'
import type { Configuration } from '@mynah/kernel'
import { masked, type SchemasByPath } from './secrets.js'
import { at } from './values.js'

export type Values = Readonly<Record<string, unknown>>

/** A section as it is written, secrets masked; `undefined` where it is not written. */
export interface Section {
  readonly path: string
  readonly section: unknown
}

/** The sections of `now` that differ from `before`; what nobody claims is one section a key. */
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
  const shown = masked(now, schemas)
  return [...new Set([...claimed, ...unclaimed])]
    .map((path) => ({ path, keys: path.split('.') }))
    .filter(({ keys }) => !isDeepStrictEqual(at(before, keys), at(now, keys)))
    .map(({ path, keys }) => ({ path, section: at(shown, keys) }))
}
