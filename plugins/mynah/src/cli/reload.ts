import { AdminToken } from '@mynah/plugin-http-core/api'
import { reloadConfiguration, SharedConfiguration, type HeldPlugins } from '@mynah/kernel'
import { describeProblem, type LoadedHost } from '@mynah/kernel/loader'
import type { ReloadResult } from './protocol.js'

/** Reads configuration, environment files and tokens again and reports the changes in lines. */
export async function reloadHost({ host, configuration }: LoadedHost): Promise<ReloadResult> {
  const shared = host.get(SharedConfiguration)
  const { notes, problems, refusals, ...changes } = await reloadConfiguration({ host, configuration, shared })
  const found = problems.map((one) => `${one.severity === 'warning' ? 'warning' : 'error'}: ${describeProblem(one)}`)
  const refused = refusals.flatMap(({ plugin, mistakes }) =>
    mistakes.map(({ path, message }) => (path ? `${plugin}: ${path} ${message}` : message)),
  )
  if (!changes.accepted)
    return { accepted: false, lines: [...notes, ...found, ...refused, 'rejected: the host continues as before'] }
  // The token may have changed in the environment files or the data directory without a change of the section.
  host.get(AdminToken)?.reload()
  const moved = [
    ...named('updated', changes.updated),
    ...named('restarted', changes.restarted),
    ...named('started', changes.started),
    ...named('stopped', changes.stopped),
    ...named('not running', changes.removed),
    ...held('waits', changes.waiting),
  ]
  const none = 'nothing in the configuration has changed; the tokens were read again'
  const failed = [...refused.map((message) => `failed: ${message}`), ...held('failed', changes.failed)]
  return {
    accepted: true,
    failed: failed.length > 0,
    lines: [...notes, ...found, ...(moved.length + failed.length ? moved : [none]), ...failed],
  }
}

const named = (label: string, plugins: readonly string[]): string[] =>
  plugins.length ? [`${label}: ${plugins.join(', ')}`] : []

const held = (label: string, groups: readonly HeldPlugins[]): string[] =>
  groups.map(({ plugins, reason }) => `${label}: ${plugins.join(', ')}: ${reason}`)
