// Whether the packages of a project can be staged and swapped.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRecord, WireError } from '@mynah/contract'
import type { Folders } from './folders.js'
import { parseLock, type Lock } from './lockfile.js'
import { isWritable } from './npm.js'

const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
/** Versions and ranges of a registry. Others name files, folders and repositories. */
const OTHER_SOURCE =
  /^(?:file|link|workspace|portal|patch|git|github|https?):|^\.{0,2}\/|^git\+|^[\w.-]+\/[\w.-]+(?:#|$)/

/** The manifests of a project. */
export interface Project {
  readonly manifest: string
  readonly lockText: string
  readonly lock: Lock
  /** Names of the packages that `package.json` lists. */
  readonly listed: ReadonlySet<string>
}

/**
 * Reads the manifests.
 *
 * @throws WireError `unsupported` with the reason why packages are not changed from here
 */
export function readProject(folders: Folders): Project {
  const { root } = folders
  const refuse = (why: string): never => {
    throw new WireError('unsupported', why)
  }
  const manifest = textOf(join(root, 'package.json')) ?? refuse('there is no package.json next to the configuration')
  const other = otherManager(root)
  if (other) refuse(`this project is installed by ${other}`)
  const values = parse(manifest) ?? refuse('package.json is not valid JSON')
  const local = localReason(values)
  if (local) refuse(local)
  const lockText = textOf(join(root, 'package-lock.json')) ?? refuse('there is no package-lock.json; run "npm install"')
  const place = placeReason(folders)
  if (place) refuse(place)
  try {
    const lock = parseLock(lockText)
    if (Array.from(lock.values()).some(({ link }) => link === true)) refuse('a package of this project is a link')
    return { manifest, lockText, lock, listed: listedIn(values) }
  } catch (error) {
    if (error instanceof WireError) throw error
    throw new WireError('unsupported', 'package-lock.json cannot be read; run "npm install" once', { cause: error })
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const values: unknown = JSON.parse(text)
    return isRecord(values) ? values : undefined
  } catch {
    return undefined
  }
}

function otherManager(root: string): string | undefined {
  if (existsSync(join(root, 'pnpm-lock.yaml'))) return 'pnpm'
  if (existsSync(join(root, 'yarn.lock'))) return 'yarn'
  return existsSync(join(root, 'bun.lock')) ? 'bun' : undefined
}

function localReason(values: Record<string, unknown>): string | undefined {
  if (values['workspaces'] !== undefined) return 'this project has workspaces'
  for (const field of DEPENDENCIES)
    for (const [name, range] of Object.entries(isRecord(values[field]) ? values[field] : {}))
      if (typeof range !== 'string' || OTHER_SOURCE.test(range)) return `${name} does not come from a registry`
  return undefined
}

/** Returns why renames would not work in this place. */
function placeReason({ root, packages }: Folders): string | undefined {
  if (!isWritable(root) || !isWritable(packages)) return 'the folder of this host cannot be written'
  const modules = join(root, 'node_modules')
  if (!existsSync(modules)) return undefined
  if (!isWritable(modules)) return 'node_modules cannot be written'
  const of = (path: string): number => (existsSync(path) ? statSync(path).dev : of(dirname(path)))
  return of(modules) === of(packages) && of(modules) === of(root)
    ? undefined
    : 'node_modules is on another disk than the folder of this host'
}

/** Returns the names of the packages that a `package.json` lists. */
export const listedIn = (values: Record<string, unknown>): Set<string> =>
  new Set(DEPENDENCIES.flatMap((field) => Object.keys(isRecord(values[field]) ? values[field] : {})))
