import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '@mynah/kernel'
import { valueAt } from '@mynah/kernel/loader'
import type { Finding } from './checks.js'

type Values = Readonly<Record<string, unknown>>
interface Doctor {
  checkSandbox(settings: Values, root: string): Promise<readonly Finding[]>
  checkFolders(view: unknown, root: string): Promise<readonly Finding[]>
}

const PLUGIN = 'exec-security'
const KEYS = ['execSecurity', 'execSandbox', 'execUnwalled', 'execLevel', 'execView']

/** Checks the sandbox of shell commands if the plugin that runs them is enabled. */
export const checkShell = (root: string, values: Values): Promise<readonly Finding[]> =>
  byDoctor(root, values, ({ checkSandbox }) =>
    checkSandbox(Object.fromEntries(KEYS.map((key) => [key, valueAt(values, `ai.agent.${key}`)])), root),
  )

/** Names the folders of the configuration that no shell command gets. */
export const checkShellFolders = (root: string, values: Values): Promise<readonly Finding[]> =>
  byDoctor(root, values, ({ checkFolders }) => checkFolders(valueAt(values, 'ai.agent.execView'), root))

async function byDoctor(
  root: string,
  values: Values,
  check: (doctor: Doctor) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const plugins = valueAt(values, 'plugins')
  const isEnabled =
    Array.isArray(plugins) &&
    plugins.some(
      (item) =>
        item === PLUGIN ||
        ((item as { name?: unknown } | null)?.name === PLUGIN && (item as { enabled?: unknown }).enabled !== false),
    )
  if (!isEnabled) return []
  try {
    const path = moduleFor(root)
    return await check((await import(pathToFileURL(path).href)) as Doctor)
  } catch (error) {
    return [
      {
        state: 'note',
        subject: 'command sandbox',
        text: `cannot be checked: ${messageOf(error).split('\n', 1)[0] as string}`,
      },
    ]
  }
}

/** The module of the host's own installation, as of its plugins, or else of this command line's. */
function moduleFor(root: string): string {
  const name = `@mynah/plugin-${PLUGIN}/doctor`
  try {
    return createRequire(join(root, 'index.js')).resolve(name)
  } catch {
    return createRequire(import.meta.url).resolve(name)
  }
}
