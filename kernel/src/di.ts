// Dependency injection for a plugin's own classes. Loads tsyringe; a host whose plugins make no classes never does.
import 'reflect-metadata'
import { container as root, inject as injectToken, injectable, Lifecycle, scoped, type DependencyContainer } from 'tsyringe'
import { installContainer } from './core/container.js'
import { KernelError } from './core/errors.js'
import type { Needs, Service } from './core/token.js'

export { injectable }

/** Tokens on constructor parameters, kept here because the container itself cannot be asked whether one is missing. */
const parameters = new WeakMap<object, Set<number>>()

/**
 * Names what a constructor parameter receives: a service that the plugin needs, or another injectable class of the plugin.
 *
 * @example
 * \@injectable() class Jobs { constructor(\@inject(Database) readonly db: Database) {} }
 */
export function inject(token: Service<unknown> | (new (...args: never[]) => unknown)): ParameterDecorator {
  const key = typeof token === 'function' ? token : token.key
  const decorate = injectToken(key as never)
  return (target, property, index) => {
    const seen = parameters.get(target) ?? new Set<number>()
    parameters.set(target, seen.add(index))
    decorate(target, property, index)
  }
}

/** A class of which one activation has one instance. */
export function single(): (target: new (...args: never[]) => unknown) => void {
  return scoped(Lifecycle.ContainerScoped) as (target: new (...args: never[]) => unknown) => void
}

function assertTokens(type: new (...args: never[]) => unknown): void {
  const seen = parameters.get(type)
  for (let index = 0; index < type.length; index++) {
    if (!seen?.has(index)) throw new KernelError('di/missing-token', `${type.name}: constructor parameter ${index + 1} has no @inject(TOKEN)`)
  }
}

installContainer((instance, needs, scope) => {
  const child: DependencyContainer = root.createChildContainer()
  for (const [name, need] of Object.entries((instance.definition.needs ?? {}) as Needs)) {
    const key = need.kind === 'service' ? need.key : need.service.key
    child.register(key, { useValue: needs[name] })
  }
  scope.own('container', () => child.dispose())
  return {
    resolve<T>(type: new (...args: never[]) => T): T {
      assertTokens(type)
      return child.resolve<T>(type as never)
    },
  }
})
