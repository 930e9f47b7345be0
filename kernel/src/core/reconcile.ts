import { toError } from '../base/to-error.js'
import type { HostCore } from './core.js'
import type { Instance } from './instance.js'
import { targetOf } from './resolve-target.js'
import { startInstance } from './start.js'
import { stopInstance } from './stop.js'
import { sameTarget, type Target } from './target.js'

/**
 * Moves the plugin towards its target, in a loop that ends when it is there. Aborts a setup for another target. Returns
 * at once.
 */
export function reconcile(core: HostCore, instance: Instance): void {
  const target = targetOf(core, instance)
  instance.abortSetupUnless(target)
  if (instance.isMoving) return
  if (instance.isSettledAt(target)) {
    if (instance.removed) forget(core, instance)
    return
  }
  // Most edits only change a section that the plugin takes in place: they need no loop and are done on return.
  if (target && instance.updateInPlace(target) && instance.isSettledAt(targetOf(core, instance))) return
  const endMove = instance.beginMove()
  core.moving.add()
  const end = (): void => {
    endMove()
    reconcile(core, instance)
    core.moving.done()
  }
  void run(core, instance, target).then(end, (bug: unknown) => {
    instance.report(toError(bug))
    end()
  })
}

/** @param refused the target that the plugin has just refused to take in place */
async function run(core: HostCore, instance: Instance, refused: Target | undefined): Promise<void> {
  for (let target = targetOf(core, instance); !instance.isSettledAt(target); target = targetOf(core, instance)) {
    if (instance.isUp) {
      const isTaken = target && !sameTarget(target, refused) && instance.updateInPlace(target)
      if (!isTaken) await stopInstance(core, instance)
    } else if (target) await startInstance(core, instance, target)
    else instance.rest()
  }
}

/** Forgets a removed plugin when it and its predecessors have stopped, so that its successor may start. */
function forget(core: HostCore, instance: Instance): void {
  if (instance.predecessor) return
  if (core.instances.get(instance.name) === instance) {
    core.instances.delete(instance.name)
    instance.kept.forget()
    core.stateChanged(instance)
  }
  const successor = instance.detachSuccessor()
  if (successor) reconcile(core, successor)
}

/** Resolves when all of them are settled at once: a settled one may still wait for another one that moves. */
export async function whenAllSettled(instances: readonly Instance[]): Promise<void> {
  while (instances.some(({ isMoving }) => isMoving))
    await Promise.all(instances.map((instance) => instance.whenSettled()))
}
