import type { Service } from '../base/token.js'
import { HostControl, HostPaths, Supervisor } from '../core/host-services.js'
import { Configuration } from './configuration.js'
import type { ConfigDocument } from './document.js'
import type { LoadedPlugin } from './modules.js'
import { problem, type Problem } from './problem.js'

/** Services of the host itself. */
const OF_HOST = [HostControl, HostPaths, Supervisor, Configuration].map(({ key }) => key)

/** Returns a warning for each service that an enabled plugin waits for and no enabled plugin declares. */
export function unmetNeeds(loaded: readonly LoadedPlugin[], document: ConfigDocument): Problem[] {
  const enabled = loaded.filter((item) => item.enabled)
  // It is not known what a plugin that could not be loaded provides.
  if (enabled.some(({ unknown, failure }) => unknown !== undefined || failure !== undefined)) return []
  const provided = new Set([
    ...OF_HOST,
    ...enabled.flatMap(({ plugin }) => (plugin.provides ?? []).map((service: Service<unknown>) => service.key)),
  ])
  return enabled.flatMap(({ plugin, path }) =>
    Object.values(plugin.needs ?? {})
      .filter((need): need is Service<unknown> => need.kind === 'service' && !provided.has(need.key))
      .map(({ id, plugin: provider }) => {
        const message = `${plugin.name} waits for "${id}", which no enabled plugin provides`
        const remedy = provider === undefined ? '' : `: add "${provider}" to plugins`
        return problem('warning', 'config/unmet-need', message + remedy, document.place(path), plugin.name)
      }),
  )
}
