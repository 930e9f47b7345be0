// What makes a host: its configuration, environment files, manifest, plugins of its own, and data.
import { lstat, readdir } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { readValues, valueAt } from '@mynah/kernel/loader'
import { ownFiles } from '../modules/own-files.js'

/** Files of a host, and what it has elsewhere. */
export interface Parts {
  /** Relative to the folder of the configuration file, with `/`. */
  readonly files: readonly string[]
  /** Sentences about what is not among them. */
  readonly elsewhere: readonly string[]
}

/** Folders that can be made again, or are backups themselves. */
const PASSED_OVER = /^(?:node_modules|\.git|backups|before-restore-.{1,40})$/
/** What belongs to a running process. */
const PASSING = /(?:-wal|-shm|-journal|\.lock|\.tmp)$|^control$/

/** Everything that a copy of the host at `file` must hold. */
export async function partsOf(file: string): Promise<Parts> {
  const root = resolve(file, '..')
  const found = new Set<string>()
  const elsewhere: string[] = []
  const add = (path: string): void => {
    const near = relative(root, path)
    if (near.startsWith('..') || near === '') elsewhere.push(`${path} is outside of the host's folder`)
    else found.add(near.split(sep).join('/'))
  }
  const beside = await readdir(root)
  for (const name of beside)
    if (
      name === basename(file) ||
      name === `${basename(file)}.bak` ||
      /^\.env(\.[\w-]+)?$/.test(name) ||
      ['package.json', 'package-lock.json', '.npmrc', 'tsconfig.json'].includes(name)
    )
      add(join(root, name))
  const { values } = await readValues(file, { env: { ...process.env } })
  for (const path of ownPlugins(values, root)) {
    const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (stats?.isDirectory()) for (const inner of await filesBelow(path)) add(inner)
    else if (stats) for (const url of await ownFiles(pathToFileURL(path).href)) add(fileURLToPath(url))
  }
  if (beside.includes('data'))
    for (const inner of await filesBelow(join(root, 'data'))) if (!PASSING.test(basename(inner))) add(inner)
  const database = valueAt(values, 'database.file')
  if (typeof database === 'string' && database && (await isThere(resolve(root, database)))) add(resolve(root, database))
  if (valueAt(values, 'database.type') === 'postgres')
    elsewhere.push('the PostgreSQL database: copy it with pg_dump at the same time')
  return { files: Array.from(found).sort(), elsewhere }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )

/** Absolute paths of plugins that the configuration names by path. */
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

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const inner = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return PASSED_OVER.test(entry.name) ? [] : filesBelow(path)
      return entry.isFile() ? [path] : []
    }),
  )
  return inner.flat()
}
