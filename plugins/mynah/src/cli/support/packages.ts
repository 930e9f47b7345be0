// The packages of a host whose code and versions a report may show.
import { readFileSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/** An installed package of Mynah, or a public plugin of another author. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  /** The real path of its folder. */
  readonly folder: string
}

const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[\w.-]{1,64})?$/
const IS_SHOWN = /^(?:mynah|mynah-plugin-[\w.-]{1,100}|@mynah\/[\w.-]{1,100})$/

/**
 * Returns the packages of Mynah and the public plugins that a host in `root` can load. A private package is left out:
 * its code, and so its texts, may be confidential.
 */
export function shownPackages(root: string): InstalledPackage[] {
  const found = new Map<string, InstalledPackage>()
  for (const folder of [root, import.meta.dirname].flatMap(withParents))
    for (const name of namesIn(join(folder, 'node_modules'))) {
      const one = found.has(name) ? undefined : packageAt(join(folder, 'node_modules', name), name)
      if (one) found.set(name, one)
    }
  return Array.from(found.values()).sort((a, b) => a.name.localeCompare(b.name))
}

function withParents(folder: string): string[] {
  const parts = folder.split(sep)
  return parts.map((_, index) => parts.slice(0, parts.length - index).join(sep) || sep)
}

function namesIn(modules: string): string[] {
  const inside = list(modules)
  const scoped = inside.includes('@mynah') ? list(join(modules, '@mynah')).map((name) => `@mynah/${name}`) : []
  return [...inside, ...scoped].filter((name) => IS_SHOWN.test(name))
}

/** A folder that cannot be listed has no packages for this user. */
function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function packageAt(path: string, name: string): InstalledPackage | undefined {
  try {
    const folder = realpathSync(path)
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Partial<
      Record<'name' | 'version' | 'private', unknown>
    >
    if (manifest.private === true || manifest.name !== name || typeof manifest.version !== 'string') return undefined
    return { name, version: VERSION.test(manifest.version) ? manifest.version : 'unknown', folder }
  } catch {
    return undefined
  }
}

/** Returns the name of the plugin in a package, which log lines and configurations have. */
export const pluginNameOf = (packageName: string): string =>
  packageName.replace(/^@mynah\/plugin-/, '').replace(/^mynah-plugin-/, '')

/** Returns the package that a real path belongs to, and the path inside of it. */
export function packageOf(
  path: string,
  packages: readonly InstalledPackage[],
): { readonly name: string; readonly inside: string } | undefined {
  const owner = packages.find(({ folder }) => dirname(path) === folder || path.startsWith(folder + sep))
  if (!owner) return undefined
  const inside = path
    .slice(owner.folder.length + 1)
    .split(sep)
    .join('/')
  return inside.split('/').includes('node_modules') ? undefined : { name: owner.name, inside }
}
