import { WireError } from './codes.js'
import { isRecord } from './json.js'
import { SECRET_MASK } from './wire.js'

/**
 * Returns the item of `old` that corresponds to a list item: by `id` or `name`, or else by position. Of
 * several with one name, that at its position counts.
 */
export function matchingItem(old: unknown, item: unknown, index: number): { value: unknown; index: number } {
  if (!Array.isArray(old)) return { value: undefined, index }
  for (const key of ['id', 'name']) {
    const name = isRecord(item) ? item[key] : undefined
    if (typeof name !== 'string' || name === SECRET_MASK) continue
    const matches = (other: unknown): boolean =>
      isRecord(other) &&
      other[key] === name &&
      (key !== 'id' || other['adapter'] === (item as Record<string, unknown>)['adapter'])
    const found = matches(old[index]) ? index : old.findIndex(matches)
    return { value: old[found], index: found }
  }
  return { value: old[index], index }
}

/** Creates the error for a mask without a stored secret. */
export function noStoredSecretError(path: string): WireError {
  return new WireError('invalid_request:config', `${path || 'The value'} is masked, but no secret is stored there`, {
    details: [{ path, message: 'is masked, but no secret is stored there' }],
  })
}

/**
 * Returns `value` with every mask replaced by the value at the same path of `old`. Items of a list correspond by their
 * `id` (and `adapter`) or `name`, or else by position.
 *
 * @throws WireError `invalid_request:config` for a mask without a stored secret
 */
export function unmaskSecrets(value: unknown, old: unknown, path = ''): unknown {
  if (value === SECRET_MASK) {
    if (typeof old === 'string' || typeof old === 'number') return old
    throw noStoredSecretError(path)
  }
  if (Array.isArray(value))
    return value.map((item, index) => unmaskSecrets(item, matchingItem(old, item, index).value, `${path}[${index}]`))
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        unmaskSecrets(
          inner,
          isRecord(old) && Object.hasOwn(old, key) ? old[key] : undefined,
          path ? `${path}.${key}` : key,
        ),
      ]),
    )
  return value
}
