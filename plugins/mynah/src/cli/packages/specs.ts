import { validRange } from 'semver'
import { WireError } from '@mynah/contract'
import { splitPackageSpec } from '@mynah/plugin-management/api'

const NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/
const TAG = /^[a-z][\w.-]*$/i
const MAX_NAME = 214

/** A package with the version, range or tag that was asked for. */
export interface Spec {
  readonly name: string
  readonly range?: string
}

/** Returns whether a text is the name of a package of a registry. Paths, addresses and options are none. */
const isPackageName = (text: string): boolean => text.length <= MAX_NAME && NAME.test(text)

/**
 * Parses a name with an optional version, range or tag after `@`.
 *
 * @throws WireError `invalid_request` for anything else, such as a path or an address
 */
export function specOf(text: string): Spec {
  const { name, range } = splitPackageSpec(text)
  if (!isPackageName(name) || (range !== undefined && (range === '' || validRange(range) === null) && !TAG.test(range)))
    throw new WireError('invalid_request', `"${text}" is no name of a package with a version, such as name@^1.2.0`)
  return range === undefined ? { name } : { name, range }
}

/** Returns the spec as npm takes it. */
export const textOf = ({ name, range }: Spec): string => (range === undefined ? name : `${name}@${range}`)
