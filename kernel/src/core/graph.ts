// The graph of declared needs and services, known before anything runs: cycles, doubles, and who could provide what.
import { KernelError } from '../base/errors.js'
import type { Instance } from './instance.js'

/** Declared providers and consumers of all enabled plugins. */
export class Graph {
  readonly #providers = new Map<string, Set<Instance>>()
  readonly #consumers = new Map<string, Set<Instance>>()
  readonly #builtin = new Set<string>()

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

  /** Whether an enabled plugin, or the host, declares the service. */
  isDeclared(key: string): boolean {
    return this.#builtin.has(key) || this.#providers.has(key)
  }

  /** Enabled plugins that declare the service, in the order of the configuration. */
  providersOf(key: string): Instance[] {
    return Array.from(this.#providers.get(key) ?? []).sort((a, b) => a.position - b.position)
  }

  /** Enabled plugins that wait for the service or would stop with it. */
  consumersOf(key: string): Iterable<Instance> {
    return this.#consumers.get(key) ?? []
  }

  declared(): Iterable<string> {
    return this.#providers.keys()
  }

  /** Which of `instances`, in the order of the configuration, can never start beside the others, and why. Ranks the rest. */
  conflicts(instances: Iterable<Instance>): Map<Instance, KernelError> {
    const found = new Map<Instance, KernelError>()
    const owners = new Map<string, Instance>()
    const sound: Instance[] = []
    for (const instance of instances) {
      // What has no valid section never provides, so that another may; what provides nothing is in nobody's way.
      if (instance.invalid || !instance.definition.provides?.length) continue
      const double = this.#double(instance, owners)
      if (double) {
        found.set(instance, double)
        continue
      }
      sound.push(instance)
      for (const { key } of instance.definition.provides) owners.set(key, instance)
    }
    const providersOf = (instance: Instance): Instance[] =>
      instance.needs.flatMap(({ service }) => owners.get(service.key) ?? [])
    for (const [rank, component] of componentsOf(sound, providersOf).entries()) {
      for (const instance of component) {
        instance.rank = rank
        const cycle = cycleFrom(instance, new Set(component), providersOf)
        if (cycle)
          found.set(
            instance,
            new KernelError(
              'need/cycle',
              `${cycle.map(({ name }) => name).join(' → ')} need each other, so none can start first`,
            ),
          )
      }
    }
    return found
  }

  #double(instance: Instance, owners: ReadonlyMap<string, Instance>): KernelError | undefined {
    for (const { id, key } of instance.definition.provides ?? []) {
      const other = this.#builtin.has(key) ? 'the host' : owners.get(key)?.name
      if (other)
        return new KernelError(
          'need/duplicate-provider',
          `${instance.name} provides ${id}, which ${other} provides already`,
        )
    }
    return undefined
  }
}

/**
 * Tarjan's strongly connected components, in one pass and without recursion, since a chain may be as long as the list of
 * plugins. A component comes after all that it points to.
 */
function componentsOf<T>(nodes: readonly T[], pointsTo: (node: T) => readonly T[]): T[][] {
  const components: T[][] = []
  const index = new Map<T, number>()
  const low = new Map<T, number>()
  const open: T[] = []
  const isOpen = new Set<T>()
  const enter = (node: T): { node: T; left: Iterator<T> } => {
    index.set(node, index.size)
    low.set(node, index.size - 1)
    open.push(node)
    isOpen.add(node)
    return { node, left: pointsTo(node)[Symbol.iterator]() }
  }
  const lower = (node: T, to: number): void => void low.set(node, Math.min(low.get(node) as number, to))
  for (const start of nodes) {
    if (index.has(start)) continue
    const path = [enter(start)]
    for (let frame = path.at(-1); frame; frame = path.at(-1)) {
      const { node, left } = frame
      const next = left.next()
      if (!next.done) {
        if (!index.has(next.value)) path.push(enter(next.value))
        else if (isOpen.has(next.value)) lower(node, index.get(next.value) as number)
        continue
      }
      path.pop()
      const parent = path.at(-1)
      if (parent) lower(parent.node, low.get(node) as number)
      if (low.get(node) !== index.get(node)) continue
      const component = open.splice(open.lastIndexOf(node))
      for (const member of component) isOpen.delete(member)
      components.push(component)
    }
  }
  return components
}

/** The shortest way from a plugin through what it needs back to itself; all of a cycle are in one component. */
function cycleFrom(
  start: Instance,
  component: ReadonlySet<Instance>,
  providersOf: (instance: Instance) => readonly Instance[],
): Instance[] | undefined {
  const before = new Map<Instance, Instance>()
  const reached = [start]
  for (const instance of reached) {
    for (const provider of providersOf(instance)) {
      if (provider === start) {
        const path = [instance, start]
        while (path[0] !== start) path.unshift(before.get(path[0] as Instance) as Instance)
        return path
      }
      if (!component.has(provider) || before.has(provider)) continue
      before.set(provider, instance)
      reached.push(provider)
    }
  }
  return undefined
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
