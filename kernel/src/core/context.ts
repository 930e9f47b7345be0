// What a plugin receives, as types: one plain frozen object per activation.
import type { Clock } from '../base/clock.js'
import type { Logger } from '../base/log.js'
import type { Hook, Needs, Point, Resolved, Service } from '../base/token.js'
import type { HookOptions } from './hooks.js'
import type { Reader } from './registry.js'

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
  on<P, R>(
    hook: Hook<P, R>,
    listener: (payload: P, next: (payload: P) => Promise<R>) => R | Promise<R> | void | Promise<void>,
    options?: HookOptions,
  ): () => unknown
  on(hook: string, listener: (payload: unknown) => unknown, options?: HookOptions): () => unknown
  /** Whether anyone listens, for those who would make a payload for nobody. */
  hasListeners(hook: { readonly id: string }): boolean
  /** Tells every listener; failures are theirs. */
  emit<P>(hook: Hook<P>, payload: P): void
  /** Tells every listener at once; resolves when all have settled. */
  parallel<P>(hook: Hook<P>, payload: P): Promise<void>
  /** The first answer that is not `undefined`. */
  bail<P, R>(hook: Hook<P, R>, payload: P): Promise<R | undefined>
  /** Passes the payload through all listeners, each around the next, and through `last` in the end. */
  waterfall<P, R>(hook: Hook<P, R>, payload: P, last: (payload: P) => R | Promise<R>): Promise<R>
  /** Any other side effect, by its label and inverse; the inverse may be async. */
  onDispose(label: string, dispose: () => unknown): () => unknown
  /** State that survives a restart of this plugin and goes with its place in the configuration. */
  keep<T>(key: string, init: () => T): T
  /** Resolves an injectable class of this plugin (see `@mynah/kernel/di`); needs are injected by their tokens. */
  resolve<T>(type: new (...args: never[]) => T): T
  /** Marks the plugin as degraded until the returned function is called. */
  degrade(reason: string): () => void
}

/** A plugin's context: the base and its needs by name. */
export type Context<Config = unknown, N extends Needs = Record<never, never>> = Readonly<
  BaseContext<Config> & { readonly [K in keyof N]: Resolved<N[K]> }
>
