import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '@mynah/kernel'
import { valueAt } from '@mynah/kernel/loader'
import type { Finding } from './checks.js'

type Values = Readonly<Record<string, unknown>>
interface Doctor {
  checkSandbox(settings: Values, root: string): Promise<readonly Finding[]>
}

const PLUGIN = 'exec-security'
const KEYS = ['execSecurity', 'execSandbox', 'execUnwalled', 'execLevel', 'execView']

/** Checks the sandbox of shell commands if the plugin that runs them is enabled. */
export async function checkShell(root: string, values: Values): Promise<readonly Finding[]> {
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
    const path = createRequire(join(root, 'index.js')).resolve(`@mynah/plugin-${PLUGIN}/doctor`)
    const { checkSandbox } = (await import(pathToFileURL(path).href)) as Doctor
    return await checkSandbox(Object.fromEntries(KEYS.map((key) => [key, valueAt(values, `ai.agent.${key}`)])), root)
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
