import { NotReady } from '../base/errors.js'
import { configRolledBack } from '../base/host-hooks.js'
import { messageOf } from '../base/to-error.js'
import type { HostCore } from './core.js'
import { returnTo } from './definition.js'
import type { Instance } from './instance.js'
import { targetOf } from './resolve-target.js'
import { Scope } from './scope.js'
import { SetupRun } from './setup.js'
import { holdNeeds, releaseNeeds, sameTarget, type Target } from './target.js'

const RETRY_FIRST_MS = 5_000
const RETRY_MAX_MS = 600_000

/** Runs the setup of a plugin that does not run. When it fails, disposes what it did and decides about a retry. */
export async function startInstance(core: HostCore, instance: Instance, target: Target): Promise<void> {
  if (instance.hasFailed) instance.rest()
  // Wait one microtask so that plugins removed by the same edit start stopping first.
  await undefined
  if (!sameTarget(target, targetOf(core, instance))) return
  holdNeeds(instance, target)
  const scope = new Scope(instance, core.clock)
  const setup = new SetupRun(core, instance, target, scope)
  instance.start(setup, target, scope)
  const startedAt = performance.now()
  const { handle, error } = await setup.run()
  if (handle) {
    instance.started(target, scope, handle, performance.now() - startedAt)
    core.services.publish(instance)
    return
  }
  instance.unwind(scope)
  await scope.close()
  releaseNeeds(instance, target)
  if (error && sameTarget(target, targetOf(core, instance))) fail(core, instance, target, error)
  else instance.rest()
}

function fail(core: HostCore, instance: Instance, target: Target, error: Error): void {
  if (error instanceof NotReady || error.name === 'NotReady') {
    instance.failUntil(target, error, retryDelay(error, instance.attempts), () => core.reconcile(instance))
    return
  }
  instance.fail(target, error)
  const good = instance.rollBack(target, error)
  if (!good) return
  returnTo(core, instance, good)
  if (good.definition === target.definition)
    core.hooks.emit(configRolledBack.id, { plugin: instance.name, reason: messageOf(error) })
}

/** Returns the delay that the error asks for, or else a growing one, in milliseconds. */
function retryDelay(error: Error, attempts: number): number {
  const { retryAfter } = error as { retryAfter?: unknown }
  if (typeof retryAfter === 'number' && retryAfter >= 0 && Number.isFinite(retryAfter)) return retryAfter
  const delay = RETRY_FIRST_MS * 2 ** attempts * (0.8 + Math.random() * 0.4)
  return Math.min(Math.max(delay, RETRY_FIRST_MS), RETRY_MAX_MS)
}
