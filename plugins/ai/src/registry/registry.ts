import { createHash } from 'node:crypto'
import { messageOf, closestMatch, systemClock, type Clock, type Logger } from '@mynah/kernel'
import { isModelError, ModelError } from '../api/errors.js'
import type { Candidate, Capabilities } from '../api/models.js'
import type { Web } from '../api/web.js'
import { baseAddress } from '../base-address.js'
import { keysOf, windowOf, type ProviderConfig } from '../config.js'
import { Endpoint, type Fetch } from '../providers/endpoint.js'
import { familyOf } from '../providers/families.js'
import type { Family } from '../providers/family.js'
import { MEDIA, type ProviderForms, type RefusedForms } from '../providers/refused-forms.js'
import type { CachedProvider } from './cache-file.js'
import type { ModelInfo } from './model-info.js'
import { billionsOf, byScore, tierScore } from './score.js'

/** How long a discovered list is valid. It is refreshed on use. */
const FRESH_MS = 24 * 3_600_000
/** The least time before a failed discovery is repeated. */
const AGAIN_MS = 30_000

/** A model of the registry. */
export interface RegisteredModel {
  readonly id: string
  /** 0 to 100; 0 is no chat model. */
  readonly score: number
  readonly contextWindow?: number
  /** Billions of parameters, when its name or its provider has them. */
  readonly billions?: number
  readonly capabilities: Partial<Capabilities>
}

/** A provider of the registry. */
export interface RegisteredProvider {
  readonly alias: string
  readonly config: ProviderConfig
  readonly family: Family
  readonly endpoint: Endpoint
  readonly forms?: ProviderForms | undefined
  /** Whether the list of models is configured and not discovered. */
  readonly fixed: boolean
  /** Best first. */
  readonly models: readonly RegisteredModel[]
  readonly status: 'ready' | 'discovering' | 'failed'
  readonly error?: string
}

/** Options of a {@link ModelRegistry}. */
export interface RegistryOptions {
  /** By alias, as `ai.providers`. */
  readonly providers: Readonly<Record<string, ProviderConfig>>
  /** File of the discovered lists. Without it they are not kept. */
  readonly cacheFile?: string | undefined
  readonly clock?: Clock | undefined
  readonly log?: Logger | undefined
  /** For addresses that a provider's answers name. */
  readonly web?: Web | undefined
  /** Sends the requests to providers. Default: over the network. */
  readonly fetch?: Fetch | undefined
  /** The forms that models refuse. */
  readonly forms?: RefusedForms | undefined
  /** Called when a provider or its list has changed. */
  readonly changed?: ((alias: string) => void) | undefined
}

interface Entry {
  provider: RegisteredProvider
  readonly source: string
  discoveredAt: number
  failedAt: number
  running?: Promise<void> | undefined
}

/**
 * The models of all configured providers.
 *
 * @example
 * const registry = new ModelRegistry({ providers: { local: { sdk: 'ollama' } } })
 * await registry.discover('local')
 * registry.get('local')?.models[0]?.id
 */
export class ModelRegistry {
  readonly #options: RegistryOptions
  readonly #clock: Clock
  readonly #entries = new Map<string, Entry>()
  readonly #abort = new AbortController()
  #cached: ReadonlyMap<string, CachedProvider> = new Map()
  #writing: Promise<void> = Promise.resolve()

  constructor(options: RegistryOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.configure(options.providers)
  }

