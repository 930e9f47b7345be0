// Replaces the code of a plugin: the instance stays, with its place, its errors and the state that it keeps.
import type { HostCore } from './core.js'
import { findConflicts } from './conflicts.js'
import type { Instance } from './instance.js'
import type { Origin } from './origin.js'
import type { AnyPlugin } from './plugin.js'
import type { Version } from './version.js'

/** The result of {@link Host.renew}. */
export type Renewal =
  /** It runs, or waits for what it needs. */
  | { readonly state: 'renewed' }
  /** Nothing was stopped. */
  | { readonly state: 'refused'; readonly error: Error }
  /** It did not start, so the code before runs again. */
  | { readonly state: 'rolled-back'; readonly error: Error }
  /** It did not start, and there is no code before that did. */
  | { readonly state: 'failed'; readonly error: Error }

/** Gives a plugin other code of the same name. It stops and starts when it is reconciled. */
export function assignDefinition(core: HostCore, instance: Instance, definition: AnyPlugin, origin?: Origin): void {
  if (instance.enabled) core.graph.remove(instance)
  instance.setDefinition(definition, origin)
  if (instance.enabled) core.graph.add(instance)
}

/** Lets a plugin return to the code and section that it ran with, after others did not start. */
export function returnTo(core: HostCore, instance: Instance, { definition, origin, section }: Version): void {
  if (instance.definition !== definition) {
    const declared = [...(instance.definition.provides ?? []), ...(definition.provides ?? [])]
    assignDefinition(core, instance, definition, origin)
    instance.kept.restore()
    if (declared.length) for (const affected of findConflicts(core)) core.reconcile(affected)
    for (const { key } of declared) for (const consumer of core.graph.consumersOf(key)) core.reconcile(consumer)
  }
  instance.setSection(section)
}

/** Returns the result for `version` once its plugin is settled. */
export function renewalOf(instance: Instance, { definition, section }: Version): Renewal {
  const rolledBack = instance.rollbackErrorOf(section, definition)
  if (rolledBack) return { state: 'rolled-back', error: rolledBack }
  return instance.error && !instance.isUp ? { state: 'failed', error: instance.error } : { state: 'renewed' }
}
