// Checks of `mynah doctor`: where a plugin that is not there would help one that is.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { valueAt } from '@mynah/kernel/loader'
import type { Finding } from './checks.js'

interface Manifest {
  /** Plugins that this one can do without, each with what it does for it. */
  readonly mynah?: { readonly optional?: Readonly<Record<string, string>> }
}

/** Returns a note for each plugin that an enabled one can do without, and that is not enabled. */
export async function checkOptionalPlugins(
  root: string,
  values: Readonly<Record<string, unknown>>,
): Promise<Finding[]> {
  const plugins = valueAt(values, 'plugins')
  const enabled = (Array.isArray(plugins) ? plugins : []).map(nameOf).filter((name) => name !== undefined)
  const missing = new Map<string, Helped[]>()
  for (const name of enabled)
    for (const [other, help] of Object.entries((await manifestOf(root, name))?.mynah?.optional ?? {}))
      if (!enabled.includes(other)) missing.set(other, [...(missing.get(other) ?? []), { name, help }])
  return Array.from(missing, ([other, helped]) => note(root, other, helped))
}

/** A plugin that another one would help, and how. */
interface Helped {
  readonly name: string
  readonly help: string
}

function note(root: string, other: string, helped: readonly Helped[]): Finding {
  const install = manifestPath(root, other) === undefined ? `npm install @mynah/plugin-${other}, then add` : 'Add'
  const [only] = helped
  return {
    state: 'note',
    subject: helped.map(({ name }) => name).join(', '),
    text:
      helped.length === 1
        ? `runs without ${other}, which ${only?.help}`
        : `run without ${other}, which ${helped.map(({ name, help }) => `${help} (${name})`).join(', ')}`,
    remedy: `${install} "${other}" to plugins`,
  }
}

/** Returns the short name of an enabled entry of `plugins`. */
function nameOf(item: unknown): string | undefined {
  const { name, enabled } =
    typeof item === 'string'
      ? { name: item, enabled: true }
      : { enabled: true, ...(item as object as { name?: unknown }) }
  return typeof name === 'string' && enabled !== false ? name.replace(/^@mynah\/plugin-/, '') : undefined
}

/** Returns the path of the manifest of a plugin that is installed next to the configuration or to this package. */
function manifestPath(root: string, name: string): string | undefined {
  if (!/^[a-z0-9][a-z0-9-]{0,99}$/.test(name)) return undefined
  for (const from of [root, import.meta.dirname])
    for (const spelt of [`@mynah/plugin-${name}`, `mynah-plugin-${name}`]) {
      try {
        return createRequire(join(from, 'index.js')).resolve(`${spelt}/package.json`)
      } catch {
        // Not here, or under another name.
      }
    }
  return undefined
}

async function manifestOf(root: string, name: string): Promise<Manifest | undefined> {
  const path = manifestPath(root, name)
  if (path === undefined) return undefined
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Manifest
  } catch {
    return undefined
  }
}
