// Plugins run in the host that is installed. A second copy of it would not know its services.
import { compare, satisfies } from 'semver'
import { nameAt, type Lock } from './lockfile.js'

/** Returns whether a package is a part of the host, of which there may be one copy only. */
export const isHost = (name: string): boolean => name === 'mynah' || name.startsWith('@mynah/')

/** Returns why the packages of a plan do not fit the host, one sentence each. */
export function peerFaults(after: Lock, changed: ReadonlySet<string>): string[] {
  const faults: string[] = []
  for (const path of changed) {
    const locked = after.get(path)
    if (!locked) continue
    if (isHost(nameAt(path)) && path.indexOf('node_modules/', 1) > 0)
      faults.push(`${nameAt(path)} ${locked.version} would be a second copy, in ${path}`)
    for (const [name, range] of Object.entries(locked.peerDependencies ?? {})) {
      if (!isHost(name)) continue
      const version = after.get(`node_modules/${name}`)?.version
      const isOptional = locked.peerDependenciesMeta?.[name]?.optional === true
      if (version === undefined ? !isOptional : !satisfies(version, range, { includePrerelease: true }))
        faults.push(
          `${nameAt(path)} ${locked.version} needs ${name} ${range}, and ${version ?? 'none'} is installed here`,
        )
    }
  }
  return faults
}

/** A version with the peers that it names. */
interface Version {
  readonly version: string
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** Returns the newest version that fits the packages of the host, or `undefined`. */
export function newestThatFits(versions: readonly Version[], installed: Lock): string | undefined {
  const fitting = versions.filter(({ peerDependencies = {} }) =>
    Object.entries(peerDependencies).every(([name, range]) => {
      const version = installed.get(`node_modules/${name}`)?.version
      return !isHost(name) || version === undefined || satisfies(version, range, { includePrerelease: true })
    }),
  )
  return fitting.sort((a, b) => compare(a.version, b.version)).at(-1)?.version
}
