import { AdminToken } from '@mynah/plugin-http-core/api'
import { messageOf, SharedConfiguration, type Host, type PluginView } from '@mynah/kernel'
import { describeProblem, type LoadedHost } from '@mynah/kernel/loader'
import type { ReloadResult } from './protocol.js'

/**
 * Reads configuration, environment files and tokens again and reports the changes. An invalid file changes nothing.
 * Where hosts share their configuration, the newest revision is read instead of the file.
 */
export async function reloadHost({ host, configuration }: LoadedHost): Promise<ReloadResult> {
  const before = new Set(
    host
      .inspect()
      .filter(isUp)
      .map(({ name }) => name),
  )
  const notes = await newestNotes(host)
  const applied = await configuration.apply(notes && configuration.text())
  const problems = applied.problems.map(
    (found) => `${found.severity === 'warning' ? 'warning' : 'error'}: ${describeProblem(found)}`,
  )
  if (!applied.accepted) {
    const refusals = applied.refusals.flatMap(({ plugin, mistakes }) =>
      mistakes.map(({ path, message }) => `${plugin}: ${path} ${message}`),
    )
    return {
      accepted: false,
      lines: [...(notes ?? []), ...problems, ...refusals, 'rejected: the host continues as before'],
    }
  }
  // The token may have changed in the environment files or the data directory without a change of the section.
  host.get(AdminToken)?.reload()
  const names = (label: string, plugins: readonly string[]): string[] =>
    plugins.length ? [`${label}: ${plugins.join(', ')}`] : []
  const affected = host.inspect().filter(({ name }) => applied.restarted.includes(name))
  const failed = affected.filter(({ state }) => state === 'failed')
  const waiting = affected.filter(({ state, waitingFor }) => state === 'pending' && waitingFor.length > 0)
  const moved = affected
    .filter((plugin) => !failed.includes(plugin) && !waiting.includes(plugin) && plugin.state !== 'disabled')
    .map(({ name }) => name)
  const gone = applied.restarted.filter((name) => isGone(host, name))
  const ranBefore = (name: string): boolean => before.has(name)
  const ranNot = (name: string): boolean => !before.has(name)
  const what = [
    ...names('updated', applied.updated),
    ...names('restarted', moved.filter(ranBefore)),
    ...names('started', moved.filter(ranNot)),
    ...names('stopped', gone.filter(ranBefore)),
    ...names('not running', gone.filter(ranNot)),
    ...byReason('waits', waiting, ({ waitingFor }) => waitingFor.join('; ')),
    ...byReason('failed', failed, ({ error }) => error?.message ?? 'no reason known'),
  ]
  return {
    accepted: true,
    failed: failed.length > 0,
    lines: [
      ...(notes ?? []),
      ...problems,
      ...(what.length ? what : ['nothing in the configuration has changed; the tokens were read again']),
    ],
  }
}

/**
 * Makes the host run the newest revision of a shared configuration. Returns what people should know, or `undefined`
 * where the host runs its own file.
 */
async function newestNotes(host: Host): Promise<readonly string[] | undefined> {
  try {
    return await host.get(SharedConfiguration)?.follow()
  } catch (error) {
    // Environment files and tokens are read anyway.
    return [`the shared configuration cannot be read: ${messageOf(error)}`]
  }
}

const isUp = ({ state }: PluginView): boolean => state === 'active' || state === 'degraded'

/** Returns whether a plugin was removed from the configuration or disabled. */
const isGone = (host: Host, name: string): boolean =>
  host.inspect().every((plugin) => plugin.name !== name || plugin.state === 'disabled')

/** Returns one line for each reason, with all plugins that share it: one cause often stops several. */
function byReason(label: string, plugins: readonly PluginView[], reasonOf: (plugin: PluginView) => string): string[] {
  const names = new Map<string, string[]>()
  for (const plugin of plugins) {
    const reason = reasonOf(plugin)
    names.set(reason, [...(names.get(reason) ?? []), plugin.name])
  }
  return Array.from(names, ([reason, sharing]) => `${label}: ${sharing.join(', ')}: ${reason}`)
}
