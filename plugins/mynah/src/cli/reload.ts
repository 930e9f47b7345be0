import { AdminToken } from '@mynah/plugin-http-core/api'
import type { PluginView } from '@mynah/kernel'
import { describeProblem, type LoadedHost } from '@mynah/kernel/loader'
import type { ReloadResult } from './protocol.js'

/** Reads configuration, environment files and tokens again and reports the changes. An invalid file changes nothing. */
export async function reloadHost({ host, configuration }: LoadedHost): Promise<ReloadResult> {
  const applied = await configuration.apply()
  const problems = applied.problems.map(
    (found) => `${found.severity === 'warning' ? 'warning' : 'error'}: ${describeProblem(found)}`,
  )
  if (!applied.accepted) {
    const refusals = applied.refusals.flatMap(({ plugin, mistakes }) =>
      mistakes.map(({ path, message }) => `${plugin}: ${path} ${message}`),
    )
    return { accepted: false, lines: [...problems, ...refusals, 'rejected: the host continues as before'] }
  }
  // The token may have changed in the environment files or the data directory without a change of the section.
  host.get(AdminToken)?.reload()
  const names = (label: string, plugins: readonly string[]): string[] =>
    plugins.length ? [`${label}: ${plugins.join(', ')}`] : []
  const affected = host.inspect().filter(({ name }) => applied.restarted.includes(name))
  const failed = affected.filter(({ state }) => state === 'failed')
  const waiting = affected.filter(({ state, waitingFor }) => state === 'pending' && waitingFor.length > 0)
  const started = applied.restarted.filter((name) => ![...failed, ...waiting].some((plugin) => plugin.name === name))
  const what = [
    ...names('updated', applied.updated),
    ...names('restarted', started),
    ...byReason('waits', waiting, ({ waitingFor }) => waitingFor.join('; ')),
    ...byReason('failed', failed, ({ error }) => error?.message ?? 'no reason known'),
  ]
  return {
    accepted: true,
    failed: failed.length > 0,
    lines: [
      ...problems,
      ...(what.length ? what : ['nothing in the configuration has changed; the tokens were read again']),
    ],
  }
}

/** Returns one line for each reason, with all plugins that share it: one cause often stops several. */
function byReason(label: string, plugins: readonly PluginView[], reasonOf: (plugin: PluginView) => string): string[] {
  const names = new Map<string, string[]>()
  for (const plugin of plugins) {
    const reason = reasonOf(plugin)
    names.set(reason, [...(names.get(reason) ?? []), plugin.name])
  }
  return Array.from(names, ([reason, sharing]) => `${label}: ${sharing.join(', ')}: ${reason}`)
}
