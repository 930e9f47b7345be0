import { ModelError } from './api/errors.js'
import type { Candidate, Capabilities, ModelChoice } from './api/models.js'
import { takesNoMedia, type ModelRegistry, type RegisteredModel, type RegisteredProvider } from './registry/registry.js'

type Needs = NonNullable<ModelChoice['needs']>

/** Returns the candidates for a choice. Discovers models only when it has to. */
export async function candidatesFor(choice: ModelChoice, registry: ModelRegistry): Promise<Candidate[]> {
  if (registry.list().length === 0)
    throw new ModelError('unconfigured', 'There is no model to ask: configure one in ai.providers')
  const needs = choice.needs ?? {}
  const first =
    choice.model === undefined
      ? await bestOf(choice.provider, needs, registry)
      : await named(choice.provider, choice.model, registry)
  const others = choice.fallback
    ? choice.fallback.map((text) => fallbackOf(text, needs, registry))
    : following(first, needs, registry)
  const all = [first, ...others.filter((candidate) => candidate !== undefined)]
  return uniqueCandidates(all)
}

/** Returns the candidates in their order, without duplicates. */
export function uniqueCandidates(candidates: readonly Candidate[]): Candidate[] {
  // No alias has a colon.
  return Array.from(
    new Map(candidates.map((candidate) => [`${candidate.provider}:${candidate.model}`, candidate])).values(),
  )
}

/** Returns whether no capability is known to be missing. */
function fits(provider: RegisteredProvider, { id, score, capabilities }: RegisteredModel, needs: Needs): boolean {
  if (needs.vision && takesNoMedia(provider, id)) return false
  return (
    score > 0 &&
    (Object.keys(needs) as (keyof Capabilities)[]).every((need) => !needs[need] || capabilities[need] !== false)
  )
}

const best = (provider: RegisteredProvider, needs: Needs): Candidate | undefined => {
  const model = provider.models.find((each) => fits(provider, each, needs))
  return model && { provider: provider.alias, model: model.id }
}

async function named(alias: string | undefined, model: string, registry: ModelRegistry): Promise<Candidate> {
  if (alias !== undefined) {
    const candidate = { provider: alias, model }
    if (registry.allows(candidate)) return candidate
    throw registry.refusal(candidate)
  }
  const found = (): Candidate | undefined => {
    const provider = registry.list().find(({ models }) => models.some(({ id }) => id === model))
    if (provider) return { provider: provider.alias, model }
    // `alias:model`, unless a model has that name.
    const colon = model.indexOf(':')
    const split = { provider: model.slice(0, colon), model: model.slice(colon + 1) }
    return colon > 0 && registry.get(split.provider) && registry.allows(split) ? split : undefined
  }
  const known = found()
  if (known) return known
  // A provider that was not discovered yet may have it.
  await Promise.all(unasked(registry).map((provider) => registry.discover(provider.alias)))
  const discovered = found()
  if (discovered) return discovered
  const open = registry.list().find((provider) => registry.allows({ provider: provider.alias, model }))
  if (open) return { provider: open.alias, model }
  const likeliest = registry.list()[0] as RegisteredProvider
  throw registry.refusal({
    provider: registry.list().length === 1 ? likeliest.alias : (nearestProvider(model, registry) ?? likeliest.alias),
    model,
  })
}

/** Returns the provider whose refusal can name a similar model. */
function nearestProvider(model: string, registry: ModelRegistry): string | undefined {
  return registry
    .list()
    .find(({ alias }) => registry.refusal({ provider: alias, model }).message.includes('did you mean'))?.alias
}

async function bestOf(alias: string | undefined, needs: Needs, registry: ModelRegistry): Promise<Candidate> {
  if (alias !== undefined && !registry.get(alias)) throw registry.refusal({ provider: alias, model: '' })
  const aliases = alias === undefined ? registry.list().map((provider) => provider.alias) : [alias]
  const reasons: string[] = []
  for (const each of aliases) {
    let provider = registry.get(each) as RegisteredProvider
    if (provider.models.length === 0 && registry.isStale(each)) {
      await registry.discover(each)
      provider = registry.get(each) ?? provider
    }
    const candidate = best(provider, needs)
    if (candidate) return candidate
    reasons.push(provider.error ?? `${each} has no model that fits`)
  }
  throw new ModelError(
    'unconfigured',
    `There is no model to ask: ${reasons.join('; ')}`,
    alias === undefined ? {} : { provider: alias },
  )
}

const unasked = (registry: ModelRegistry): RegisteredProvider[] =>
  registry.list().filter(({ alias, models }) => models.length === 0 && registry.isStale(alias))

/** Resolves `alias` or `alias:model`, or returns `undefined` when there is none now. */
function fallbackOf(text: string, needs: Needs, registry: ModelRegistry): Candidate | undefined {
  const whole = registry.get(text)
  if (whole) return best(whole, needs)
  const colon = text.indexOf(':')
  const candidate = { provider: text.slice(0, colon), model: text.slice(colon + 1) }
  return colon > 0 && registry.allows(candidate) ? candidate : undefined
}

/** Returns the other models of the same provider by score, then the best of every other provider. */
function following(first: Candidate, needs: Needs, registry: ModelRegistry): (Candidate | undefined)[] {
  const provider = registry.get(first.provider)
  const own =
    provider?.models
      .filter((model) => model.id !== first.model && fits(provider, model, needs))
      .map(({ id }) => ({ provider: first.provider, model: id })) ?? []
  return [
    ...own,
    ...registry
      .list()
      .filter(({ alias }) => alias !== first.provider)
      .map((provider) => best(provider, needs)),
  ]
}
