// Whether the configured providers can be used, as far as that is known without asking them.
import type { ProviderView } from './api/models.js'
import { keysOf, type AiConfig } from './config.js'
import { familyOf } from './providers/families.js'
import { envKey } from './registry/registry.js'

const present = new Set<string>()

/** Returns whether a package is installed, without loading it. */
function isInstalled(name: string): boolean {
  if (present.has(name)) return true
  try {
    import.meta.resolve(name)
  } catch {
    // Looked for again next time: it may be installed meanwhile.
    return false
  }
  present.add(name)
  return true
}

const REASONS = {
  auth: 'refuses the key',
  billing: 'has no credit left',
  'not-installed': 'needs a package that is not installed',
} as const

/**
 * Returns a provider as it is known, or as failed with the reason that it cannot be used.
 *
 * @param outage why it could not be reached the last time
 */
export function withReadiness(
  view: ProviderView,
  config: AiConfig,
  outage?: string,
  installed = isInstalled,
): ProviderView {
  const error = whyUnusable(view, config, installed) ?? outage
  return error === undefined ? view : { ...view, status: 'failed', error }
}

function whyUnusable(
  { alias, status, error, models }: ProviderView,
  config: AiConfig,
  installed: (name: string) => boolean,
): string | undefined {
  const provider = config.providers[alias]
  const family = provider?.sdk && familyOf(provider.sdk)
  if (family && !installed(family.packageOf(provider)))
    return `${alias} needs a package: npm install ${family.packageOf(provider)}`
  if (family && family.keyVariable && keysOf(provider).length === 0 && !envKey(family)) return `${alias} has no apiKey`
  if (status === 'failed') return error ?? `${alias} could not be asked`
  const cooling = models.find(
    ({ cooldownReason }) =>
      cooldownReason === 'auth' || cooldownReason === 'billing' || cooldownReason === 'not-installed',
  )
  return cooling ? `${alias} ${REASONS[cooling.cooldownReason as keyof typeof REASONS]}` : undefined
}
