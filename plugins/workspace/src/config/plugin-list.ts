import { isRecord, WireError } from '@mynah/contract'

/** Names of plugins and of packages. Paths are not accepted: a request must not choose which files run. */
const PLUGIN_NAME = /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i

const nameOf = (item: unknown): unknown => (isRecord(item) ? item['name'] : item)

/**
 * Returns the list `plugins` with these plugins enabled. Those that are listed keep their place.
 *
 * @throws WireError `invalid_request` for a path
 */
export function withEnabled(list: unknown, plugins: readonly string[]): unknown[] {
  const bad = plugins.find((name) => !PLUGIN_NAME.test(name))
  if (bad !== undefined) throw new WireError('invalid_request', `"${bad}" is no name of a plugin or of its package`)
  const items: unknown[] = Array.isArray(list) ? list : []
  const kept = items.map((item) =>
    isRecord(item) && plugins.includes(String(item['name'])) && item['enabled'] !== true ? item['name'] : item,
  )
  return [...kept, ...new Set(plugins.filter((name) => !items.some((item) => nameOf(item) === name)))]
}
