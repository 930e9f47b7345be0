// What a plugin receives: a plain frozen object, built once per activation. Everything it does is owned by the scope.
import type { Clock } from './clock.js'
import { container } from './container.js'
import type { HookOptions } from './hooks.js'
import type { Instance } from './instance.js'
import type { HostCore } from './core.js'
import type { Logger } from './owner.js'
import type { Contribution, Delta, Reader } from './registry.js'
import type { Scope } from './scope.js'
import type { Hook, Needs, Point, Resolved, Service } from './token.js'
import { resolveNeeds } from './needs.js'

/** The effects and questions that a plugin has while active. */
export interface BaseContext<Config> {
  /** Name of the plugin. */
  readonly name: string
  /** The checked configuration with defaults filled in. */
  readonly config: Config
  readonly log: Logger
  /** Aborts when the plugin goes. */
  readonly signal: AbortSignal
  /** Time; its timers go with the plugin, and their failures are the plugin's. */
  readonly clock: Clock
  /** Puts an implementation behind a service of `provides`. Others receive it once `setup` has succeeded. */
  provide<T>(service: Service<T>, implementation: T): () => unknown
  /** Adds a value to a point; the returned function takes it back. */
  contribute<T>(point: Point<T>, value: T): () => unknown
  /** A view of what all plugins contribute to a point. */
  read<T>(point: Point<T>): Reader<T>
  /** Listens to a hook or to the hook of that id. */
  on<P, R>(hook: Hook<P, R>, listener: (payload: P, next: (payload: P) => Promise<R>) => R | Promise<R> | void | Promise<void>, options?: HookOptions): () => unknown
  on(hook: string, listener: (payload: unknown) => unknown, options?: HookOptions): () => unknown
  /** Whether anyone listens, for those who would make a payload for nobody. */
  hears(hook: { readonly id: string }): boolean
  /** Tells every listener; failures are theirs. */
  emit<P>(hook: Hook<P>, payload: P): void
  /** Tells every listener at once; resolves when all have settled. */
  parallel<P>(hook: Hook<P>, payload: P): Promise<void>
  /** The first answer that is not `undefined`. */
  bail<P, R>(hook: Hook<P, R>, payload: P): Promise<R | undefined>
  /** Passes the payload through all listeners, each around the next, and through `last` in the end. */
  waterfall<P, R>(hook: Hook<P, R>, payload: P, last: (payload: P) => R | Promise<R>): Promise<R>
  /** Any other side effect, by its label and inverse; the inverse may be async. */
  own(label: string, dispose: () => unknown): () => unknown
  /** State that survives a restart of this plugin and goes with its place in the configuration. */
  keep<T>(key: string, init: () => T): T
  /** Resolves an injectable class of this plugin (see `@mynah/kernel/di`); needs are injected by their tokens. */
  make<T>(type: new (...args: never[]) => T): T
  /** Marks the plugin as degraded until the returned function is called. */
  degrade(reason: string): () => void
}

/** A plugin's context: the base and its needs by name. */
export type Context<Config = unknown, N extends Needs = Record<never, never>> =
  Readonly<BaseContext<Config> & { readonly [K in keyof N]: Resolved<N[K]> }>

function clockOf(core: HostCore, instance: Instance, scope: Scope): Clock {
  const guarded = (callback: () => unknown) => () => {
    try {
      const result = callback()
      if (result instanceof Promise) result.catch((error: unknown) => instance.failedLater(error))
    } catch (error) {
      instance.failedLater(error)
    }
  }
  return Object.freeze<Clock>({
    now: () => core.clock.now(),
    setTimeout(callback, ms) {
      scope.assertOpen('set a timer')
      const run = guarded(callback)
      const release = scope.own('timer', () => cancel())
      const cancel = core.clock.setTimeout(() => { release(); run() }, ms)
      return () => void release()
    },
    setInterval(callback, ms) {
      scope.assertOpen('set a timer')
      const release = scope.own('interval', core.clock.setInterval(guarded(callback), ms))
      return () => void release()
    },
  })
}

/** Builds the context of one activation of `instance`. */
export function createContext(core: HostCore, instance: Instance, scope: Scope): Context {
  const needs = resolveNeeds(core, instance, scope)
  const base: BaseContext<unknown> = {
    name: instance.name,
    config: instance.config,
    log: instance.log,
    get signal() { return scope.signal },
    clock: clockOf(core, instance, scope),
    provide(service, implementation) {
      scope.assertOpen(`provide ${service.id}`)
      core.services.provide(service, implementation, instance)
      return scope.own(`provide ${service.id}`, () => core.services.withdraw(service, instance))
    },
    contribute(point, value) {
      scope.assertOpen(`contribute to ${point.id}`)
      const undo = core.registry.add(point, value, instance)
      core.contributionsChanged(instance)
      return scope.own(`contribute ${point.id} ${point.key(value)}`, () => {
        undo()
        core.contributionsChanged(instance)
      })
    },
    read: (point) => core.registry.read(point, instance, (label, dispose) => scope.own(label, dispose)),
    on(hook: Hook<unknown, unknown> | string, listener: (payload: never, next: never) => unknown, options?: HookOptions) {
      const id = typeof hook === 'string' ? hook : hook.id
      scope.assertOpen(`listen to ${id}`)
      return scope.own(`on ${id}`, core.hooks.add(id, listener, instance, options))
    },
    hears: (hook) => core.hooks.has(hook.id),
    emit: (hook, payload) => core.hooks.emit(hook.id, payload),
    parallel: (hook, payload) => core.hooks.parallel(hook.id, payload),
    bail: <P, R>(hook: Hook<P, R>, payload: P) => core.hooks.bail(hook.id, payload) as Promise<R | undefined>,
    waterfall: <P, R>(hook: Hook<P, R>, payload: P, last: (payload: P) => R | Promise<R>) =>
      core.hooks.waterfall(hook.id, payload, last as (payload: unknown) => unknown) as Promise<R>,
    own: (label, dispose) => scope.own(label, dispose),
    keep: (key, init) => instance.keep(key, init),
    make: (type) => container(instance, needs, scope).resolve(type),
    degrade(reason) {
      scope.assertOpen('degrade')
      return instance.degrade(reason)
    },
  }
  // Properties, not a spread: `signal` is made on first use, since most plugins never ask for it.
  for (const [name, value] of Object.entries(needs)) Object.defineProperty(base, name, { value, enumerable: true })
  return Object.freeze(base) as Context
}

export type { Contribution, Delta, Reader }
