// Moving plugins: one loop per plugin that brings it to its target, and rests.
import { KernelError, NotReady } from '../base/errors.js'
import { toError, messageOf } from '../base/to-error.js'
import { configRolledBack } from '../base/host-hooks.js'
import { call } from '../base/guard.js'
import type { HostCore } from './core.js'
import type { Instance, Target } from './instance.js'
import { Scope } from './scope.js'
import { hold, release } from './services.js'
import { setUp } from './setup.js'
import { sameTarget, isSettled, sameGiven, targetOf } from './target.js'

const RETRY_FIRST_MS = 5_000
const RETRY_MAX_MS = 600_000

/** Moves the plugin to its target, if it is elsewhere; a setup that runs for another is given up. Waits for nothing. */
export function reconcile(core: HostCore, instance: Instance): void {
  const target = targetOf(core, instance)
  if (instance.pendingTarget && !sameTarget(instance.pendingTarget, target)) instance.abortSetup?.()
  if (instance.loop) return
  if (isSettled(instance, target)) {
    if (instance.removed) forget(core, instance)
    return
  }
  // Taking a section in place is all that most edits ask for, and is done when they return.
  if (
    instance.current &&
    target &&
    takenInPlace(instance, instance.current, target) &&
    isSettled(instance, targetOf(core, instance))
  )
    return
  let ended = (): void => {}
  instance.loop = new Promise((resolve) => {
    ended = resolve
  })
  core.began()
  const end = (): void => {
    instance.loop = undefined
    reconcile(core, instance)
    ended()
    core.ended()
  }
  void run(core, instance, target).then(end, (bug: unknown) => {
    instance.report(toError(bug))
    end()
  })
}

/** What stands for the loop of a plugin that is asked to take a section in place: it does nothing else meanwhile. */
const ASKED = Promise.resolve()

/** Resolves when the plugin rests. */
export async function whenSettled(instance: Instance): Promise<void> {
  while (instance.loop) await instance.loop
}

/** Resolves when all of them rest at once: one that rests may wait for another that moves. */
export async function whenAllSettled(instances: readonly Instance[]): Promise<void> {
  while (instances.some(({ loop }) => loop)) await Promise.all(instances.map(whenSettled))
}

/** @param asked The target that the plugin was asked to take in place before. */
async function run(core: HostCore, instance: Instance, asked: Target | undefined): Promise<void> {
  for (let target = targetOf(core, instance); !isSettled(instance, target); target = targetOf(core, instance)) {
    if (instance.current) {
      if (!target || sameTarget(target, asked) || !takenInPlace(instance, instance.current, target))
        await down(core, instance, instance.current)
    } else if (target) await up(core, instance, target)
    else instance.rested()
  }
}

/** Whether the running plugin goes on with another section; where it does, it has it. */
function takenInPlace(instance: Instance, at: Target, target: Target): boolean {
  if (!sameGiven(at, target) || at.section === target.section) return false
  let taken: unknown
  const { loop } = instance
  instance.loop ??= ASKED
  // One that answers later has not taken it.
  void call(instance, () => (taken = instance.running?.update?.(target.section, at.section)))
  instance.loop = loop
  if (taken !== true) return false
  instance.current = target
  instance.lastGood = { section: target.section }
  return true
}

async function up(core: HostCore, instance: Instance, target: Target): Promise<void> {
  if (instance.failedAt) instance.rested()
  // Whoever goes by the same edit has begun to when this turn is over.
  await undefined
  if (!sameTarget(target, targetOf(core, instance))) return
  instance.pendingTarget = target
  hold(instance, target.resolvedNeeds)
  instance.forgetReasons()
  instance.set('starting')
  const scope = new Scope(instance, core.clock)
  instance.scope = scope
  const began = performance.now()
  const { running, error } = await setUp(core, instance, scope)
  instance.pendingTarget = undefined
  if (running) {
    instance.started(target, running, performance.now() - began)
    core.services.publish(instance)
    return
  }
  await scope.close()
  instance.scope = undefined
  release(instance, target.resolvedNeeds)
  if (error && sameTarget(target, targetOf(core, instance))) failed(core, instance, target, error)
  else instance.rested()
}

function failed(core: HostCore, instance: Instance, target: Target, error: Error): void {
  instance.error = error
  instance.failedAt = target
  if (error instanceof NotReady || error.name === 'NotReady') {
    const asked = (error as { retryAfter?: unknown }).retryAfter
    const pause = typeof asked === 'number' && asked >= 0 && Number.isFinite(asked) ? asked : backOff(instance.attempts)
    instance.attempts++
    instance.retryAfter(pause, () => {
      instance.set(instance.idleState)
      reconcile(core, instance)
    })
    instance.log.warn(`not ready: ${error.message}; next attempt in ${Math.round(pause / 1000)} s`)
    instance.remember(error)
    instance.set('failed')
    return
  }
  instance.report(
    new KernelError('plugin/setup-failed', `${instance.name} failed to start: ${messageOf(error)}`, { cause: error }),
  )
  instance.set('failed')
  const { lastGood: good } = instance
  if (!good || good.section === target.section) {
    // What no longer starts is nothing to go back to.
    instance.lastGood = undefined
  } else if (instance.section === target.section) {
    instance.section = good.section
    instance.rolledBack = { section: target.section, error }
    core.hooks.emit(configRolledBack.id, { plugin: instance.name, reason: messageOf(error) })
  }
}

function backOff(attempts: number): number {
  const pause = RETRY_FIRST_MS * 2 ** attempts * (0.8 + Math.random() * 0.4)
  return Math.min(Math.max(pause, RETRY_FIRST_MS), RETRY_MAX_MS)
}

/** The way down: those who use it stop first, while it still serves them. */
async function down(core: HostCore, instance: Instance, at: Target): Promise<void> {
  instance.set('stopping')
  leave(core, instance)
  const free = core.services.free(instance)
  if (free) await free
  await instance.scope?.close()
  instance.scope = undefined
  instance.running = undefined
  instance.current = undefined
  release(instance, at.resolvedNeeds)
  instance.rested()
}

/** From here on nobody new receives what the plugin provides, nor what those provide who go with it. */
function leave(core: HostCore, instance: Instance): void {
  const going = new Set([instance])
  for (const one of going) for (const holder of core.services.leave(one)) going.add(holder)
  going.delete(instance)
  // All have left before any moves; those first who are furthest away, since the others wait for them.
  for (const holder of Array.from(going).reverse()) reconcile(core, holder)
}

/** A plugin that has left the configuration is gone when it and those before it have stopped. */
function forget(core: HostCore, instance: Instance): void {
  if (instance.predecessor) return
  if (core.instances.get(instance.name) === instance) {
    core.instances.delete(instance.name)
    core.stateChanged(instance)
  }
  const { successor } = instance
  if (!successor) return
  instance.successor = undefined
  successor.predecessor = undefined
  reconcile(core, successor)
}
