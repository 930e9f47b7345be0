// Packages that `package.json` takes from a tarball or folder of this machine. No registry has them, so `npm ci` after
// a restore finds them only where they were.
import { readFile, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { filesBelow, hasOddName } from './files-below.js'

/** Files of local packages. */
export interface LocalPackages {
  /** Absolute paths below the folder of the host. */
  readonly files: readonly string[]
  /** Sentences about packages that are not included, and where they must be before `npm ci`. */
  readonly elsewhere: readonly string[]
}

/** Limits of what a backup takes of one package. A larger one is named instead. */
export interface Limits {
  readonly bytes: number
  readonly files: number
}
const LIMITS: Limits = { bytes: 256 * 1024 * 1024, files: 20_000 }

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const
type Manifest = Readonly<Partial<Record<(typeof KINDS)[number], Readonly<Record<string, unknown>>>>>

/**
 * Returns the tarballs and folders below `root` that its `package.json` names, and those that such folders name.
 *
 * @throws the error of a file that cannot be read; a manifest that is not JSON names nothing
 */
export async function localPackages(root: string, limits: Limits = LIMITS): Promise<LocalPackages> {
  const files = new Set<string>()
  const elsewhere: string[] = []
  const folders = [root]
  for (const folder of folders)
    for (const { name, path, place } of await localDependencies(folder, root)) {
      if (path === root) continue
      const leave = (why: string): void => {
        elsewhere.push(`the package "${name}" ${why}: before npm ci, put it at ${place}`)
      }
      if (!isBelow(root, path) || (await leadsOutside(root, path))) {
        leave('is outside of the folder of the host')
        continue
      }
      const found = await contentOf(path, (odd) => elsewhere.push(hasOddName(relative(root, odd))))
      if (!found) leave('is not there')
      else if (await isTooLarge(found.files, limits)) leave('is too large')
      else for (const file of found.files) files.add(file)
      if (found?.isFolder && !folders.includes(path)) folders.push(path)
    }
  return { files: [...files], elsewhere }
}

interface LocalDependency {
  readonly name: string
  readonly path: string
  /** The path as it must be for npm: from the folder of the host, unless the manifest has an absolute one. */
  readonly place: string
}

/** Returns the dependencies of a folder that are tarballs or folders. */
async function localDependencies(folder: string, root: string): Promise<LocalDependency[]> {
  const manifest = await manifestIn(folder)
  return KINDS.flatMap((kind) => Object.entries(manifest[kind] ?? {})).flatMap(([name, spec]) => {
    const named = typeof spec === 'string' ? pathIn(spec) : undefined
    if (named === undefined) return []
    const path = resolve(folder, named)
    const place = isAbsolute(named) ? path : relative(root, path).split(sep).join('/')
    return [{ name, path, place }]
  })
}

async function manifestIn(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  try {
    const read: unknown = JSON.parse(text)
    return read !== null && typeof read === 'object' ? (read as Manifest) : {}
  } catch {
    return {}
  }
}

/** Returns the path that a version of npm means, or undefined for those that a registry or a repository has. */
function pathIn(spec: string): string | undefined {
  const named = /^(?:file|link):(?:\/{2}(?=\/))?(.+)$/.exec(spec)?.[1]
  const isPath = /^(?:\.{0,2}\/|\.{1,2}$|~\/)/.test(spec) || /^[^:@]+\.(?:tgz|tar|tar\.gz)$/.test(spec)
  const path = named ?? (isPath ? spec : undefined)
  return path?.startsWith('~/') ? join(homedir(), path.slice(2)) : path
}

const isBelow = (folder: string, path: string): boolean => path.startsWith(folder + sep)

/** Returns whether a link on the way to a path leads out of a folder. */
async function leadsOutside(folder: string, path: string): Promise<boolean> {
  const real = await ifThere(realpath(path))
  return real !== undefined && !isBelow(await realpath(folder), real)
}

async function contentOf(
  path: string,
  leave: (path: string) => void,
): Promise<{ isFolder: boolean; files: string[] } | undefined> {
  const stats = await ifThere(stat(path))
  if (!stats) return undefined
  return stats.isDirectory()
    ? { isFolder: true, files: await filesBelow(path, leave) }
    : { isFolder: false, files: [path] }
}

/** Codes of paths that lead to no file, such as one with a NUL byte. */
const NO_FILE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'])

/** Resolves to undefined where the path that was asked for is not there. */
export const ifThere = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: NodeJS.ErrnoException) => {
    if (NO_FILE.has(error.code ?? '')) return undefined
    throw error
  })

async function isTooLarge(files: readonly string[], limits: Limits): Promise<boolean> {
  if (files.length > limits.files) return true
  let bytes = 0
  for (const file of files) bytes += (await stat(file)).size
  return bytes > limits.bytes
}
