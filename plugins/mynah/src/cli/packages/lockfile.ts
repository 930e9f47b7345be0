// Compares two package-lock.json files, which hold all that a plan needs without a download.
import { isRecord } from '@mynah/contract'
import { omitUndefined } from '@mynah/kernel/util'
import type { PackageChange } from '@mynah/contract/types'

/** A package as the lockfile has it. */
export interface Locked {
  readonly version: string
  readonly integrity?: string
  readonly resolved?: string
  readonly license?: string
  readonly deprecated?: string
  readonly hasInstallScript?: boolean
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** The packages of a lockfile by their folder in the project. */
export type Lock = ReadonlyMap<string, Locked>

/** @throws SyntaxError, or Error for a lockfile of an old version */
export function parseLock(text: string): Lock {
  const { packages } = JSON.parse(text) as { readonly packages?: unknown }
  if (!isRecord(packages)) throw new Error('package-lock.json is of an old version; run "npm install" once')
  return new Map(Object.entries(packages).filter(([path]) => path !== '') as [string, Locked][])
}

/** Returns the name of the package in a folder of the project. */
export const nameAt = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Returns what differs, those that were asked for first. Packages are the same if name, version and bytes are. */
export function changesBetween(before: Lock, after: Lock, asked: ReadonlySet<string>): PackageChange[] {
  const changes: PackageChange[] = []
  for (const [path, now] of after) {
    const old = before.get(path)
    if (old && old.version === now.version && sameBytes(old, now)) continue
    changes.push(
      omitUndefined({
        name: nameAt(path),
        path,
        from: old?.version,
        to: now.version,
        asked: isAsked(path, asked),
        licence: now.license,
        script: now.hasInstallScript ? true : undefined,
        deprecated: now.deprecated,
      }),
    )
  }
  for (const [path, { version }] of before)
    if (!after.has(path)) changes.push({ name: nameAt(path), path, from: version, asked: isAsked(path, asked) })
  return changes.sort((a, b) => Number(b.asked) - Number(a.asked) || (a.path < b.path ? -1 : 1))
}

const sameBytes = (a: Locked, b: Locked): boolean =>
  a.integrity === undefined || b.integrity === undefined || a.integrity === b.integrity

const isAsked = (path: string, asked: ReadonlySet<string>): boolean =>
  path.indexOf('node_modules/', 1) < 0 && asked.has(nameAt(path))
