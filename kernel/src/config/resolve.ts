import { readdirSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { closestMatch } from '../base/closest-match.js'
import { installCommandOf, OWN_PLUGINS } from './own-plugins.js'
import { omitUndefined } from '../util/omit-undefined.js'

/** The location of a plugin's module. */
export interface ModuleOrigin {
  readonly url: string
  /** Name of the file. */
  readonly filename: string
  /** Relative to the configuration file's folder, or the name of the package. */
  readonly filePath: string
  /** Version of the package that the module belongs to. */
  readonly version?: string
}

/** The keys of a package.json that matter here. */
interface Manifest {
  readonly exports?: unknown
  readonly main?: unknown
  readonly version?: unknown
  readonly description?: unknown
}

const PACKAGE_NAME = /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i
/** Files that are the entry of a folder without a package.json that names one. */
const ENTRY_FILES = ['index.js', 'index.mjs', 'index.ts', 'index.mts', 'dist/index.js', 'src/index.ts']
const CONDITIONS = ['node', 'import', 'default']
const isPath = (name: string): boolean => /^\.{1,2}([\\/]|$)/.test(name) || isAbsolute(name)

/** Returns the packages that a name may mean, the preferred one first. */
export function packagesFor(name: string): string[] {
  if (!PACKAGE_NAME.test(name)) return []
  if (name.startsWith('@')) return [name]
  return [`@mynah/plugin-${name}`, `mynah-plugin-${name}`, ...(name.startsWith('mynah-plugin-') ? [name] : [])]
}

/** Finds the module of a plugin, in the folder of the configuration file and then in `bases`. */
export function resolveModule(name: string, root: string, bases: readonly string[]): ModuleOrigin | undefined {
  if (isPath(name)) {
    const path = resolve(root, name)
    const folder = isDirectory(path) ? path : dirname(path)
    const file = isDirectory(path) ? (entryOf(path) ?? first(path, ENTRY_FILES)) : existing(path)
    return file === undefined ? undefined : originOf(file, relative(root, file).split(sep).join('/'), folder)
  }
  for (const packageName of packagesFor(name)) {
    for (const folder of [root, ...bases].flatMap(ancestors)) {
      const packageFolder = join(folder, 'node_modules', packageName)
      const file = isDirectory(packageFolder)
        ? (entryOf(packageFolder) ?? first(packageFolder, ['index.js']))
        : undefined
      if (file !== undefined) return originOf(file, packageName, packageFolder)
    }
  }
  return undefined
}

/** A path with an invalid name or without permission counts as missing. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Returns the short names of the installed plugins. */
export function installedPlugins(root: string, bases: readonly string[]): string[] {
  const names = new Set<string>()
  for (const folder of [root, ...bases].flatMap(ancestors)) {
    const modules = join(folder, 'node_modules')
    for (const name of namesIn(join(modules, '@mynah'), 'plugin-')) names.add(name)
    for (const name of namesIn(modules, 'mynah-plugin-')) names.add(name)
  }
  return Array.from(names).sort()
}

/** A package with a plugin. */
export interface InstalledPlugin {
  /** Its short name. */
  readonly name: string
  readonly package: string
  readonly version?: string
  readonly description?: string
}

/** Returns the installed plugins with what their packages say of them. */
export function installedPackages(root: string, bases: readonly string[]): InstalledPlugin[] {
  return installedPlugins(root, bases).flatMap((name) => {
    const found = packagesFor(name)
      .flatMap((one) => [root, ...bases].flatMap(ancestors).map((folder) => [one, join(folder, 'node_modules', one)]))
      .find(([, folder = '']) => isDirectory(folder))
    if (!found) return []
    const [packageName = '', folder = ''] = found
    const { version, description } = manifestOf(folder) ?? {}
    return [omitUndefined({ name, package: packageName, version: text(version), description: text(description) })]
  })
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Returns the message for a plugin that was not found. */
export function unknownMessage(name: string, root: string, bases: readonly string[]): string {
  if (isPath(name))
    return isDirectory(resolve(root, name))
      ? `the folder "${name}" holds no plugin (no package.json naming an entry, no index.js or index.ts)`
      : `there is no plugin at "${name}"`
  const missing = `no plugin "${name}" is installed`
  const command = installCommandOf(name)
  if (command) return `${missing}; install it with: ${command}`
  const meant = closestMatch(name, new Set([...installedPlugins(root, bases), ...OWN_PLUGINS]))
  if (meant) return `${missing}; did you mean "${meant}"?`
  const package_ = packagesFor(name).at(-1)
  return package_ ? `${missing}; if npm has it, install it with: npm install ${package_}` : missing
}

function originOf(file: string, filePath: string, folder: string): ModuleOrigin {
  return omitUndefined({
    url: pathToFileURL(realpathSync(file)).href,
    filename: basename(file),
    filePath,
    version: text(manifestOf(folder)?.version),
  })
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...ancestors(parent)]
}

const isDirectory = (path: string): boolean => statOf(path)?.isDirectory() ?? false
const isFile = (path: string): boolean => statOf(path)?.isFile() ?? false
const existing = (path: string): string | undefined => (isFile(path) ? path : undefined)
const first = (folder: string, files: readonly string[]): string | undefined =>
  files.map((file) => join(folder, file)).find(isFile)

function namesIn(folder: string, prefix: string): string[] {
  if (!isDirectory(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
}

/** Returns the package.json of a folder, if it has a valid one. */
function manifestOf(folder: string): Manifest | undefined {
  const manifestFile = join(folder, 'package.json')
  if (!isFile(manifestFile)) return undefined
  try {
    return JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Returns the entry that the package.json of a folder names. */
function entryOf(folder: string): string | undefined {
  const manifest = manifestOf(folder)
  if (!manifest) return undefined
  const target = exported(manifest.exports) ?? (typeof manifest.main === 'string' ? manifest.main : undefined)
  if (target === undefined) return undefined
  const file = resolve(folder, target)
  return isFile(file) ? file : undefined
}

/** Returns the target of `.` in an `exports` field, by the conditions that apply. */
function exported(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports
  if (Array.isArray(exports)) return exports.map(exported).find((target) => target !== undefined)
  if (typeof exports !== 'object' || exports === null) return undefined
  const map = exports as Record<string, unknown>
  if ('.' in map) return exported(map['.'])
  for (const [condition, target] of Object.entries(map)) {
    const found = CONDITIONS.includes(condition) ? exported(target) : undefined
    if (found !== undefined) return found
  }
  return undefined
}
