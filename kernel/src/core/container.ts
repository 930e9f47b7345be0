// The bridge to the dependency container: a child of tsyringe's, loaded only by those who import the decorators.
import { KernelError } from './errors.js'
import type { Instance } from './instance.js'
import type { Scope } from './scope.js'

/** Resolves a plugin's own classes. */
export interface ClassResolver { resolve<T>(type: new (...args: never[]) => T): T }

type Factory = (instance: Instance, needs: Readonly<Record<string, unknown>>, scope: Scope) => ClassResolver

// A global slot, so that the decorators of one copy of the kernel serve the host of another.
const SLOT = Symbol.for('mynah.kernel.container')
const slot = globalThis as { [SLOT]?: Factory }
const resolvers = new WeakMap<Scope, ClassResolver>()

/** Called once by `@mynah/kernel/di`. */
export function installContainer(factory: Factory): void {
  slot[SLOT] = factory
}

/** The resolver of one activation. */
export function container(instance: Instance, needs: Readonly<Record<string, unknown>>, scope: Scope): ClassResolver {
  let resolver = resolvers.get(scope)
  if (!resolver) {
    const factory = slot[SLOT]
    if (!factory) throw new KernelError('di/not-loaded', `${instance.name} makes a class, but nothing imported the decorators`)
    resolver = factory(instance, needs, scope)
    resolvers.set(scope, resolver)
  }
  return resolver
}
