import { closestMatch } from '../base/closest-match.js'
import type { Service } from '../base/token.js'
import { omitUndefined } from '../util/omit-undefined.js'
import type { HostCore } from './core.js'
import type { RecordedError } from './error-history.js'
import type { Instance, PluginState } from './instance.js'
import type { Origin } from './origin.js'
import { claimsOf } from './plugin.js'
import type { Contribution } from './registry.js'
import { missingServices } from './resolve-target.js'

/** A plugin and its state, as a copy. */
export interface PluginView {
  readonly name: string
  readonly description: string
  readonly descriptions?: Readonly<Record<string, string>>
  readonly version?: string
  readonly state: PluginState
  /** When it came to this state, in milliseconds since the epoch. */
  readonly since: number
  /** How long its last successful setup took. */
  readonly setupMs?: number
  /** Services that it waits for, each with the reason why it is not available. */
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
  /** When it is started again after it was not ready, in milliseconds since the epoch. */
  readonly retryAt?: number
  /** Why it is degraded. */
  readonly reasons: readonly string[]
  readonly errors: readonly RecordedError[]
  readonly keptKeys: readonly string[]
  /** Where its module comes from, if the loader knows. */
  readonly origin?: Origin
}

const PACKAGE = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i

/** Returns the versions of the packages that plugins come from, by name. Files of the host itself are none. */
export function packagesOf(plugins: readonly PluginView[]): Map<string, string> {
  const packages = new Map<string, string>()
  for (const { origin, version } of plugins) {
    const name = origin?.filePath
    if (name && version && PACKAGE.test(name)) packages.set(name, version)
  }
  return packages
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

/** Returns why a service is not available, as one clause. */
function whyMissing(core: HostCore, { key, plugin }: Service<unknown>): string {
  const providers = core.graph.providersOf(key)
  const provider = providers.find((candidate) => !candidate.refused) ?? providers[0]
  if (provider) {
    switch (provider.state) {
      case 'failed':
        return `${provider.name} provides it and has failed: ${provider.error?.message ?? 'no reason known'}`
      case 'pending':
        return `${provider.name} provides it and is waiting too`
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
  if (plugin !== undefined) return `no plugin declares it; add "${plugin}" to plugins`
  const meant = closestMatch(nameOf(key), Array.from(core.graph.declared(), nameOf).sort())
  return `no plugin declares it${meant ? `; did you mean ${meant}?` : ''}`
}

const waits = (core: HostCore, instance: Instance): string[] =>
  instance.enabled && !instance.isUp && !instance.refused
    ? missingServices(core, instance).map((service) => `${service.id}: ${whyMissing(core, service)}`)
    : []

/** Returns views of all plugins. They are copies, apart from values, schemas and errors. */
export function inspectHost(core: HostCore): PluginView[] {
  return Array.from(core.instances.values(), (instance) => viewOf(core, instance))
}

function viewOf(core: HostCore, instance: Instance): PluginView {
  const { name, definition, origin } = instance
  const claims = claimsOf(definition)
  return omitUndefined({
    name,
    description: definition.description ?? '',
    descriptions: definition.descriptions,
    version: definition.version ?? origin?.version,
    state: instance.state,
    since: instance.since,
    setupMs: instance.setupMs,
    waitingFor: waits(core, instance),
    provides: (definition.provides ?? []).map(({ id }) => id),
    requires: Object.values(definition.needs ?? {}).map((need) =>
      need.kind === 'service' ? need.id : `${need.service.id} (${need.kind})`,
    ),
    claims: claims.map(({ path }) => path),
    schemas: Object.fromEntries(claims.map(({ path, schema }) => [path, schema])),
    contributions: core.registry.of(name).map(({ point, key, value, owner, description }) => ({
      point,
      key,
      value,
      owner,
      description: { ...description },
    })),
    effects: instance.scope?.labels() ?? [],
    error: instance.error,
    retryAt: instance.retryAt,
    reasons: instance.reasons(),
    errors: instance.errors().map((error) => ({ ...error })),
    keptKeys: instance.kept.keys(),
    origin: origin && { ...origin },
  })
}

/** Returns the chain of reasons from a plugin down to the one that causes it. */
export function whyNot(core: HostCore, instance: Instance): string {
  const lines: string[] = []
  const seen = new Set<Instance>()
  const explain = (plugin: Instance, depth: number): void => {
    if (seen.has(plugin)) return
    seen.add(plugin)
    const indent = '  '.repeat(depth)
    lines.push(`${indent}${plugin.name} is ${stateOf(plugin)}`)
    if (plugin.isUp || !plugin.enabled || plugin.refused) return
    for (const service of missingServices(core, plugin)) {
      lines.push(`${indent}  waiting for ${service.id}: ${whyMissing(core, service)}`)
      for (const provider of core.graph.providersOf(service.key)) explain(provider, depth + 2)
    }
  }
  explain(instance, 0)
  // Not a failure, but often the answer.
  for (const [point, keys] of unread(core, instance))
    lines.push(`  no plugin reads ${point}, to which it contributes ${keys.join(', ')}`)
  return lines.join('\n')
}

/** Returns the state of a plugin with its reasons or its error, for people. */
function stateOf(plugin: Instance): string {
  const { state, error, retryAt } = plugin
  if (plugin.isUp) return [state, ...[plugin.reasons().join('; ')].filter(Boolean)].join(': ')
  if (error) {
    const retry = retryAt === undefined ? '' : `; next attempt at ${new Date(retryAt).toISOString()}`
    return `${state}: ${error.message}${retry}`
  }
  return plugin.enabled ? state : 'disabled in the configuration'
}

/** Returns the keys of the contributions of a plugin that no plugin reads, by point. */
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

/** Returns counts of what the host holds. */
export function residueOf(core: HostCore): Residue {
  let effects = 0
  let kept = 0
  for (const instance of core.instances.values()) {
    effects += instance.scope?.labels().length ?? 0
    kept += instance.kept.keys().length
  }
  return { effects, kept, listeners: core.hooks.count(), ...core.registry.count(), ...core.services.count() }
}
