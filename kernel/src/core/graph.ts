// The graph of declared needs and services, known before anything runs: cycles, doubles, and who could provide what.
import { KernelError } from './errors.js'
import type { Instance } from './instance.js'

/** Edit distance, for "did you mean". */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length] as number
}

/** The candidate nearest to `name`, where one is near enough to be meant. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates) {
    const away = distance(name.toLowerCase(), candidate.toLowerCase())
    if (away < least) [best, least] = [candidate, away]
  }
  return best
}

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
    for (const key of needKeys(instance)) link(this.#consumers, key, instance)
  }

  remove(instance: Instance): void {
    for (const { key } of instance.definition.provides ?? []) unlink(this.#providers, key, instance)
    for (const key of needKeys(instance)) unlink(this.#consumers, key, instance)
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

  /** Which of `instances`, in the order of the configuration, can never start beside the others, and why. */
  conflicts(instances: Iterable<Instance>): Map<Instance, KernelError> {
    const found = new Map<Instance, KernelError>()
    const owners = new Map<string, Instance>()
    const sound: Instance[] = []
    for (const instance of instances) {
      // What has no valid section never provides, so that another may.
      if (instance.invalid) continue
      const double = this.#double(instance, owners)
      if (double) {
        found.set(instance, double)
        continue
      }
      sound.push(instance)
      for (const { key } of instance.definition.provides ?? []) owners.set(key, instance)
    }
    for (const instance of sound) {
      const cycle = cycleFrom(instance, owners)
      if (cycle) found.set(instance, new KernelError('need/cycle', `${cycle.join(' → ')} need each other, so none can start first`))
    }
    return found
  }

  #double(instance: Instance, owners: ReadonlyMap<string, Instance>): KernelError | undefined {
    for (const { id, key } of instance.definition.provides ?? []) {
      const other = this.#builtin.has(key) ? 'the host' : owners.get(key)?.name
      if (other) return new KernelError('need/duplicate-provider', `${instance.name} provides ${id}, which ${other} provides already`)
    }
    return undefined
  }
}

/** The way from a plugin through what it needs back to itself. */
function cycleFrom(start: Instance, owners: ReadonlyMap<string, Instance>): string[] | undefined {
  if (!start.definition.provides?.length) return undefined
  const seen = new Set<Instance>()
  const visit = (instance: Instance, path: string[]): string[] | undefined => {
    for (const key of needKeys(instance)) {
      const provider = owners.get(key)
      if (!provider) continue
      if (provider === start) return [...path, start.name]
      if (seen.has(provider)) continue
      seen.add(provider)
      const found = visit(provider, [...path, provider.name])
      if (found) return found
    }
    return undefined
  }
  return visit(start, [start.name])
}

/** Keys of the services that a plugin waits for, should they be declared. */
export function needKeys(instance: Instance): string[] {
  const keys: string[] = []
  for (const need of Object.values(instance.definition.needs ?? {})) {
    if (need.kind === 'service') keys.push(need.key)
    else if (need.kind === 'if-enabled') keys.push(need.service.key)
  }
  return keys
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
