// Views of a host: every plugin with its state and effects, why one does not run, and what is held.
import { closestMatch } from '../base/closest-match.js'
import type { HostCore } from './core.js'
import type { Instance, Origin, PluginState, RecordedError } from './instance.js'
import { claimsOf } from './plugin.js'
import type { Contribution } from './registry.js'
import { missingServices } from './target.js'

/** One plugin as it stands. */
export interface PluginView {
  readonly name: string
  readonly description: string
  readonly descriptions?: Readonly<Record<string, string>>
  readonly version?: string
  readonly state: PluginState
  /** When it came to this state, milliseconds since the epoch. */
  readonly since: number
  readonly setupMs?: number
  /** What it waits for, each with who could provide it. */
  readonly waitingFor: readonly string[]
  readonly provides: readonly string[]
  readonly requires: readonly string[]
  /** Configuration paths that it claims. */
  readonly claims: readonly string[]
  readonly schemas: Readonly<Record<string, unknown>>
  readonly contributions: readonly Contribution<unknown>[]
  /** Labels of its effects, in order. */
  readonly effects: readonly string[]
  readonly error?: Error
  readonly retryAt?: number
  /** Why it is degraded. */
  readonly reasons: readonly string[]
  readonly errors: readonly RecordedError[]
  readonly keptKeys: readonly string[]
  /** Where its module comes from, as far as the loader knows. */
  readonly origin?: Origin
}

/** Counts of what a host holds. */
export interface Residue {
  readonly effects: number
  readonly listeners: number
  readonly contributions: number
  readonly watchers: number
  readonly services: number
  readonly references: number
  readonly kept: number
}

const nameOf = (key: string): string => key.slice(0, key.lastIndexOf('@'))

/** Why a service is not there, as one clause. */
function whyMissing(core: HostCore, key: string): string {
  const providers = core.graph.providersOf(key)
  const provider = providers.find((candidate) => !candidate.refused) ?? providers[0]
  if (provider) {
    switch (provider.state) {
      case 'failed':
        return `${provider.name} provides it and has failed: ${provider.error?.message ?? 'no reason known'}`
      case 'pending':
        return `${provider.name} provides it and waits itself`
      case 'active':
      case 'degraded':
        return `${provider.name} declares it and has not provided it yet`
      default:
        return `${provider.name} provides it and is ${provider.state}`
    }
  }
  for (const other of core.instances.values()) {
    if (!other.enabled && other.definition.provides?.some((service) => service.key === key))
      return `${other.name} would provide it and is disabled`
  }
  const meant = closestMatch(nameOf(key), Array.from(core.graph.declared(), nameOf).sort())
  return `nobody declares it${meant ? `; did you mean ${meant}?` : ''}`
}

const waits = (core: HostCore, instance: Instance): string[] =>
  instance.enabled && !instance.isUp && !instance.refused
    ? missingServices(core, instance).map((key) => `${nameOf(key)}: ${whyMissing(core, key)}`)
    : []

/** Views that are the caller's own: nothing in them is what the host works with but values, schemas and errors. */
export function inspectHost(core: HostCore): PluginView[] {
  return Array.from(core.instances.values(), (instance): PluginView => {
    const { definition } = instance
    const version = definition.version ?? instance.origin?.version
    const claims = claimsOf(definition)
    return {
      name: instance.name,
      description: definition.description ?? '',
      ...(definition.descriptions === undefined ? {} : { descriptions: definition.descriptions }),
      ...(version === undefined ? {} : { version }),
      state: instance.state,
      since: instance.since,
      ...(instance.setupMs === undefined ? {} : { setupMs: instance.setupMs }),
      waitingFor: waits(core, instance),
      provides: (definition.provides ?? []).map(({ id }) => id),
      requires: Object.values(definition.needs ?? {}).map((need) =>
        need.kind === 'service' ? need.id : `${need.service.id} (${need.kind})`,
      ),
      claims: claims.map(({ path }) => path),
      schemas: Object.fromEntries(claims.map(({ path, schema }) => [path, schema])),
      contributions: core.registry.of(instance.name).map(({ point, key, value, owner, description }) => ({
        point,
        key,
        value,
        owner,
        description: { ...description },
      })),
      effects: instance.scope?.labels() ?? [],
      ...(instance.error ? { error: instance.error } : {}),
      ...(instance.retryAt === undefined ? {} : { retryAt: instance.retryAt }),
      reasons: instance.reasons(),
      errors: instance.errors().map((error) => ({ ...error })),
      keptKeys: instance.keptKeys(),
      ...(instance.origin ? { origin: { ...instance.origin } } : {}),
    }
  })
}

/** The chain of reasons from a plugin down to the one that is to blame. */
export function whyNot(core: HostCore, instance: Instance): string {
  const lines: string[] = []
  const seen = new Set<Instance>()
  const tell = (plugin: Instance, depth: number): void => {
    const indent = '  '.repeat(depth)
    if (seen.has(plugin)) return
    seen.add(plugin)
    const { retryAt } = plugin
    if (plugin.isUp)
      lines.push(
        `${indent}${plugin.name} is ${plugin.state}${plugin.reasons().length ? `: ${plugin.reasons().join('; ')}` : ''}`,
      )
    else if (plugin.error)
      lines.push(
        `${indent}${plugin.name} is ${plugin.state}: ${plugin.error.message}${retryAt === undefined ? '' : `; next attempt at ${new Date(retryAt).toISOString()}`}`,
      )
    else if (!plugin.enabled) lines.push(`${indent}${plugin.name} is disabled in the configuration`)
    else lines.push(`${indent}${plugin.name} is ${plugin.state}`)
    if (plugin.isUp || !plugin.enabled || plugin.refused) return
    for (const key of missingServices(core, plugin)) {
      lines.push(`${indent}  waiting for ${nameOf(key)}: ${whyMissing(core, key)}`)
      for (const provider of core.graph.providersOf(key)) tell(provider, depth + 2)
    }
  }
  tell(instance, 0)
  // No failure, but often what one looks for.
  for (const [point, keys] of unread(core, instance))
    lines.push(`  nobody reads ${point}, to which it contributes ${keys.join(', ')}`)
  return lines.join('\n')
}

/** Contributions of a plugin that no plugin reads, by point. */
function unread(core: HostCore, instance: Instance): Map<string, string[]> {
  const points = new Map<string, string[]>()
  for (const { point, key } of core.registry.of(instance.name)) {
    if (core.registry.isRead(point)) continue
    const keys = points.get(point)
    if (keys) keys.push(key)
    else points.set(point, [key])
  }
  return points
}

export function residueOf(core: HostCore): Residue {
  let effects = 0
  let kept = 0
  for (const instance of core.instances.values()) {
    effects += instance.scope?.labels().length ?? 0
    kept += instance.keptKeys().length
  }
  return { effects, kept, listeners: core.hooks.count(), ...core.registry.count(), ...core.services.count() }
}
