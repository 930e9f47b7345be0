// What a plugin should be, from the configuration and what is provided: decided in this one place.
import type { HostCore } from './core.js'
import type { Instance, Provided, Target } from './instance.js'

/** What the plugin should run with at this moment; undefined where it should not run. Changes nothing. */
export function targetOf(core: HostCore, instance: Instance): Target | undefined {
  if (!instance.enabled || instance.refused || core.stopping || isInTheWay(core, instance)) return undefined
  const given: (Provided | undefined)[] = []
  for (const {
    service: { key },
    optional,
  } of instance.needs) {
    const isAbsent = optional && !core.graph.isDeclared(key)
    const provided = isAbsent ? undefined : core.services.get(key)
    if (!provided && !isAbsent) return undefined
    given.push(provided)
  }
  return { section: instance.section, resolvedNeeds: given }
}

/** Whether another has to make room first: the one of the same name, or one that still provides the same. */
function isInTheWay(core: HostCore, instance: Instance): boolean {
  if (instance.predecessor) return true
  return instance.definition.provides?.some(({ key }) => core.services.isHeldByOther(key, instance)) ?? false
}

/** Keys of the services that `instance` cannot start without and that are not there. */
export function missing(core: HostCore, instance: Instance): string[] {
  const keys: string[] = []
  for (const {
    service: { key },
    optional,
  } of instance.needs) {
    if (!(optional && !core.graph.isDeclared(key)) && !core.services.get(key)) keys.push(key)
  }
  return keys
}

/** Whether two targets have the same services behind their needs. */
export const sameGiven = (a: Target, b: Target): boolean =>
  a.resolvedNeeds.every((provided, index) => provided === b.resolvedNeeds[index])

/** Whether what was begun for `a` is still wanted. */
export const sameTarget = (a: Target | undefined, b: Target | undefined): boolean =>
  a !== undefined && b !== undefined && a.section === b.section && sameGiven(a, b)

/** Whether there is nothing to do for a plugin whose target is `target`: it is there, or failed to get there. */
export function isSettled(instance: Instance, target: Target | undefined): boolean {
  return target ? sameTarget(instance.current ?? instance.failedAt, target) : instance.isDown
}
