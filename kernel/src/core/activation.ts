// Bringing plugins up and down: a plugin starts when what it needs is there; those who use a service stop before it goes.
import { createContext } from './context.js'
import type { HostCore } from './core.js'
import { isThenable, KernelError, messageOf } from './errors.js'
import type { Instance } from './instance.js'
import type { Running } from './plugin.js'
import { Scope } from './scope.js'

const SETUP_WARNING_MS = 10_000
const SETUP_TIMEOUT_MS = 60_000

/** Keys of the services that `instance` cannot start without and that are not there. */
export function missing(core: HostCore, instance: Instance): string[] {
  const keys: string[] = []
  for (const need of Object.values(instance.definition.needs ?? {})) {
    if (need.kind === 'late') continue
    const key = need.kind === 'service' ? need.key : need.service.key
    if (need.kind === 'if-enabled' && !core.graph.isDeclared(key)) continue
    if (!core.services.get(key)) keys.push(key)
  }
  return keys
}

/** What the configuration decides for the plugin's `ifEnabled` needs, as one comparable value. */
export function decisionsOf(core: HostCore, instance: Instance): string {
  let decisions = ''
  for (const need of Object.values(instance.definition.needs ?? {})) {
    if (need.kind === 'if-enabled') decisions += core.graph.isDeclared(need.service.key) ? '1' : '0'
  }
  return decisions
}

const mayStart = (core: HostCore, instance: Instance): boolean =>
  instance.enabled && !instance.refused && !core.stopping && missing(core, instance).length === 0 && !isInTheWay(core, instance)

/** Whether one that was refused in favour of `instance` still provides the same; whoever refused it starts `instance` afterwards. */
const isInTheWay = (core: HostCore, instance: Instance): boolean =>
  instance.definition.provides?.some(({ key }) => core.services.isHeldByOther(key, instance)) ?? false

/** Starts the plugin if it waits, should run and can. */
export function reconcile(core: HostCore, instance: Instance): Promise<void> {
  const { epoch } = instance
  return instance.queue(async () => {
    if (instance.state !== 'pending' || instance.epoch !== epoch || !mayStart(core, instance)) return
    await start(core, instance, epoch)
  })
}

async function start(core: HostCore, instance: Instance, epoch: number): Promise<void> {
  instance.forgetReasons()
  instance.set('starting')
  const scope = new Scope(instance, core.clock)
  instance.scope = scope
  const began = performance.now()
  try {
    instance.decisions = decisionsOf(core, instance)
    const result = instance.definition.setup?.(createContext(core, instance, scope) as never)
    const running = isThenable(result) ? await bounded(core, instance, Promise.resolve(result), epoch) : result
    if (instance.epoch !== epoch) throw cancelled
    instance.running = (running ?? {}) as Running<unknown>
  } catch (error) {
    await scope.close()
    instance.scope = undefined
    // A stop was asked for meanwhile: whatever the setup said, it follows in the queue.
    if (error === cancelled || instance.epoch !== epoch) instance.rested()
    else instance.failed(error)
    return
  }
  instance.started(performance.now() - began)
  core.services.publish(instance)
}

const cancelled = new Error('cancelled')

/** Waits for a setup, warns when it is slow, and gives up on it when it takes too long or is no longer wanted. */
async function bounded(core: HostCore, instance: Instance, setup: Promise<unknown>, epoch: number): Promise<unknown> {
  const limit = instance.definition.setupTimeout ?? SETUP_TIMEOUT_MS
  const timers: (() => void)[] = []
  let waiting = true
  const givenUp = new Promise<never>((_, reject) => {
    instance.cancel = () => reject(cancelled)
    if (instance.epoch !== epoch) instance.cancel()
    timers.push(
      core.clock.setTimeout(() => instance.log.warn(`setup has been running for ${SETUP_WARNING_MS / 1000} s`), SETUP_WARNING_MS),
      core.clock.setTimeout(() => reject(new KernelError('plugin/setup-timeout', `${instance.name}: setup did not finish within ${limit / 1000} s`)), limit),
    )
  })
  setup.catch((error: unknown) => {
    if (!waiting) instance.log.debug(`the setup that was given up has ended: ${messageOf(error)}`)
  })
  try {
    return await Promise.race([setup, givenUp])
  } finally {
    waiting = false
    instance.cancel = undefined
    for (const cancel of timers) cancel()
  }
}

/** Stops the plugin, its consumers first, and leaves it at rest. */
export function stop(core: HostCore, instance: Instance): Promise<void> {
  instance.epoch++
  instance.cancel?.()
  return instance.queue(async () => {
    instance.clearRetry()
    if (instance.scope) {
      instance.set('stopping')
      core.services.leave(instance)
      const { provides } = instance.definition
      if (provides?.length) await Promise.all(provides.map((service) => stopConsumers(core, service.key)))
      await instance.scope.close()
      instance.scope = undefined
      instance.running = undefined
    }
    instance.rested()
  })
}

/** Stops every running plugin that needs the service; they wait for it from then on. */
export async function stopConsumers(core: HostCore, key: string): Promise<void> {
  const stopped: Promise<void>[] = []
  for (const consumer of core.graph.consumersOf(key)) {
    // One that stops already may still be using the service.
    if (consumer.state === 'stopping') stopped.push(consumer.queue(() => {}))
    else if (consumer.isUp || consumer.state === 'starting' || isToRetry(consumer)) stopped.push(stop(core, consumer).then(() => resume(core, consumer)))
  }
  await Promise.all(stopped)
}

/** Failed on its own with what it was given; given something else, it is tried again. */
const isToRetry = (instance: Instance): boolean => instance.state === 'failed' && !instance.refused

/** A consumer that stopped for a provider starts again at once where another, or the same, is there by now. */
function resume(core: HostCore, consumer: Instance): void {
  if (consumer.state === 'pending' && mayStart(core, consumer)) void reconcile(core, consumer)
}

/** Restarts the consumers whose `ifEnabled` decisions a change of configuration has changed; waits until they have stopped. */
export async function redecide(core: HostCore, keys: Iterable<string>): Promise<void> {
  const restarted: Promise<void>[] = []
  for (const key of keys) {
    for (const consumer of core.graph.consumersOf(key)) {
      if (consumer.state === 'pending') void reconcile(core, consumer)
      else if ((consumer.isUp || consumer.state === 'starting' || isToRetry(consumer)) && consumer.decisions !== decisionsOf(core, consumer)) {
        restarted.push(stop(core, consumer).then(() => void reconcile(core, consumer)))
      }
    }
  }
  await Promise.all(restarted)
}
