import { resources } from '../../lib/resources.js'

/** Loads again what a change of the list of plugins makes stale, before any event of the host does. */
export function reloadPlugins(): void {
  for (const key of ['catalogue', 'GET /plugins', 'config:installed']) resources.reload(key)
}
