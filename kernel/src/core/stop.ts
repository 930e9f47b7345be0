import type { HostCore } from './core.js'
import type { Instance } from './instance.js'
import { releaseNeeds } from './target.js'

/** Stops a running plugin. Its consumers stop first, while it still serves them. */
export async function stopInstance(core: HostCore, instance: Instance): Promise<void> {
  const stopped = instance.stop()
  if (!stopped) return
  stopConsumers(core, instance)
  const released = core.services.whenReleased(instance)
  if (released) await released
  await stopped.scope.close()
  releaseNeeds(instance, stopped.target)
  await instance.kept.save()
  instance.rest()
}

/** Withdraws the services of the plugin, and those of all plugins that depend on it, from new consumers. */
function stopConsumers(core: HostCore, instance: Instance): void {
  const leaving = new Set([instance])
  // The set grows while it is walked, until it holds all direct and indirect consumers.
  for (const one of leaving) for (const holder of core.services.leave(one)) leaving.add(holder)
  leaving.delete(instance)
  // All services are withdrawn before any plugin moves. The most distant consumers stop first, as others wait for them.
  for (const holder of Array.from(leaving).reverse()) core.reconcile(holder)
}
