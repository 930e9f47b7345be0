import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { UsageError } from './usage-error.js'
import type { Packages } from './templates/shared.js'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/**
 * Returns where a project gets its packages of Mynah: this version from the registry, or tarballs in a folder.
 *
 * @throws UsageError when the folder cannot be read
 */
export function packagesIn(from: string | undefined, project: string): Packages {
  if (from === undefined) return { range: () => `^${version}`, alsoNeeded: () => [] }
  const tarballs = tarballsIn(from)
  const tarballOf = (name: string): { readonly file: string; readonly manifest: Manifest } => {
    const found = tarballs.get(name)
    if (!found) throw new UsageError(`${from} holds no tarball of ${name}`)
    return found
  }
  return {
    range: (name) =>
      `file:${relative(project, join(from, tarballOf(name).file))
        .split(sep)
        .join('/')}`,
    // The registry does not have the dependencies of tarballs either.
    alsoNeeded(direct) {
      const all = new Set(direct)
      for (const name of all) {
        const { dependencies, peerDependencies, peerDependenciesMeta = {} } = tarballOf(name).manifest
        for (const needed of Object.keys({ ...dependencies, ...peerDependencies }))
          if (tarballs.has(needed) && !peerDependenciesMeta[needed]?.optional) all.add(needed)
      }
      return Array.from(all).filter((name) => !direct.includes(name))
    },
  }
}

/** Returns the tarballs in a folder by the name of their package. */
function tarballsIn(from: string): Map<string, { readonly file: string; readonly manifest: Manifest }> {
  try {
    return new Map(
      readdirSync(from)
        .filter((file) => file.endsWith('.tgz'))
        .map((file) => {
          const manifest = manifestIn(readFileSync(join(from, file)))
          return [manifest.name, { file, manifest }]
        }),
    )
  } catch (error) {
    throw new UsageError(
      `${from} cannot be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`,
    )
  }
}

const BLOCK = 512

/** Returns the manifest in a tarball: blocks of 512 bytes, with a header of name and octal size before each file. */
function manifestIn(tarball: Buffer): Manifest {
  const tar = gunzipSync(tarball)
  for (let at = 0; at + BLOCK <= tar.length;) {
    const text = (begin: number, length: number): string =>
      (tar.toString('utf8', at + begin, at + begin + length).split('\0')[0] as string).trim()
    const size = Number.parseInt(text(124, 12), 8) || 0
    if (text(0, 100) === 'package/package.json')
      return JSON.parse(tar.toString('utf8', at + BLOCK, at + BLOCK + size)) as Manifest
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  throw new Error('a tarball has no manifest')
}
