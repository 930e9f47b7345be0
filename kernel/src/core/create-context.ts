import type { Clock } from '../base/clock.js'
import { container } from '../base/container.js'
import { call } from '../base/guard.js'
import type { Hook } from '../base/token.js'
import type { BaseContext, Context } from './context.js'
import type { HostCore } from './core.js'
import type { HookOptions } from './hooks.js'
import type { Instance } from './instance.js'
import type { Scope } from './scope.js'
import type { Target } from './target.js'

function clockOf(core: HostCore, instance: Instance, scope: Scope): Clock {
  const guarded = (callback: () => unknown) => () => call(instance, callback, (error) => instance.failedLater(error))
  return Object.freeze<Clock>({
    now: () => core.clock.now(),
    setTimeout(callback, ms) {
      scope.assertOpen('set a timer')
      const run = guarded(callback)
      const release = scope.onDispose('timer', () => cancel())
      const cancel = core.clock.setTimeout(() => {
        release()
        void run()
      }, ms)
      return () => void release()
    },
    setInterval(callback, ms) {
      scope.assertOpen('set a timer')
      const run = guarded(callback)
      let running: Promise<unknown> | undefined
      const tick = (): void => {
        // Skip ticks while the callback still runs, or work would pile up behind a disk or peer that hangs.
        running ??= run()?.finally(() => {
          running = undefined
        })
      }
      const release = scope.onDispose('interval', core.clock.setInterval(tick, ms))
      return () => void release()
    },
  })
}

/** Creates the context of one activation of `instance`. All of its effects belong to `scope`. */
export function createContext(core: HostCore, instance: Instance, target: Target, scope: Scope): Context {
  const needs = resolveNeeds(core, instance, target, scope)
  const base: BaseContext<unknown> = {
    name: instance.name,
    config: instance.section,
    log: instance.log,
    get signal() {
      return scope.signal
    },
    clock: clockOf(core, instance, scope),
    provide(service, implementation) {
      scope.assertOpen(`provide ${service.id}`)
      return scope.onDispose(
        `provide ${service.id}`,
        core.services.provide(service, implementation, instance, target.definition),
      )
    },
    contribute(point, value) {
      scope.assertOpen(`contribute to ${point.id}`)
      const { key, undo } = core.registry.add(point, value, instance)
      core.contributionsChanged(instance)
      return scope.onDispose(`contribute ${point.id} ${key}`, () => {
        undo()
        core.contributionsChanged(instance)
      })
    },
    read: (point) => core.registry.read(point, instance, (label, dispose) => scope.onDispose(label, dispose)),
    on(
      hook: Hook<unknown, unknown> | string,
      listener: (payload: never, next: never) => unknown,
      options?: HookOptions,
    ) {
      const id = typeof hook === 'string' ? hook : hook.id
      scope.assertOpen(`listen to ${id}`)
      return scope.onDispose(`on ${id}`, core.hooks.add(id, listener, instance, options))
    },
    hasListeners: (hook) => core.hooks.has(hook.id),
    emit: (hook, payload) => core.hooks.emit(hook.id, payload),
    parallel: (hook, payload) => core.hooks.parallel(hook.id, payload),
    bail: <P, R>(hook: Hook<P, R>, payload: P) => core.hooks.bail(hook.id, payload) as Promise<R | undefined>,
    waterfall: <P, R>(hook: Hook<P, R>, payload: P, last: (payload: P) => R | Promise<R>) =>
      core.hooks.waterfall(hook.id, payload, last as (payload: unknown) => unknown) as Promise<R>,
    onDispose: (label, dispose) => scope.onDispose(label, dispose),
    keep(key, init, options) {
      scope.assertOpen(`keep ${key}`)
      return instance.kept.keep(key, init, options)
    },
    resolve: (type) => container(instance, needs, scope).resolve(type),
    degrade(reason) {
      scope.assertOpen('degrade')
      return instance.degrade(reason)
    },
  }
  // Properties, not a spread, which would read `signal`: it is created on first use, and most plugins never use it.
  for (const [name, value] of Object.entries(needs)) Object.defineProperty(base, name, { value, enumerable: true })
  return Object.freeze(base) as Context
}

/** Returns the value behind each need: the services of the target, and a reference for each `ref`. */
function resolveNeeds(core: HostCore, instance: Instance, target: Target, scope: Scope): Record<string, unknown> {
  const resolved: Record<string, unknown> = {}
  for (const [name, need] of Object.entries(instance.definition.needs ?? {})) {
    if (need.kind !== 'ref') continue
    const { key } = need.service
    resolved[name] = core.services.ref(key, instance, scope, () => core.graph.isDeclared(key))
  }
  for (const [index, { name }] of instance.needs.entries()) resolved[name] = target.resolvedNeeds[index]?.value
  return resolved
}
