import { isRecord } from '@mynah/contract'

const nameOf = (item: unknown): unknown => (isRecord(item) ? item['name'] : item)

/** Returns the short name of a plugin's package, as a configuration may use it. */
const shortName = (name: string): string => name.replace(/^@mynah\/plugin-/, '').replace(/^mynah-plugin-/, '')

const isNamed = (item: unknown, name: string): boolean => [name, shortName(name)].includes(String(nameOf(item)))

/** Returns whether a package is a plugin by its name. Others are libraries, which the configuration does not list. */
export const isPlugin = (name: string): boolean => /^(?:@[^/]+\/)?(?:mynah-)?plugin-/.test(name)

/** Returns the list with an entry for each plugin, which is off until an owner enables it. */
export function withEntries(items: readonly unknown[], names: readonly string[]): unknown[] {
  const missing = names.filter((name) => !items.some((item) => isNamed(item, name)))
  return [...items, ...missing.map((name) => ({ name: shortName(name), enabled: false }))]
}

/** Returns the list without the entries of these packages. */
export const withoutEntries = (items: readonly unknown[], names: readonly string[]): unknown[] =>
  items.filter((item) => !names.some((name) => isNamed(item, name)))
