// Plugins as lists and pages show them.
import type { Feature, PluginDetail, PluginItem } from '@mynah/contract'
import type { Contribution, PluginState, PluginView } from '@mynah/kernel'

/** Names of points where the last word of their id says too little. */
const FEATURE_NAMES: Readonly<Record<string, string>> = {
  'chat.ai': 'ai',
  'events.declared': 'events',
  'http.readiness': 'readiness checks',
}

/** Whether a state counts as active. */
export const isActive = (state: PluginState): boolean => state === 'active' || state === 'degraded'

const featureName = (point: string): string => FEATURE_NAMES[point] ?? point.slice(point.lastIndexOf('.') + 1)

/** What a plugin has contributed, by point. */
export function featuresOf(contributions: readonly Contribution<unknown>[]): Feature[] {
  const features = new Map<string, Feature>()
  for (const { point, description } of contributions) {
    const feature = features.get(point) ?? { name: featureName(point), count: 0, items: [] }
    features.set(point, feature)
    feature.count++
    feature.items.push({
      name: description.name,
      ...(description.description === undefined ? {} : { description: description.description }),
    })
  }
  return Array.from(features.values())
}

/** A row of the list; `redact` shortens texts that may name files. */
export function itemOf(view: PluginView, redact: (text: string) => string): PluginItem {
  const { name, state, description, descriptions, contributions, version, waitingFor, error, reasons, origin } = view
  const problem = error?.message ?? (reasons.length ? reasons.join('; ') : undefined)
  return {
    name,
    status: isActive(state) ? 'active' : 'inactive',
    description,
    ...(descriptions === undefined ? {} : { descriptions: { ...descriptions } }),
    features: featuresOf(contributions),
    state,
    ...(version === undefined ? {} : { version }),
    ...(problem === undefined ? {} : { error: redact(problem) }),
    waitingFor: waitingFor.map(redact),
    ...(origin ? { filePath: origin.filePath } : {}),
  }
}

/** The page of a plugin; `redact` shortens texts that may name files. */
export function detailOf(view: PluginView, redact: (text: string) => string): PluginDetail {
  const { state, waitingFor, provides, requires, claims, origin } = view
  return {
    ...itemOf(view, redact),
    ...(origin ? { filename: origin.filename } : {}),
    contexts: provides.map((name) => ({ name })),
    state,
    waitingFor: waitingFor.map(redact),
    provides: [...provides],
    requires: [...requires],
    ...(claims[0] === undefined ? {} : { configKey: claims[0] }),
  }
}
