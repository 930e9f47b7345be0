// The bridge to the dependency container: a child of tsyringe's, loaded only by those who import the decorators.
import { KernelError } from './errors.js'
import type { Needs } from './token.js'

/** Resolves a plugin's own classes. */
export interface ClassResolver {
  resolve<T>(type: new (...args: never[]) => T): T
}

/** Whose classes they are. */
interface Maker {
  readonly name: string
  readonly definition: { readonly needs?: Needs | undefined }
}
/** How long they live. */
interface Lifetime {
  onDispose(label: string, dispose: () => unknown): unknown
}
type Factory = (maker: Maker, needs: Readonly<Record<string, unknown>>, lifetime: Lifetime) => ClassResolver

// A global slot, so that the decorators of one copy of the kernel serve the host of another.
const SLOT = Symbol.for('mynah.kernel.container')
const slot = globalThis as { [SLOT]?: Factory }
const resolvers = new WeakMap<Lifetime, ClassResolver>()

/** Called once by `@mynah/kernel/di`. */
export function installContainer(factory: Factory): void {
  slot[SLOT] = factory
}

/** The resolver of one activation. */
export function container(maker: Maker, needs: Readonly<Record<string, unknown>>, lifetime: Lifetime): ClassResolver {
  let resolver = resolvers.get(lifetime)
  if (!resolver) {
    const factory = slot[SLOT]
    if (!factory)
      throw new KernelError('di/not-loaded', `${maker.name} makes a class, but nothing imported the decorators`)
    resolver = factory(maker, needs, lifetime)
    resolvers.set(lifetime, resolver)
  }
  return resolver
}
