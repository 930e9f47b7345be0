import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFolder } from './generation-hooks.js'
import { ownFiles } from './own-files.js'

const { cache } = createRequire(import.meta.url)
const isInstalled = (path: string): boolean => path.includes(`${sep}node_modules${sep}`)

/** The files of a plugin, as its imports name them. */
export interface PluginCode {
  /** Absolute paths. */
  readonly files: readonly string[]
  readonly bytes: number
}

/** Returns the files of the plugin whose module is at `url`; none of a module that is gone. */
export async function codeOf(url: string): Promise<PluginCode> {
  if (!existsSync(fileURLToPath(url))) return { files: [], bytes: 0 }
  const files = (await ownFiles(url)).map((file) => fileURLToPath(file))
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return { files, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

/** Returns why the code at `url` cannot be replaced in a running process, if so. */
export function whyOnlyByRestart(url: string): string | undefined {
  const path = fileURLToPath(url)
  if (isInstalled(path)) return 'an installed package changes at a restart'
  const manifest = new URL('package.json', packageFolder(url))
  const name = existsSync(manifest) ? nameIn(readFileSync(manifest, 'utf8')) : undefined
  if (name === 'mynah' || name?.startsWith('@mynah/')) return `${name} is a part of the host`
  const addon = requiredBelow(path).find((file) => file.endsWith('.node'))
  return addon === undefined ? undefined : 'it has a native addon, which a process loads once'
}

function nameIn(manifest: string): string | undefined {
  try {
    const { name } = JSON.parse(manifest) as { readonly name?: unknown }
    return typeof name === 'string' ? name : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Lets CommonJS files of a plugin be read again: a query in the address of their importer does not reach them. */
export function forgetRequired(url: string): void {
  for (const file of requiredBelow(fileURLToPath(url))) delete cache[file]
}

/** Returns the CommonJS files that were loaded below the folder of a module. */
function requiredBelow(path: string): string[] {
  const folder = dirname(path) + sep
  return Object.keys(cache).filter((file) => file.startsWith(folder) && !isInstalled(file.slice(folder.length - 1)))
}

/** Returns a text that is another one after any change of the files. */
export function fingerprint(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(existsSync(file) ? readFileSync(file) : 'gone').update('\0')
  return hash.digest('hex')
}

/** Returns whether a file lies below the folder of a module, outside of packages. */
export function isBelow(url: string, file: string): boolean {
  const folder = dirname(fileURLToPath(url)) + sep
  return file.startsWith(folder) && !isInstalled(file.slice(folder.length - 1))
}
