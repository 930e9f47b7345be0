// Typed names through which plugins meet: services, needs, points and hooks.
// Tokens are compared by id, so that two copies of a package still mean the same one.
import { omitUndefined } from '../util/omit-undefined.js'

/** The name of an implementation that one plugin provides and others receive. */
export interface Service<T> {
  readonly kind: 'service'
  readonly id: string
  /** Identity: id and major version. */
  readonly key: string
  /** The plugin that usually provides it, to tell someone whose configuration has none. */
  readonly plugin?: string
  readonly '~type'?: T
}

/**
 * Declares a service.
 *
 * @param options.major raised when the interface breaks: a need and a provider of different majors do not match
 * @param options.plugin the plugin that usually provides it; error messages suggest it where none does
 * @example export const Clocks = service<Clocks>('clocks', { plugin: 'clock' })
 */
export function service<T>(id: string, { major = 1, plugin }: { major?: number; plugin?: string } = {}): Service<T> {
  return Object.freeze(omitUndefined({ kind: 'service' as const, id, key: `${id}@${major}`, plugin }))
}

/** An optional dependency, required only while an enabled plugin declares the service. */
export interface IfEnabled<T> {
  readonly kind: 'if-enabled'
  readonly service: Service<T>
}

/** An optional dependency, exposed as a live reference. */
export interface RefNeed<T> {
  readonly kind: 'ref'
  readonly service: Service<T>
}

/**
 * Declares an optional need: required when the configuration enables a provider, else `undefined`. The configuration
 * decides, never timing.
 */
export function ifEnabled<T>(service: Service<T>): IfEnabled<T> {
  return { kind: 'if-enabled', service }
}

/** Declares a reference to a service that may come and go while the plugin runs. */
export function ref<T>(service: Service<T>): RefNeed<T> {
  return { kind: 'ref', service }
}

/** The three forms of need: the service itself, {@link ifEnabled} or {@link ref}. */
export type Need<T = unknown> = Service<T> | IfEnabled<T> | RefNeed<T>
/** Needs of a plugin by the name under which its context has them. */
export type Needs = Readonly<Record<string, Need>>

/** A live reference, the value of a {@link ref} need. */
export interface Ref<T> {
  /** The implementation, while a plugin provides one. */
  readonly current: T | undefined
  /** Whether an enabled plugin declares the service, so that it may become available. */
  readonly declared: boolean
  /** Calls `listener` after each change, until the returned function is called or the plugin stops. */
  onChange(listener: (current: T | undefined) => void | Promise<void>): () => void
}

/** The type of the value that a plugin receives for a need. */
export type Resolved<N> =
  N extends RefNeed<infer T>
    ? Ref<T>
    : N extends IfEnabled<infer T>
      ? T | undefined
      : N extends Service<infer T>
        ? T
        : never

/** The name and description of a contribution in lists. */
export interface Description {
  readonly name: string
  readonly description?: string
}

/** A named list that plugins contribute typed values to and others read. */
export interface Point<T> {
  readonly kind: 'point'
  readonly id: string
  /** Returns the key of a value. A second contribution with the same key is refused. */
  key(value: T): string
  describe(value: T): Description
}

/**
 * Declares a point.
 *
 * @example export const tools = point<Tool>({ id: 'tools', key: (tool) => tool.name })
 */
export function point<T>(definition: {
  id: string
  key(value: T): string
  describe?(value: T): Description
}): Point<T> {
  return Object.freeze({
    kind: 'point',
    id: definition.id,
    key: definition.key,
    describe: definition.describe ?? ((value: T) => ({ name: definition.key(value) })),
  })
}

/** A typed event that plugins observe, transform or stop. */
export interface Hook<P, R = void> {
  readonly kind: 'hook'
  readonly id: string
  readonly '~payload'?: (payload: P) => P
  readonly '~result'?: R
}

/**
 * Declares a hook. Plugins may also listen by its id.
 *
 * @example export const joined = hook<{ user: string }>('room.joined')
 */
export function hook<P, R = void>(id: string): Hook<P, R> {
  return Object.freeze({ kind: 'hook', id })
}