  /** Loads the lists of an earlier start. */
  async load(): Promise<void> {
    const { cacheFile, log } = this.#options
    if (cacheFile === undefined) return
    try {
      const { readCache } = await import('./cache-file.js')
      this.#cached = await readCache(cacheFile)
    } catch (error) {
      log?.warn(`failed to read the list of models: ${messageOf(error)}`)
      return
    }
    for (const [alias, entry] of this.#entries) this.#recall(alias, entry)
  }

  /** Replaces the providers. Those that have not changed keep their lists. */
  configure(providers: Readonly<Record<string, ProviderConfig>>): void {
    const before = new Map(this.#entries)
    this.#entries.clear()
    for (const [alias, config] of Object.entries(providers)) {
      if (!config.sdk) continue
      const known = before.get(alias)
      if (known && JSON.stringify(known.provider.config) === JSON.stringify(config)) {
        this.#entries.set(alias, known)
        continue
      }
      const family = familyOf(config.sdk)
      const written =
        config.sdk === 'ollama' ? (config.host ?? config.baseUrl) : (config.baseUrl ?? accountAddress(config))
      const address = written === undefined ? undefined : baseAddress(written, config.sdk)
      const fixed = config.models !== undefined
      const models = (config.models ?? []).map((id) => this.#model(config, family, { id, cachedAt: 0 }))
      const source = sourceOf(config.sdk, address ?? family.baseUrl)
      const forms = this.#options.forms?.ofProvider(alias, source, config.omit)
      const entry: Entry = {
        source,
        discoveredAt: 0,
        failedAt: 0,
        provider: {
          alias,
          config,
          family,
          endpoint: Endpoint.of(address, family.baseUrl, {
            web: this.#options.web,
            fetch: this.#options.fetch,
            secrets: [...keysOf(config), envKey(family)].filter((key) => key !== undefined),
            forms,
          }),
          forms,
          fixed,
          models: models.sort(byScore),
          status: fixed ? 'ready' : 'discovering',
        },
      }
      this.#entries.set(alias, entry)
      this.#recall(alias, entry)
    }
  }

  /** In the order of the configuration. */
  list(): RegisteredProvider[] {
    return Array.from(this.#entries.values(), ({ provider }) => provider)
  }

  get(alias: string): RegisteredProvider | undefined {
    return this.#entries.get(alias)?.provider
  }

  model({ provider, model }: Candidate): RegisteredModel | undefined {
    const found = this.#entries.get(provider)?.provider
    const known = found && modelIn(found.models, model)
    return known && takesNoMedia(found, model) ? { ...known, capabilities: { ...known.capabilities, ...BLIND } } : known
  }

  /** Returns the model if it may be asked. A list that is still empty allows every model. */
  allows({ provider, model }: Candidate): boolean {
    const found = this.#entries.get(provider)?.provider
    return (
      found !== undefined && ((found.models.length === 0 && !found.fixed) || modelIn(found.models, model) !== undefined)
    )
  }

  /** Returns the refusal of an unknown model or provider, with the nearest name. */
  refusal({ provider, model }: Candidate): ModelError {
    const found = this.#entries.get(provider)
    if (!found) {
      const meant = closestMatch(provider.slice(0, 100), this.#entries.keys())
      return new ModelError(
        'unconfigured',
        `There is no provider "${provider}" in ai.providers${meant ? `; did you mean "${meant}"?` : ''}`,
        { provider, model },
      )
    }
    const meant = closestMatch(
      model.slice(0, 100),
      found.provider.models.map(({ id }) => id),
    )
    return new ModelError(
      'not-allowed',
      `${provider} has no model "${model}"${found.provider.fixed ? ' in its list models' : ''}` +
        (meant ? `; did you mean "${meant}"?` : ''),
      { provider, model },
    )
  }

  /** Returns whether its list is missing, old or `doubted`, so that it is discovered before use. */
  isStale(alias: string, doubted = false): boolean {
    const entry = this.#entries.get(alias)
    return (
      entry !== undefined &&
      !entry.provider.fixed &&
      (doubted || this.#clock.now() - entry.discoveredAt >= FRESH_MS) &&
      this.#clock.now() - entry.failedAt >= AGAIN_MS
    )
  }

  /** Discovers the models of one provider or of all. Concurrent calls share one request. Failures are in the list. */
  async discover(alias?: string): Promise<void> {
    if (alias === undefined)
      return void (await Promise.all(Array.from(this.#entries.keys(), (each) => this.discover(each))))
    const entry = this.#entries.get(alias)
    if (!entry || entry.provider.fixed || this.#abort.signal.aborted) return
    entry.running ??= this.#discover(alias, entry).finally(() => (entry.running = undefined))
    await entry.running
  }

  /** Stops discovery. */
  async close(): Promise<void> {
    this.#abort.abort()
    await Promise.all(Array.from(this.#entries.values(), ({ running }) => running))
    await this.#writing
  }

  async #discover(alias: string, entry: Entry): Promise<void> {
    const { provider } = entry
    const known = new Map(
      (this.#cached.get(alias)?.source === entry.source ? (this.#cached.get(alias)?.models ?? []) : []).map((model) => [
        model.id,
        model,
      ]),
    )
    try {
      const { discover } = await import('./discover.js')
      const models = await discover({
        alias,
        family: provider.family,
        endpoint: provider.endpoint,
        key: keysOf(provider.config)[0] ?? envKey(provider.family),
        clock: this.#clock,
        signal: this.#abort.signal,
        known: (id) => known.get(id),
      })
      entry.discoveredAt = this.#clock.now()
      this.#set(entry, models)
      this.#options.log?.debug(`${alias} has ${models.length} models`)
      // An alias that was removed meanwhile is not written back.
      if (this.#entries.get(alias) === entry)
        this.#keep(alias, { models, at: entry.discoveredAt, source: entry.source })
    } catch (error) {
      if (isModelError(error) && error.class === 'aborted') return
      entry.failedAt = this.#clock.now()
      const message = messageOf(error)
      const { status, models } = entry.provider
      // The old list stays usable.
      entry.provider = { ...entry.provider, status: models.length ? 'ready' : 'failed', error: message }
      if (status !== 'failed') this.#options.log?.warn(message)
    }
    this.#options.changed?.(alias)
  }

  #recall(alias: string, entry: Entry): void {
    const cached = this.#cached.get(alias)
    if (!cached || cached.source !== entry.source || entry.provider.fixed || entry.discoveredAt >= cached.at) return
    // A wrong clock must not keep a list for ever.
    entry.discoveredAt = Math.min(cached.at, this.#clock.now())
    this.#set(entry, cached.models)
  }

  #set(entry: Entry, models: readonly ModelInfo[]): void {
    const { config, family } = entry.provider
    const { error: _error, ...rest } = entry.provider
    entry.provider = {
      ...rest,
      status: 'ready',
      models: models.map((model) => this.#model(config, family, model)).sort(byScore),
    }
  }

  #model(
    config: ProviderConfig,
    family: Family,
    { id, contextWindow, parameterSize, capabilities }: ModelInfo,
  ): RegisteredModel {
    const window = windowOf(config) ?? contextWindow
    // Providers report fractions for what people call 8b.
    const declared = billionsOf(parameterSize ?? '')
    const billions = billionsOf(id) ?? (declared === undefined || declared < 1 ? declared : Math.floor(declared))
    return {
      id,
      score: tierScore(id, { parameterSize }),
      ...(window === undefined ? {} : { contextWindow: window }),
      ...(billions === undefined ? {} : { billions }),
      capabilities: {
        ...family.capabilities,
        ...(family.videoModels?.test(id) ? { video: config.capabilities?.vision !== false } : {}),
        ...(family.pdfModels?.test(id) ? { pdf: true } : {}),
        ...capabilities,
        ...config.capabilities,
      },
    }
  }

  #keep(alias: string, cached: CachedProvider): void {
    this.#cached = new Map([...this.#cached, [alias, cached]])
    const { cacheFile, log } = this.#options
    if (cacheFile === undefined) return
    this.#writing = this.#writing
      .then(async () => (await import('./cache-file.js')).writeCache(cacheFile, this.#cached, this.#clock.now()))
      .catch((error: unknown) => {
        log?.warn(`failed to store the list of models: ${messageOf(error)}`)
      })
  }
}

const BLIND = { vision: false, video: false, pdf: false }

/** Returns whether a model has refused requests with pictures or files. */
export const takesNoMedia = ({ forms }: RegisteredProvider, model: string): boolean =>
  forms?.of(model).has(MEDIA) === true

const indexes = new WeakMap<readonly RegisteredModel[], ReadonlyMap<string, RegisteredModel>>()

/** Returns the model of a name. It is indexed: lists have thousands, and each turn looks up every candidate. */
function modelIn(models: readonly RegisteredModel[], id: string): RegisteredModel | undefined {
  let index = indexes.get(models)
  if (!index) indexes.set(models, (index = new Map(models.map((model) => [model.id, model]))))
  return index.get(id)
}

/** Returns the chat surface of a cloud account. */
function accountAddress({ accountId }: ProviderConfig): string | undefined {
  return accountId === undefined
    ? undefined
    : `https://api.cloudflare.com/client/v4/accounts/${encodeURIComponent(accountId)}/ai/v1`
}

/** Returns a digest that shows whether an alias still means the same provider. */
function sourceOf(sdk: string, address: string): string {
  return createHash('sha256').update(`${sdk} ${address}`).digest('hex').slice(0, 16)
}

/** Returns the key that a family's package reads from the environment. */
export function envKey(family: Family): string | undefined {
  return family.keyVariable === undefined ? undefined : process.env[family.keyVariable]
}
