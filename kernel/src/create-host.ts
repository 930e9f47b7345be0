import { checks } from './config/check.js'
import type { HostOptions, PluginEntry } from './core/entry.js'
import { Host } from './core/host.js'

/**
 * Creates a host that checks sections against the schemas of its plugins. `start()` starts its plugins.
 *
 * @example
 * const host = await createHost([{ plugin: hello }]).start()
 * await host.stop()
 */
export function createHost(entries: readonly PluginEntry[] = [], options: HostOptions = {}): Host {
  return new Host(entries, options, checks)
}
