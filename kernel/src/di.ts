// Dependency injection for a plugin's own classes. Only importing this module loads tsyringe.
import 'reflect-metadata'
import {
  container as root,
  inject as injectToken,
  injectable as register,
  Lifecycle,
  scoped,
  type DependencyContainer,
} from 'tsyringe'
import { installContainer } from './base/container.js'
import { KernelError } from './base/errors.js'
import type { Service } from './base/token.js'

type Class = new (...args: never[]) => unknown
type Token = Service<unknown> | Class

/** Tokens of constructor parameters. Kept here because the container cannot tell whether one is missing. */
const parameters = new WeakMap<object, Map<number, Token>>()
const injectables = new WeakSet<object>()

/** Returns the tokens of a class, or those of its base class when it has no constructor of its own. */
function tokensOf(type: Class): ReadonlyMap<number, Token> {
  const own = parameters.get(type)
  if (own) return own
  const base: unknown = Object.getPrototypeOf(type)
  return type.length === 0 && typeof base === 'function' && base !== Function.prototype
    ? tokensOf(base as Class)
    : new Map()
}

/** Repeats inherited tokens on the class itself, since the container only knows tokens of decorated parameters. */
function mark(target: Class): void {
  injectables.add(target)
  if (parameters.has(target)) return
  for (const [index, token] of tokensOf(target)) inject(token)(target, undefined, index)
}

/** Marks a class that the container may create. */
export function injectable(): (target: Class) => void {
  return (target) => {
    mark(target)
    register()(target as never)
  }
}

/** Marks a class that has one instance in each activation of the plugin. */
export function single(): (target: Class) => void {
  return (target) => {
    mark(target)
    scoped(Lifecycle.ContainerScoped)(target as never)
  }
}

/**
 * Names the value of a constructor parameter: a service that the plugin needs, or another injectable class of the
 * plugin.
 *
 * @example
 * \@injectable() class Jobs { constructor(\@inject(Database) readonly db: Database) {} }
 */
export function inject(token: Token): ParameterDecorator {
  const decorate = injectToken((typeof token === 'function' ? token : token.key) as never)
  return (target, property, index) => {
    const tokens = parameters.get(target) ?? new Map<number, Token>()
    parameters.set(target, tokens.set(index, token))
    decorate(target, property, index)
  }
}

/** @throws KernelError `di/missing-token` when `type` or one of its dependencies cannot be created */
function assertTokens(type: Class, known: ReadonlySet<string>, seen: Set<Class>): void {
  if (seen.has(type)) return
  seen.add(type)
  const tokens = tokensOf(type)
  const count = Math.max(type.length, tokens.size)
  for (let index = 0; index < count; index++) {
    const token = tokens.get(index)
    const where = `${type.name}: constructor parameter ${index + 1}`
    if (!token) throw new KernelError('di/missing-token', `${where} has no @inject(TOKEN)`)
    if (typeof token === 'function') assertTokens(token, known, seen)
    else if (!known.has(token.key))
      throw new KernelError(
        'di/missing-token',
        `${where} asks for ${token.id}, which is not among the needs of the plugin`,
      )
  }
  if (count > 0 && !injectables.has(type))
    throw new KernelError('di/missing-token', `${type.name} is not marked with @injectable()`)
}

installContainer((instance, needs, scope) => {
  const child: DependencyContainer = root.createChildContainer()
  const known = new Set<string>()
  const checked = new WeakSet<object>()
  for (const [name, need] of Object.entries(instance.definition.needs ?? {})) {
    const { key } = need.kind === 'service' ? need : need.service
    known.add(key)
    // A factory, since the container refuses `undefined`, the value of an absent `ifEnabled` need.
    child.register(key, { useFactory: () => needs[name] })
  }
  scope.onDispose('container', () => child.dispose())
  return {
    resolve<T>(type: new (...args: never[]) => T): T {
      if (!checked.has(type)) assertTokens(type, known, new Set())
      checked.add(type)
      return child.resolve<T>(type as never)
    },
  }
})
