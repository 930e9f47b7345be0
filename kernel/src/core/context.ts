import type { Clock } from '../base/clock.js'
import type { Logger } from '../base/log.js'
import type { Hook, Needs, Point, Resolved, Service } from '../base/token.js'
import type { HookOptions } from './hooks.js'
import type { KeepOptions } from './kept.js'
import type { Reader } from './registry.js'

/** The part of the context that every plugin receives in `setup`. */
export interface BaseContext<Config> {
  /** Name of the plugin. */
  readonly name: string
  /** The checked configuration with defaults filled in. */
  readonly config: Config
  readonly log: Logger
  /** Aborts when the plugin stops. */
  readonly signal: AbortSignal
  /** Time and timers. Timers are cancelled when the plugin stops, and their failures are reported as the plugin's. */
  readonly clock: Clock
  /**
   * Provides a service of `provides`; the returned function withdraws it. Others receive it once `setup` has succeeded.
   */
  provide<T>(service: Service<T>, implementation: T): () => unknown
  /** Adds a value to a point; the returned function removes it. */
  contribute<T>(point: Point<T>, value: T): () => unknown
  /** Returns a view of the contributions of all plugins to a point. */
  read<T>(point: Point<T>): Reader<T>
  /** Listens to a hook, or to the hook of that id; the returned function stops listening. */
  on<P, R>(
    hook: Hook<P, R>,
    listener: (payload: P, next: (payload: P) => Promise<R>) => R | Promise<R> | void | Promise<void>,
    options?: HookOptions,
  ): () => unknown
  on(hook: string, listener: (payload: unknown) => unknown, options?: HookOptions): () => unknown
  /** Returns whether the hook has listeners, so that a payload is only built when one is needed. */
  hasListeners(hook: { readonly id: string }): boolean
  /** Notifies every listener. Failures are reported as those of the listener's plugin. */
  emit<P>(hook: Hook<P>, payload: P): void
  /** Notifies all listeners at once. Resolves when all have settled. */
  parallel<P>(hook: Hook<P>, payload: P): Promise<void>
  /** Asks one listener after the other. Resolves to the first answer that is not `undefined`. */
  bail<P, R>(hook: Hook<P, R>, payload: P): Promise<R | undefined>
  /** Passes the payload through all listeners, each wrapping the next, and finally through `last`. */
  waterfall<P, R>(hook: Hook<P, R>, payload: P, last: (payload: P) => R | Promise<R>): Promise<R>
  /** Registers any other side effect by its disposer, which may be async. The returned function disposes it early. */
  onDispose(label: string, dispose: () => unknown): () => unknown
  /**
   * Returns state that survives restarts of this plugin and, where it is plain, the replacement of its code. It is
   * forgotten when the plugin leaves the configuration.
   */
  keep<T>(key: string, init: () => T, options?: KeepOptions<T>): T
  /** Creates an injectable class of this plugin (see `@mynah/kernel/di`). Its needs are injected by their tokens. */
  resolve<T>(type: new (...args: never[]) => T): T
  /** Marks the plugin as degraded until the returned function is called. */
  degrade(reason: string): () => void
}

/** The context that a plugin receives in `setup`: the base, and its needs by name. */
export type Context<Config = unknown, N extends Needs = Record<never, never>> = Readonly<
  BaseContext<Config> & { readonly [K in keyof N]: Resolved<N[K]> }
>
