import { deepEqual } from '../base/equal.js'
import type { Instance } from './instance.js'
import type { PlannedEntry } from './plugin-set.js'

/** The changes after which a host runs the planned plugins. */
export interface PluginDiff {
  /** Plugins that stop, the last first: those that are `listed` are disabled, the others are removed. */
  readonly removed: readonly { readonly instance: Instance; readonly listed: boolean }[]
  /** Plugins that start: new ones, and disabled ones that are enabled. */
  readonly added: readonly { readonly entry: PlannedEntry; readonly position: number; readonly instance?: Instance }[]
  /** Plugins whose section changes, disabled ones among them. */
  readonly changed: readonly { readonly instance: Instance; readonly entry: PlannedEntry }[]
}

/** Compares the plugins of a host with the planned ones. A plugin whose definition differs is removed and added. */
export function diffPlugins(current: readonly Instance[], planned: readonly PlannedEntry[]): PluginDiff {
  const entries = new Map(planned.map((entry) => [entry.plugin.name, entry]))
  const kept = new Map<string, Instance>()
  const removed: { instance: Instance; listed: boolean }[] = []
  for (const instance of current.toReversed()) {
    const entry = entries.get(instance.name)
    const listed = entry?.plugin === instance.definition
    if (listed) kept.set(instance.name, instance)
    if (!listed || (instance.enabled && entry.enabled === false)) removed.push({ instance, listed })
  }
  const added: { entry: PlannedEntry; position: number; instance?: Instance }[] = []
  const changed: { instance: Instance; entry: PlannedEntry }[] = []
  for (const [position, entry] of planned.entries()) {
    const instance = kept.get(entry.plugin.name)
    if (!instance) added.push({ entry, position })
    else if (entry.enabled === false) changed.push({ instance, entry })
    else if (!instance.enabled) added.push({ entry, position, instance })
    else if (needsSection(instance, entry)) changed.push({ instance, entry })
  }
  return { removed, added, changed }
}

function needsSection(instance: Instance, entry: PlannedEntry): boolean {
  if (failsAlready(instance, entry)) return false
  return instance.invalid !== undefined || !deepEqual(entry.checked.section, instance.section)
}

/** Returns whether the plugin already fails with the planned section, which is no reason to refuse an edit. */
export function failsAlready(instance: Instance | undefined, { checked, refused }: PlannedEntry): boolean {
  return (
    instance?.enabled === true &&
    instance.invalid?.code === (refused?.code ?? 'config/invalid') &&
    deepEqual(checked.section, instance.section)
  )
}
