// The typed names that plugins meet by: services, forms of need, points, hooks.
// Tokens compare by id, so that two copies of a package still mean the same thing.

/** Names an implementation that one plugin provides and others receive. */
export interface Service<T> {
  readonly kind: 'service'
  readonly id: string
  /** Identity: id and major version. */
  readonly key: string
  readonly '~type'?: T
}

/**
 * Declares a service.
 *
 * @param options.major Raised when the interface breaks; majors do not meet.
 * @example export const Clocks = service<Clocks>('clocks')
 */
export function service<T>(id: string, options: { major?: number } = {}): Service<T> {
  return Object.freeze({ kind: 'service', id, key: `${id}@${options.major ?? 1}` })
}

/** A need that holds only when an enabled plugin declares to provide the service. */
export interface IfEnabled<T> {
  readonly kind: 'if-enabled'
  readonly service: Service<T>
}
/** A need that blocks nobody: a reference whose value comes and goes. */
export interface RefNeed<T> {
  readonly kind: 'ref'
  readonly service: Service<T>
}

/** Required when the configuration enables a provider, else `undefined`: a decision of the configuration, never of timing. */
export function ifEnabled<T>(service: Service<T>): IfEnabled<T> {
  return { kind: 'if-enabled', service }
}

/** A reference to a service that may come and go while the plugin runs. */
export function ref<T>(service: Service<T>): RefNeed<T> {
  return { kind: 'ref', service }
}

/** The three forms of need: the service itself, {@link ifEnabled} or {@link ref}. */
export type Need<T = unknown> = Service<T> | IfEnabled<T> | RefNeed<T>
export type Needs = Readonly<Record<string, Need>>

/** What a {@link ref} need gives. */
export interface Ref<T> {
  readonly current: T | undefined
  /** Whether an enabled plugin declares to provide it: then it is to be expected, though it may not be there. */
  readonly declared: boolean
  /** Calls `listener` after each change, until the returned function is called or the plugin goes. */
  onChange(listener: (current: T | undefined) => void | Promise<void>): () => void
}

/** What a plugin receives for a need. */
export type Resolved<N> =
  N extends RefNeed<infer T>
    ? Ref<T>
    : N extends IfEnabled<infer T>
      ? T | undefined
      : N extends Service<infer T>
        ? T
        : never

/** How lists name a contribution. */
export interface Description {
  readonly name: string
  readonly description?: string
}

/** A named place that plugins contribute typed values to, and that others read. */
export interface Point<T> {
  readonly kind: 'point'
  readonly id: string
  /** Unique within the point; a second contribution of the same key is refused. */
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
 * Declares a hook; plugins may also listen by its id.
 *
 * @example export const joined = hook<{ user: string }>('room.joined')
 */
export function hook<P, R = void>(id: string): Hook<P, R> {
  return Object.freeze({ kind: 'hook', id })
}
