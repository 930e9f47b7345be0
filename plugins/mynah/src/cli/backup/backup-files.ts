import { lstat, readdir } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ConfigurationError, problemError, readValues, valueAt } from '@mynah/kernel/loader'
import { ownFiles } from '../modules/own-files.js'
import { filesBelow, hasOddName } from './files-below.js'
import { ifThere, localPackages } from './local-packages.js'

/** The files of a host. */
export interface Parts {
  /** Relative to the folder of the configuration file, with `/`. */
  readonly files: readonly string[]
  /** Sentences about data that is not included. */
  readonly elsewhere: readonly string[]
  /** Address of the PostgreSQL database, if the host uses one. */
  readonly postgres: string | undefined
}

/** Files of a running process, and what is known of this machine alone. */
const TRANSIENT_FILES = /(?:-wal|-shm|-journal|\.lock|\.tmp)$|^(?:control|exec-level)$/

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
    if (near === '' || near === '..' || near.startsWith(`..${sep}`))
      elsewhere.push(`${path} is outside of the folder of the host`)
    else found.add(near.split(sep).join('/'))
  }
  const siblings = await readdir(root)
  for (const name of siblings) if (isHostFile(name, file)) add(join(root, name))
  const leave = (path: string): void => void elsewhere.push(hasOddName(relative(root, path)))
  const values = await valuesOf(file, elsewhere)
  for (const path of ownPlugins(values, root)) for (const inner of await pluginFiles(path, leave)) add(inner)
  const local = await localPackages(root)
  for (const path of local.files) add(path)
  elsewhere.push(...local.elsewhere)
  if (siblings.includes('data'))
    for (const inner of await filesBelow(join(root, 'data'), leave))
      if (!TRANSIENT_FILES.test(basename(inner)) && !isPackageTree(relative(root, inner))) add(inner)
  const database = valueAt(values, 'database.file')
  if (typeof database === 'string' && database && (await isThere(resolve(root, database)))) add(resolve(root, database))
  const postgres = postgresIn(values)
  if (postgres === '') elsewhere.push('the PostgreSQL database, as database.url is not set')
  return { files: Array.from(found).sort(), elsewhere, postgres: postgres || undefined }
}

/**
 * Returns the values of the configuration.
 *
 * @throws ConfigurationError if a file cannot be read: without its variables the database that they name is left out
 */
async function valuesOf(file: string, elsewhere: string[]): Promise<Readonly<Record<string, unknown>>> {
  const { values, problems } = await readValues(file, { env: { ...process.env } })
  if (problems.some(({ code }) => code === 'config/unreadable')) throw new ConfigurationError(problems)
  const mistake = problems.find(({ code }) => code !== 'config/missing-variable')
  if (mistake) elsewhere.push(`what the configuration names, such as a database: ${problemError(mistake).message}`)
  return values
}

/** Returns the address of the PostgreSQL database; empty if its variable is not set, undefined for another database. */
function postgresIn(values: Readonly<Record<string, unknown>>): string | undefined {
  if (valueAt(values, 'database.type') !== 'postgres') return undefined
  const url = valueAt(values, 'database.url')
  return typeof url === 'string' ? url : ''
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
async function pluginFiles(path: string, leave: (path: string) => void): Promise<string[]> {
  const stats = await ifThere(lstat(path))
  if (!stats) return []
  if (stats.isDirectory()) return filesBelow(path, leave)
  return (await ownFiles(pathToFileURL(path).href)).map((url) => fileURLToPath(url))
}

const isThere = async (path: string): Promise<boolean> => (await ifThere(lstat(path))) !== undefined

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
