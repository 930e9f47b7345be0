import type { Feature, PluginDetail, PluginItem, PluginNeed } from '@mynah/contract'
import { omitUndefined } from '@mynah/kernel/util'
import type { Contribution, PluginState, PluginView } from '@mynah/kernel'

/** Names of features whose point id ends with an unclear word. */
const FEATURE_NAMES: Readonly<Record<string, string>> = {
  'chat.ai': 'ai',
  'events.declared': 'events',
  'http.readiness': 'readiness checks',
}

/** Returns whether a state counts as active. */
export const isActive = (state: PluginState): boolean => state === 'active' || state === 'degraded'

const featureName = (point: string): string => FEATURE_NAMES[point] ?? point.slice(point.lastIndexOf('.') + 1)

/** Returns the contributions of a plugin by point. */
function listFeatures(contributions: readonly Contribution<unknown>[]): Feature[] {
  const features = new Map<string, Feature>()
  for (const { point, description } of contributions) {
    const feature = features.get(point) ?? { name: featureName(point), count: 0, items: [] }
    features.set(point, feature)
    feature.count++
    feature.items.push(omitUndefined({ name: description.name, description: description.description }))
  }
  return Array.from(features.values())
}

/**
 * Returns a row of the list. Fields that the host and the contract both have pass through unchanged; dispatch drops the
 * others.
 *
 * @param redact shortens texts that may name files
 */
export function toPluginItem(view: PluginView, redact: (text: string) => string): PluginItem {
  const { state, contributions, waitingFor, error, reasons, origin } = view
  const problem = error?.message ?? (reasons.length ? reasons.join('; ') : undefined)
  return omitUndefined({
    ...view,
    status: isActive(state) ? ('active' as const) : ('inactive' as const),
    features: listFeatures(contributions),
    error: problem === undefined ? undefined : redact(problem),
    waitingFor: waitingFor.map(redact),
    filePath: origin?.filePath,
  })
}

const KINDS: Readonly<Record<string, PluginNeed['kind']>> = { 'if-enabled': 'if-enabled', ref: 'optional' }

/** Returns the services that a plugin needs. The kernel names the kind of a need behind the service: `chat (ref)`. */
const needsOf = ({ requires }: PluginView): Pick<PluginNeed, 'service' | 'kind'>[] =>
  requires.map((need) => {
    const [service = '', kind = ''] = need.split(/ \(|\)/)
    return { service, kind: KINDS[kind] ?? 'required' }
  })

/** Returns the name of the plugin that provides a service: one that is enabled, if there is one. */
function providerOf(service: string, all: readonly PluginView[]): string | undefined {
  const providers = all.filter(({ provides }) => provides.includes(service))
  return (providers.find(({ state }) => state !== 'disabled') ?? providers[0])?.name
}

/** Returns the needs of other plugins that a plugin provides. */
const needsFor = ({ name }: PluginView, all: readonly PluginView[]): PluginNeed[] =>
  all.flatMap((other) =>
    needsOf(other)
      .filter(({ service }) => providerOf(service, all) === name)
      .map((need) => ({ ...need, plugin: other.name })),
  )

/**
 * Returns the details of a plugin.
 *
 * @param all all plugins of the host
 * @param redact shortens texts that may name files
 */
export function toPluginDetail(
  view: PluginView,
  all: readonly PluginView[],
  redact: (text: string) => string,
): PluginDetail {
  const { provides, requires, claims, origin } = view
  return omitUndefined({
    ...toPluginItem(view, redact),
    state: view.state,
    waitingFor: view.waitingFor.map(redact),
    filename: origin?.filename,
    contexts: provides.map((name) => ({ name })),
    provides: [...provides],
    requires: [...requires],
    needs: needsOf(view).map((need) => omitUndefined({ ...need, plugin: providerOf(need.service, all) })),
    neededBy: needsFor(view, all),
    configKey: claims[0],
  })
}
