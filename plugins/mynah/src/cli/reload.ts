// A running host reads its configuration, environment files and tokens again, and says in words what changed.
import { AdminToken } from '@mynah/plugin-http-core/api'
import { describeProblem, type LoadedHost } from '@mynah/kernel/loader'
import type { Reloaded } from './protocol.js'

/** Applies what stands in the files now; a text with mistakes changes nothing. */
export async function reloadHost({ host, configuration }: LoadedHost): Promise<Reloaded> {
  const applied = await configuration.apply()
  const told = applied.problems.map(
    (found) => `${found.severity === 'warning' ? 'warning' : 'error'}: ${describeProblem(found)}`,
  )
  if (!applied.accepted) {
    const refusals = applied.refusals.flatMap(({ plugin, mistakes }) =>
      mistakes.map(({ path, message }) => `${plugin}: ${path} ${message}`),
    )
    return { accepted: false, lines: [...told, ...refusals, 'refused: the host runs on as before'] }
  }
  // A token may have changed where the section has not: in the environment files or the data directory.
  host.get(AdminToken)?.reload()
  const names = (label: string, plugins: readonly string[]): string[] =>
    plugins.length ? [`${label}: ${plugins.join(', ')}`] : []
  const what = [...names('updated', applied.updated), ...names('started again', applied.restarted)]
  return {
    accepted: true,
    lines: [
      ...told,
      ...(what.length ? what : ['nothing in the configuration has changed; the tokens were read again']),
    ],
  }
}
