// The one place that decides what a plugin should run with, from the configuration and the services provided now.
import type { Service } from '../base/token.js'
import type { HostCore } from './core.js'
import type { Instance } from './instance.js'
import type { Provided } from './provided.js'
import type { Target } from './target.js'

/** Returns the target of a plugin now, or undefined when it should not run. Changes nothing. */
export function targetOf(core: HostCore, instance: Instance): Target | undefined {
  if (!instance.enabled || instance.refused || core.stopping || isBlocked(core, instance)) return undefined
  const resolvedNeeds: (Provided | undefined)[] = []
  for (const { service, optional } of instance.needs) {
    const isAbsent = optional && !core.graph.isDeclared(service.key)
    const provided = isAbsent ? undefined : core.services.get(service.key)
    if (!provided && !isAbsent) return undefined
    resolvedNeeds.push(provided)
  }
  return { definition: instance.definition, section: instance.section, resolvedNeeds }
}

/** Returns whether another plugin has to stop first: one of the same name, or another provider of the same service. */
function isBlocked(core: HostCore, instance: Instance): boolean {
  if (instance.predecessor) return true
  return instance.definition.provides?.some(({ key }) => core.services.isHeldByOther(key, instance)) ?? false
}

/** Returns the services that `instance` cannot start without and that are not available. */
export function missingServices(core: HostCore, instance: Instance): Service<unknown>[] {
  const missing: Service<unknown>[] = []
  for (const { service, optional } of instance.needs) {
    if (optional && !core.graph.isDeclared(service.key)) continue
    if (!core.services.get(service.key)) missing.push(service)
  }
  return missing
}
