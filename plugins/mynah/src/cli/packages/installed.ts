import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '@mynah/contract'
import { isHost } from './peers.js'

/** Returns the installed packages of plugins and of the host that `package.json` lists. */
export function installedPlugins(root: string): { readonly name: string; readonly version: string }[] {
  const { dependencies } = jsonOf(join(root, 'package.json'))
  return Object.keys(isRecord(dependencies) ? dependencies : {})
    .filter((name) => isHost(name) || /^(?:@[^/]+\/)?mynah-plugin-/.test(name))
    .map((name) => ({
      name,
      version: String(jsonOf(join(root, 'node_modules', name, 'package.json'))['version'] ?? ''),
    }))
    .filter(({ version }) => version !== '')
}

function jsonOf(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {}
  const values: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return isRecord(values) ? values : {}
}
