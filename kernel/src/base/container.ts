// The bridge to the dependency container, which is loaded only when a plugin imports the decorators.
import { KernelError } from './errors.js'
import type { Needs } from './token.js'

/** Creates the classes of one activation of a plugin. */
export interface ClassResolver {
  resolve<T>(type: new (...args: never[]) => T): T
}

/** The plugin that the classes belong to. */
interface ClassOwner {
  readonly name: string
  readonly definition: { readonly needs?: Needs | undefined }
}

/** The scope that the instances live in. */
interface Lifetime {
  onDispose(label: string, dispose: () => unknown): unknown
}

type Factory = (owner: ClassOwner, needs: Readonly<Record<string, unknown>>, lifetime: Lifetime) => ClassResolver

// A global slot, so that the decorators work with the host of another copy of the kernel.
const SLOT = Symbol.for('mynah.kernel.container')
const slot = globalThis as { [SLOT]?: Factory }
const resolvers = new WeakMap<Lifetime, ClassResolver>()

/** Installs the factory of resolvers. Called once by `@mynah/kernel/di`. */
export function installContainer(factory: Factory): void {
  slot[SLOT] = factory
}

/** Returns the resolver of one activation. */
export function container(
  owner: ClassOwner,
  needs: Readonly<Record<string, unknown>>,
  lifetime: Lifetime,
): ClassResolver {
  let resolver = resolvers.get(lifetime)
  if (!resolver) {
    const factory = slot[SLOT]
    if (!factory)
      throw new KernelError('di/not-loaded', `${owner.name} creates a class, but nothing imported the decorators`)
    resolver = factory(owner, needs, lifetime)
    resolvers.set(lifetime, resolver)
  }
  return resolver
}
