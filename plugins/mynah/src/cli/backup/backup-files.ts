import { lstat, readdir } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { readValues, valueAt } from '@mynah/kernel/loader'
import { ownFiles } from '../modules/own-files.js'
import { filesBelow } from './files-below.js'
import { localPackages } from './local-packages.js'

/** The files of a host. */
export interface Parts {
  /** Relative to the folder of the configuration file, with `/`. */
  readonly files: readonly string[]
  /** Sentences about data that is not included. */
  readonly elsewhere: readonly string[]
  /** Address of the PostgreSQL database, if the host uses one. */
  readonly postgres: string | undefined
}

/** Files of a running process. */
const TRANSIENT_FILES = /(?:-wal|-shm|-journal|\.lock|\.tmp)$|^control$/

/**
 * Returns configuration, environment files, manifest, local plugins and packages, and data of the host with the
 * configuration `file`.
 */
export async function listBackupFiles(file: string): Promise<Parts> {
  const root = resolve(file, '..')
  const found = new Set<string>()
  const elsewhere: string[] = []
  const add = (path: string): void => {
    const near = relative(root, path)
    if (near.startsWith('..') || near === '') elsewhere.push(`${path} is outside of the folder of the host`)
    else found.add(near.split(sep).join('/'))
  }
  const siblings = await readdir(root)
  for (const name of siblings) if (isHostFile(name, file)) add(join(root, name))
  const { values } = await readValues(file, { env: { ...process.env } })
  for (const path of ownPlugins(values, root)) for (const inner of await pluginFiles(path)) add(inner)
  const local = await localPackages(root)
  for (const path of local.files) add(path)
  elsewhere.push(...local.elsewhere)
  if (siblings.includes('data'))
    for (const inner of await filesBelow(join(root, 'data')))
      if (!TRANSIENT_FILES.test(basename(inner)) && !isPackageTree(relative(root, inner))) add(inner)
  const database = valueAt(values, 'database.file')
  if (typeof database === 'string' && database && (await isThere(resolve(root, database)))) add(resolve(root, database))
  const url = valueAt(values, 'database.url')
  const postgres = valueAt(values, 'database.type') === 'postgres' && typeof url === 'string' ? url : undefined
  return { files: Array.from(found).sort(), elsewhere, postgres }
}

/** Returns whether a file belongs to packages that npm can install again. */
const isPackageTree = (path: string): boolean =>
  path.startsWith(join('data', 'packages') + sep) && basename(path) !== 'runs.jsonl'

/** Returns whether a file next to the configuration file belongs to the host. */
const isHostFile = (name: string, file: string): boolean =>
  name === basename(file) ||
  name === `${basename(file)}.bak` ||
  /^\.env(\.[\w-]+)?$/.test(name) ||
  ['package.json', 'package-lock.json', '.npmrc', 'tsconfig.json'].includes(name)

/** Returns the files of a plugin that is a folder or a module. */
async function pluginFiles(path: string): Promise<string[]> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!stats) return []
  if (stats.isDirectory()) return filesBelow(path)
  return (await ownFiles(pathToFileURL(path).href)).map((url) => fileURLToPath(url))
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )

/** Returns the absolute paths of plugins that the configuration names by path. */
function ownPlugins(values: Readonly<Record<string, unknown>>, root: string): string[] {
  const plugins = valueAt(values, 'plugins')
  const names = (Array.isArray(plugins) ? plugins : []).map((item: unknown) =>
    typeof item === 'string' ? item : (item as { name?: unknown } | null)?.name,
  )
  return names
    .filter((name): name is string => typeof name === 'string' && /^\.{1,2}(?:[\\/]|$)/.test(name))
    .map((name) => resolve(root, name))
    .filter((path) => path !== root)
}
