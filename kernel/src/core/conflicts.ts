import type { HostCore } from './core.js'
import type { Instance } from './instance.js'

/** Returns the plugins that the configuration has, without those that have left it and still stop. */
export const configuredPlugins = (core: HostCore): Instance[] =>
  Array.from(core.instances.values()).filter(({ removed }) => !removed)

/**
 * Refuses plugins that can never start together with the others, and accepts those that now can. Returns those whose
 * conflict has changed.
 */
export function findConflicts(core: HostCore): Instance[] {
  const enabled = configuredPlugins(core)
    .filter((instance) => instance.enabled)
    .sort((a, b) => a.position - b.position)
  const conflicts = core.graph.conflicts(enabled)
  return enabled.filter((instance) => {
    const conflict = conflicts.get(instance)
    if (conflict?.message === instance.conflict?.message) return false
    instance.setConflict(conflict)
    return true
  })
}
