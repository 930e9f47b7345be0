// Refusals of entries before an edit, and the outcome of each plugin after it.
import { failsAlready, type PluginDiff } from './diff-plugins.js'
import type { Outcome, Refusal, Report } from './entry.js'
import type { Instance } from './instance.js'
import type { PlannedEntry } from './plugin-set.js'
import type { Scope } from './scope.js'

/** A running plugin that was given another section. */
export interface SectionChange {
  readonly instance: Instance
  readonly section: unknown
  /** The scope in which it ran with the section before. */
  readonly scope: Scope | undefined
}

/** Returns why an entry cannot run, `undefined` where it can or where `instance` fails for the same reason already. */
export function refusalOf(entry: PlannedEntry, instance: Instance | undefined): Refusal | undefined {
  const { plugin, enabled, refused, checked } = entry
  if (enabled === false || failsAlready(instance, entry)) return undefined
  const unreadable = refused ? [{ path: refused.place?.path ?? '', message: refused.message }] : []
  const mistakes = [...unreadable, ...checked.mistakes]
  return mistakes.length ? { plugin: plugin.name, mistakes } : undefined
}

/** Returns the outcome of each plugin of an edit. All of them are settled. */
export function reportOf(
  { removed, added }: Pick<PluginDiff, 'removed' | 'added'>,
  changes: readonly SectionChange[],
): Report {
  const refusals: Refusal[] = []
  const updated: string[] = []
  const restarted = new Set([
    ...removed.map(({ instance }) => instance.name),
    ...added.map(({ entry }) => entry.plugin.name),
  ])
  for (const { instance, section, scope } of changes) {
    const outcome = outcomeOf(instance, section, scope)
    if (typeof outcome === 'object') refusals.push(outcome)
    else if (outcome === 'updated') updated.push(instance.name)
    else restarted.add(instance.name)
  }
  return { accepted: true, refusals, updated, restarted: Array.from(restarted) }
}

/** Returns the outcome of a changed section once its plugin, which ran in `scope` before, is settled. */
export function outcomeOf(instance: Instance, section: unknown, scope: Scope | undefined): Outcome {
  const error = instance.rollbackErrorOf(section)
  if (error) {
    const rollback = 'did not start with this configuration, so the previous one is back'
    const message = `${instance.name} ${rollback}: ${error.message}`
    return { plugin: instance.name, mistakes: [{ path: '', message }] }
  }
  return instance.currentSection === section && instance.scope === scope ? 'updated' : 'restarted'
}
