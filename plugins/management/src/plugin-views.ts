import type { Feature, PluginDetail, PluginItem } from '@mynah/contract'
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

/**
 * Returns the details of a plugin.
 *
 * @param redact shortens texts that may name files
 */
export function toPluginDetail(view: PluginView, redact: (text: string) => string): PluginDetail {
  const { provides, requires, claims, origin } = view
  return omitUndefined({
    ...toPluginItem(view, redact),
    state: view.state,
    waitingFor: view.waitingFor.map(redact),
    filename: origin?.filename,
    contexts: provides.map((name) => ({ name })),
    provides: [...provides],
    requires: [...requires],
    configKey: claims[0],
  })
}
