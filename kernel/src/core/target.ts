// The one place that decides what a plugin should run with, from the configuration and the services provided now.
import type { HostCore } from './core.js'
import type { Instance } from './instance.js'
import type { Provided } from './provided.js'

/** What a plugin should run with: its section, and the service behind each of its required needs, in their order. */
export interface Target {
  readonly section: unknown
  /** Undefined for an `ifEnabled` need whose service no enabled plugin declares. */
  readonly resolvedNeeds: readonly (Provided | undefined)[]
}

/** Returns what the plugin should run with now, or undefined when it should not run. Changes nothing. */
export function targetOf(core: HostCore, instance: Instance): Target | undefined {
  if (!instance.enabled || instance.refused || core.stopping || isBlocked(core, instance)) return undefined
  const resolvedNeeds: (Provided | undefined)[] = []
  for (const { service, optional } of instance.needs) {
    const isAbsent = optional && !core.graph.isDeclared(service.key)
    const provided = isAbsent ? undefined : core.services.get(service.key)
    if (!provided && !isAbsent) return undefined
    resolvedNeeds.push(provided)
  }
  return { section: instance.section, resolvedNeeds }
}

/** Returns whether another plugin has to stop first: one of the same name, or another provider of the same service. */
function isBlocked(core: HostCore, instance: Instance): boolean {
  if (instance.predecessor) return true
  return instance.definition.provides?.some(({ key }) => core.services.isHeldByOther(key, instance)) ?? false
}

/** Returns the keys of the services that `instance` cannot start without and that are not available. */
export function missingServices(core: HostCore, instance: Instance): string[] {
  const keys: string[] = []
  for (const { service, optional } of instance.needs) {
    if (optional && !core.graph.isDeclared(service.key)) continue
    if (!core.services.get(service.key)) keys.push(service.key)
  }
  return keys
}

/** Returns whether two targets have the same services behind their needs. */
export const sameNeeds = (a: Target, b: Target): boolean =>
  a.resolvedNeeds.every((provided, index) => provided === b.resolvedNeeds[index])

export const sameTarget = (a: Target | undefined, b: Target | undefined): boolean =>
  a !== undefined && b !== undefined && a.section === b.section && sameNeeds(a, b)

/** Marks `instance` as a holder of the services in its target. Their providers wait for it when they stop. */
export function holdNeeds(instance: Instance, { resolvedNeeds }: Target): void {
  for (const provided of resolvedNeeds) provided?.hold(instance)
}

export function releaseNeeds(instance: Instance, { resolvedNeeds }: Target): void {
  for (const provided of resolvedNeeds) provided?.release(instance)
}
