import { KernelError } from '../base/errors.js'
import { shortestCycle, strongComponents } from '../base/strong-components.js'
import type { Instance } from './instance.js'

/** The services that enabled plugins declare and need, known before any plugin runs. */
export class Graph {
  readonly #providers = new Map<string, Set<Instance>>()
  readonly #consumers = new Map<string, Set<Instance>>()
  readonly #builtin = new Set<string>()

  /** Declares a service of the host itself. */
  builtin(key: string): void {
    this.#builtin.add(key)
  }

  add(instance: Instance): void {
    for (const { key } of instance.definition.provides ?? []) link(this.#providers, key, instance)
    for (const { service } of instance.needs) link(this.#consumers, service.key, instance)
  }

  remove(instance: Instance): void {
    for (const { key } of instance.definition.provides ?? []) unlink(this.#providers, key, instance)
    for (const { service } of instance.needs) unlink(this.#consumers, service.key, instance)
  }

  /** Returns whether an enabled plugin, or the host, declares the service. */
  isDeclared(key: string): boolean {
    return this.#builtin.has(key) || this.#providers.has(key)
  }

  /** Returns the enabled plugins that declare the service, in the order of the configuration. */
  providersOf(key: string): Instance[] {
    return Array.from(this.#providers.get(key) ?? []).sort((a, b) => a.position - b.position)
  }

  /** Returns the enabled plugins that wait for the service or would stop with it. */
  consumersOf(key: string): Iterable<Instance> {
    return this.#consumers.get(key) ?? []
  }

  /** Returns the keys of the services that plugins declare. */
  declared(): Iterable<string> {
    return this.#providers.keys()
  }

  /**
   * Returns which of `instances`, in the order of the configuration, can never start together with the others, and why.
   * Sets the rank of the others.
   */
  conflicts(instances: Iterable<Instance>): Map<Instance, KernelError> {
    const found = new Map<Instance, KernelError>()
    const owners = new Map<string, Instance>()
    const providers: Instance[] = []
    for (const instance of instances) {
      // A plugin with an invalid section never provides, so another one may.
      if (instance.invalid || !instance.definition.provides?.length) continue
      const duplicate = this.#duplicateOf(instance, owners)
      if (duplicate) {
        found.set(instance, duplicate)
        continue
      }
      providers.push(instance)
      for (const { key } of instance.definition.provides) owners.set(key, instance)
    }
    const providersFor = (instance: Instance): Instance[] =>
      instance.needs.flatMap(({ service }) => owners.get(service.key) ?? [])
    for (const [rank, component] of strongComponents(providers, providersFor).entries()) {
      for (const instance of component) {
        instance.setRank(rank)
        const cycle = shortestCycle(instance, new Set(component), providersFor)
        if (cycle) found.set(instance, cycleError(cycle))
      }
    }
    return found
  }

  #duplicateOf(instance: Instance, owners: ReadonlyMap<string, Instance>): KernelError | undefined {
    for (const { id, key } of instance.definition.provides ?? []) {
      const other = this.#builtin.has(key) ? 'the host' : owners.get(key)?.name
      if (!other) continue
      const message = `${instance.name} provides ${id}, which ${other} provides already`
      return new KernelError('need/duplicate-provider', message)
    }
    return undefined
  }
}

function cycleError(cycle: readonly Instance[]): KernelError {
  const path = cycle.map(({ name }) => name).join(' → ')
  return new KernelError('need/cycle', `${path} need each other, so none can start first`)
}

function link(index: Map<string, Set<Instance>>, key: string, instance: Instance): void {
  const set = index.get(key)
  if (set) set.add(instance)
  else index.set(key, new Set([instance]))
}

function unlink(index: Map<string, Set<Instance>>, key: string, instance: Instance): void {
  const set = index.get(key)
  set?.delete(instance)
  if (set?.size === 0) index.delete(key)
}
