import type { Lock } from './lockfile.js'

/**
 * Returns the folders of the packages on the ways from one package to others, both ends included. Empty where no way
 * leads there.
 */
export function packagesBetween(lock: Lock, from: string, targets: ReadonlySet<string>): Set<string> {
  const users = usersBelow(lock, from)
  const found = new Set([...targets].filter((path) => users.has(path)))
  for (const path of found) for (const user of users.get(path) ?? []) found.add(user)
  return found
}

/** Returns the packages that can be reached from one, each with those that use it. */
function usersBelow(lock: Lock, from: string): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>()
  if (!lock.has(from)) return users
  users.set(from, new Set())
  // A map may grow while it is walked through.
  for (const path of users.keys())
    for (const used of dependenciesOf(lock, path)) {
      const known = users.get(used)
      if (known) known.add(path)
      else users.set(used, new Set([path]))
    }
  return users
}

function dependenciesOf(lock: Lock, path: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = lock.get(path) ?? {}
  const names = [dependencies, optionalDependencies, peerDependencies].flatMap((list) => Object.keys(list ?? {}))
  return names.flatMap((name) => folderOf(lock, path, name) ?? [])
}

/** Returns where the package in a folder finds another one, as Node looks for it. */
function folderOf(lock: Lock, path: string, name: string): string | undefined {
  for (let folder = path; ; folder = folder.slice(0, folder.lastIndexOf('/node_modules/'))) {
    const nested = `${folder}/node_modules/${name}`
    if (lock.has(nested)) return nested
    if (!folder.includes('/node_modules/')) break
  }
  const top = `node_modules/${name}`
  return lock.has(top) ? top : undefined
}
