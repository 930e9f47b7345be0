import { messageOf } from '../base/to-error.js'
import type { Refusal } from '../core/entry.js'
import type { HostControl } from '../core/host-services.js'
import type { PluginView } from '../core/inspect.js'
import type { Configuration } from './configuration.js'
import type { Problem } from './problem.js'
import type { SharedConfiguration } from './shared-configuration.js'

/** Plugins that do not run, all for the same reason. */
export interface HeldPlugins {
  readonly plugins: readonly string[]
  readonly reason: string
}

/** The changes that a reload has made. Plugins are named once. */
export interface Reloaded {
  /** False for an invalid configuration: the host runs as before, and all lists of plugins are empty. */
  readonly accepted: boolean
  /** Lines for people about a shared configuration. */
  readonly notes: readonly string[]
  readonly problems: readonly Problem[]
  readonly refusals: readonly Refusal[]
  /** Plugins that took their section in place. */
  readonly updated: readonly string[]
  readonly restarted: readonly string[]
  readonly started: readonly string[]
  readonly stopped: readonly string[]
  /** Plugins that are not configured any more, and did not run before. */
  readonly removed: readonly string[]
  /** Changed plugins that wait for others. */
  readonly waiting: readonly HeldPlugins[]
  /** All plugins that have failed, changed or not. */
  readonly failed: readonly HeldPlugins[]
}

/** The parts of a host that a reload needs. */
export interface ReloadableHost {
  readonly host: Pick<HostControl, 'inspect'>
  readonly configuration: Configuration
  readonly shared?: SharedConfiguration | undefined
}

/**
 * Makes a host run its configuration and environment files as they are on disk. An invalid file changes nothing. Where
 * hosts share their configuration, the newest revision is read in place of the file.
 */
export async function reloadConfiguration({ host, configuration, shared }: ReloadableHost): Promise<Reloaded> {
  const before = new Set(namesOf(host.inspect().filter(isUp)))
  const notes = await newestNotes(shared)
  const { accepted, problems, refusals, updated, restarted } = await configuration.apply(notes && configuration.text())
  const ranBefore = (name: string): boolean => before.has(name)
  const ranNot = (name: string): boolean => !before.has(name)
  const plugins = host.inspect().filter(({ state }) => state !== 'disabled')
  const affected = plugins.filter(({ name }) => restarted.includes(name))
  const failed = plugins.filter(({ state }) => state === 'failed')
  const waiting = affected.filter(({ state, waitingFor }) => state === 'pending' && waitingFor.length > 0)
  const moved = namesOf(affected.filter((plugin) => !failed.includes(plugin) && !waiting.includes(plugin)))
  const gone = restarted.filter((name) => plugins.every((plugin) => plugin.name !== name))
  return {
    accepted,
    notes: notes ?? [],
    problems,
    refusals,
    updated,
    restarted: moved.filter(ranBefore),
    started: moved.filter(ranNot),
    stopped: gone.filter(ranBefore),
    removed: gone.filter(ranNot),
    waiting: byReason(waiting, ({ waitingFor }) => waitingFor.join('; ')),
    failed: accepted ? byReason(failed, ({ error }) => error?.message ?? 'no reason known') : [],
  }
}

/** Makes a host run the newest revision of a shared configuration. Returns `undefined` where it runs its own file. */
async function newestNotes(shared: SharedConfiguration | undefined): Promise<readonly string[] | undefined> {
  try {
    return await shared?.follow()
  } catch (error) {
    // Environment files are read anyway.
    return [`the shared configuration cannot be read: ${messageOf(error)}`]
  }
}

const isUp = ({ state }: PluginView): boolean => state === 'active' || state === 'degraded'
const namesOf = (plugins: readonly PluginView[]): readonly string[] => plugins.map(({ name }) => name)

/** Groups plugins by their reason: one cause often stops several. */
function byReason(plugins: readonly PluginView[], reasonOf: (plugin: PluginView) => string): readonly HeldPlugins[] {
  const reasons = [...new Set(plugins.map(reasonOf))]
  return reasons.map((reason) => ({
    plugins: namesOf(plugins.filter((plugin) => reasonOf(plugin) === reason)),
    reason,
  }))
}
