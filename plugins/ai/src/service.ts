// The service `Models`: registry, connections to providers, fallback, budget and counters.
import type { Clock, Logger } from '@mynah/kernel'
import { ModelError } from './api/errors.js'
import type {
  BudgetExceeded,
  CallOptions,
  Candidate,
  ImageRequest,
  ImageResult,
  ModelChoice,
  ModelPart,
  ModelRequest,
  Models,
  ModelStateChange,
  ModelView,
  ProviderView,
  SpeechRequest,
  SpeechResult,
  StreamOptions,
  TranscriptionRequest,
  TranscriptionResult,
  UsageReport,
} from './api/models.js'
import type { ModelServer } from './api/model-servers.js'
import type { Web } from './api/web.js'
import { Budget } from './budget.js'
import { candidatesFor } from './candidates.js'
import { windowOf, type AiConfig } from './config.js'
import type { AskHost } from './fallback/ask-host.js'
import { askWithFallback } from './fallback/ask-with-fallback.js'
import { nameOf } from './fallback/attempts.js'
import { Cooldowns } from './fallback/cooldowns.js'
import type { MediaCalls } from './media/calls.js'
import { Connections } from './providers/connections.js'
import { fetchFrom, isInProcess, withServers } from './providers/in-process.js'
import { withReadiness } from './readiness.js'
import { callIds, canMend, takesUrl, withoutThinking, withoutTools } from './request-parts.js'
import type { KeyRing } from './providers/key-ring.js'
import { MEDIA, RefusedForms } from './providers/refused-forms.js'
import { ModelRegistry, type RegisteredModel, type RegisteredProvider } from './registry/registry.js'
import type { Counters } from './counters.js'
import { estimate } from './tokens/estimate.js'
import { UsageAccount } from './usage-account.js'
import { untilAborted } from './until-aborted.js'

/** The parts of the host that the service needs. */
export interface ServiceOptions {
  readonly config: AiConfig
  readonly clock: Clock
  readonly log: Logger
  readonly web: Web
  /** Servers of models in this process. Default: none. */
  readonly servers?: () => readonly ModelServer[]
  /** Directory for the cache and the budget. Without it both are in memory only. */
  readonly data?: string | undefined
  used(report: UsageReport): void
  stateChanged(change: ModelStateChange): void
  budgetExceeded(what: BudgetExceeded): void
  /** Returns a number of milliseconds between the bounds. Default: random. */
  readonly jitter?: (least: number, most: number) => number
}

export class AiModels implements Models {
  readonly #options: ServiceOptions
  readonly #servers: () => readonly ModelServer[]
  readonly #registry: ModelRegistry
  readonly #forms: RefusedForms
  readonly #cooldowns: Cooldowns
  readonly #budget: Budget
  readonly #account: UsageAccount
  readonly #connections: Connections
  readonly #askHost: AskHost
  /** Models that have answered requests with pictures or files since the start, by name. */
  readonly #seeing = new Set<string>()
  #mediaCalls: MediaCalls | undefined
  #engine: typeof import('./stream/engine.js') | undefined
  #config: AiConfig

  constructor(options: ServiceOptions) {
    const { clock, log, web, data, config } = options
    this.#options = options
    this.#servers = options.servers ?? (() => [])
    this.#config = withServers(config, this.#servers())
    this.#forms = new RefusedForms({ file: data === undefined ? undefined : `${data}/model-forms.json`, clock, log })
    this.#registry = new ModelRegistry({
      providers: this.#config.providers,
      fetch: fetchFrom(this.#servers),
      forms: this.#forms,
      clock,
      log,
      web,
      cacheFile: data === undefined ? undefined : `${data}/model-registry-cache.json`,
      changed: (alias) => this.#discovered(alias),
    })
    this.#cooldowns = new Cooldowns(clock, (change) => this.#changed(change))
    this.#budget = new Budget({
      clock,
      log,
      file: data === undefined ? undefined : `${data}/ai-budget.json`,
      limits: () => this.#config.budget,
      exceeded: options.budgetExceeded,
    })
    this.#account = new UsageAccount(clock, this.#budget, (report) => options.used(report))
    this.#connections = new Connections(clock, log)
    this.#askHost = {
      clock,
      log,
      cooldowns: this.#cooldowns,
      attempt: (request, candidate, limits) => this.#attempt(request, candidate, limits),
      window: (candidate) => this.#registry.model(candidate)?.contextWindow,
      admit: (candidates) => this.#admit(candidates),
      onFailure: (candidate, error) => this.counters.failed(candidate, error.class),
      canSimplify: canMend,
      sendsMedia: ({ messages }, candidate) =>
        this.#engine !== undefined && this.#engine.sendsMedia(messages, this.#mediaTarget(candidate)),
      sawMedia: (candidate) => void this.#seeing.add(nameOf(candidate)),
      refusedMedia: (candidate, error) => this.#learnBlind(candidate, error),
      onFallback: () => void this.counters.fallbacks++,
      takeKey: ({ provider }) => this.#keyRing(provider)?.take(),
      originOf: ({ provider }) => this.#originOf(provider),
      restKey: ({ provider }, key, ms) => this.#keyRing(provider)?.rest(key, ms) ?? ms,
      jitter: options.jitter ?? ((least, most) => least + Math.random() * (most - least)),
    }
  }

  /** Loads stored models and sums. Starts the discovery of unknown providers in the background. */
  async start(): Promise<void> {
    await Promise.all([this.#registry.load(), this.#budget.load(), this.#forms.load()])
    for (const { alias, models } of this.#registry.list())
      if (models.length === 0 && this.#registry.isStale(alias)) void this.#registry.discover(alias)
  }

  /** Replaces the configuration. Running calls keep the old one. */
  configure(config: AiConfig): void {
    const before = new Map(this.#registry.list().map((provider) => [provider.alias, provider.config]))
    this.#config = withServers(config, this.#servers())
    this.#registry.configure(this.#config.providers)
    const now = this.#registry.list()
    for (const { alias, config: own, models } of now) {
      if (before.get(alias) === own) continue
      this.#cooldowns.forget(alias)
      if (models.length === 0 && this.#registry.isStale(alias)) void this.#registry.discover(alias)
    }
    for (const [alias, own] of before) {
      if (now.some((provider) => provider.config === own)) continue
      this.#connections.forget(own)
      this.#cooldowns.forget(alias)
    }
  }

  get counters(): Counters {
    return this.#account.counters
  }

  async close(): Promise<void> {
    await Promise.all([this.#registry.close(), this.#budget.close(), this.#forms.close()])
  }

  get cooling(): number {
    return this.#cooldowns.active
  }

  stream(request: ModelRequest, options: StreamOptions): AsyncIterable<ModelPart> {
    return askWithFallback(request, options, this.#askHost)
  }

  /**
   * Returns the candidates that may be asked.
   *
   * @throws {@link ModelError} when the budget is used up, or no candidate is left
   */
  #admit(candidates: readonly Candidate[]): readonly Candidate[] {
    this.#budget.assertLeft()
    const allowed = candidates.filter((candidate) => this.#registry.allows(candidate))
    const refused = candidates[0]
    if (refused && allowed.length === 0) throw this.#registry.refusal(refused)
    this.#refreshLater(allowed)
    return allowed
  }

  async candidatesFor(
    choice: ModelChoice,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<readonly Candidate[]> {
    return untilAborted(candidatesFor(choice, this.#registry), signal)
  }

  list(): readonly ProviderView[] {
    return this.#registry.list().map(({ alias, config, family, status, error, models }) =>
      withReadiness(
        {
          alias,
          sdk: family.name,
          status,
          ...(error === undefined ? {} : { error }),
          ...(isInProcess(config, this.#servers) ? { inProcess: true } : {}),
          models: models.map((model) => this.#view({ provider: alias, model: model.id }, model)),
        },
        this.#config,
        this.#outage(alias),
      ),
    )
  }

  model(candidate: Candidate): ModelView | undefined {
    const model = this.#registry.model(candidate)
    return model && this.#view(candidate, model)
  }

  /** Starts the discovery of providers whose lists are missing or old, or that could not be reached. */
  refreshStale(): void {
    for (const { alias } of this.#registry.list())
      if (this.#registry.isStale(alias, this.#cooldowns.outage(alias) !== undefined))
        void this.#registry.discover(alias)
  }

  async refresh(): Promise<readonly ProviderView[]> {
    for (const { alias } of this.#registry.list()) this.#cooldowns.forget(alias)
    this.#connections.clearRests()
    this.#forms.clear()
    await this.#registry.discover()
    return this.list()
  }

  estimate(request: Pick<ModelRequest, 'messages' | 'tools'>, candidate?: Candidate): number {
    const estimated = estimate(request)
    return Math.ceil(candidate ? this.#account.corrected(estimated, candidate) : estimated)
  }

  async image(request: ImageRequest, options: CallOptions = {}): Promise<ImageResult> {
    return (await this.#media()).image(request, options)
  }

  async transcribe(request: TranscriptionRequest, options: CallOptions = {}): Promise<TranscriptionResult> {
    return (await this.#media()).transcribe(request, options)
  }

  async speech(request: SpeechRequest, options: CallOptions = {}): Promise<SpeechResult> {
    return (await this.#media()).speech(request, options)
  }

  /** Returns the calls for pictures and sound, loaded at the first of them. */
  async #media(): Promise<MediaCalls> {
    if (!this.#mediaCalls) {
      const { MediaCalls } = await import('./media/calls.js')
      this.#mediaCalls ??= new MediaCalls({
        clock: this.#options.clock,
        watermark: () => this.#config.imageGeneration?.watermarkEnabled ?? true,
        providers: () => this.#registry.list(),
        named: (alias) => this.#named(alias),
        connect: (provider) => this.#connections.connect(provider, this.#keyRing(provider.alias)?.take()),
        assertLeft: () => this.#budget.assertLeft(),
        priced: (provider, usage) => this.#account.priced(provider, usage),
        used: (kind, who, usage, request) => this.#account.add(kind, who, usage, request),
        failed: (who, error) => this.counters.failed(who, error.class),
      })
    }
    return this.#mediaCalls
  }

  /** One attempt at one model. */
  async #attempt(
    request: ModelRequest,
    candidate: Candidate,
    limits: Parameters<AskHost['attempt']>[2],
  ): Promise<AsyncIterable<ModelPart>> {
    const { asStream, callOptions, loadMedia, readAnswer, toPrompt } = (this.#engine ??=
      await import('./stream/engine.js'))
    const provider = this.#named(candidate.provider)
    const { alias, family, config } = provider
    const known = this.#registry.model(candidate)
    const estimated = estimate(request)
    const window = family.name === 'ollama' ? windowOf(config) : undefined
    // The runtime would cut the beginning off without a word.
    if (window !== undefined && this.#account.corrected(estimated, candidate) > window)
      throw new ModelError(
        'overflow',
        `The request has about ${estimated} tokens, and ${alias}:${candidate.model} a window of ${window}`,
        candidate,
      )
    const connection = await this.#connections.connect(provider, limits.key)
    const spoken = connection.language(candidate.model)
    const model = known?.capabilities.streaming === false ? asStream(spoken) : spoken
    const target = {
      model: `${alias}:${candidate.model}`,
      toolMedia: family.toolMedia,
      cacheMarks: family.cacheMarks,
      ...this.#mediaTarget(candidate),
      ...(limits.media ? {} : { media: false }),
      plain: limits.plain,
      takesUrl: await takesUrl(family.name, model),
    }
    const loaded = await loadMedia(request.messages, target, this.#options.web, limits.signal)
    const prompt = toPrompt(request.messages, { ...target, loaded })
    const simple = limits.plain ? withoutThinking(request) : request
    const asked = known?.capabilities.toolCalling === false && request.tools ? withoutTools(simple) : simple
    const thinker = { id: candidate.model, thinks: known?.capabilities.thinking }
    let taken: Set<string> | undefined
    return readAnswer(model, callOptions(asked, prompt, family, connection, thinker), candidate, {
      clock: this.#options.clock,
      signal: limits.signal,
      firstChunk: limits.firstChunk,
      chunk: limits.chunk,
      secrets: provider.endpoint.secrets,
      taken: (id) => (taken ??= callIds(request.messages)).has(id),
      usageOf: (usage, answer) => this.#account.usageOf(usage, answer, estimated, provider, candidate),
      leftOut: (bytes) =>
        this.#options.log.warn(
          `${alias}:${candidate.model} sent more than 1 MiB of its own data with an answer: ` +
            `${bytes} bytes of signatures or reasoning are not kept, and not given back`,
        ),
      ended: ({ usage, message }) => {
        this.#account.add('text', candidate, usage, request)
        // Some say nothing instead of saying that it was too much.
        if (known?.contextWindow !== undefined && usage.input > known.contextWindow && message.content.length === 0)
          throw new ModelError(
            'overflow',
            `The request has ${usage.input} tokens, and ${alias}:${candidate.model} a window of ${known.contextWindow}`,
            candidate,
          )
      },
    })
  }

  /** Returns the media that a model takes, as far as is known. */
  #mediaTarget(candidate: Candidate): { media: boolean; vision: boolean; video: boolean; pdf: boolean } {
    const { capabilities } = this.#registry.model(candidate) ?? {}
    return {
      media: !this.#registry.get(candidate.provider)?.forms?.of(candidate.model).has(MEDIA),
      vision: capabilities?.vision !== false,
      video: capabilities?.video === true,
      pdf: capabilities?.pdf === true,
    }
  }

  /** A model that has seen pictures has refused a single one. */
  #learnBlind(candidate: Candidate, { status, message }: ModelError): void {
    if (this.#seeing.has(nameOf(candidate))) return
    const isFailure = status === undefined || status >= 500
    this.#registry.get(candidate.provider)?.forms?.learnBlind(candidate.model, isFailure, message)
  }

  #keyRing(alias: string): KeyRing | undefined {
    return this.#connections.keyRing(this.#registry.get(alias)?.config)
  }

  #named(alias: string): RegisteredProvider {
    const provider = this.#registry.get(alias)
    if (!provider) throw this.#registry.refusal({ provider: alias, model: '' })
    return provider
  }

  #view(candidate: Candidate, { id, score, contextWindow, billions, capabilities }: RegisteredModel): ModelView {
    const blocked = this.#cooldowns.blocked(candidate)
    const omits = [...(this.#registry.get(candidate.provider)?.forms?.of(id) ?? [])]
    return {
      id,
      score,
      ...(omits.length > 0 ? { omits } : {}),
      ...(contextWindow === undefined ? {} : { contextWindow }),
      ...(billions === undefined ? {} : { billions }),
      capabilities,
      ...(blocked ? { cooldownUntil: blocked.until, cooldownReason: blocked.reason } : {}),
    }
  }

  #discovered(alias: string): void {
    // A new list may have models that the old one did not have.
    this.#cooldowns.forget(alias, 'not-found')
    const provider = this.#registry.get(alias)
    if (provider?.status === 'ready' && provider.error === undefined) this.#cooldowns.reached(alias)
  }

  /** Returns why a provider could not be reached the last time, and where. */
  #outage(alias: string): string | undefined {
    const failure = this.#cooldowns.outage(alias)
    return failure && `${failure.message} (${this.#originOf(alias)})`
  }

  /** Returns where a provider is, without a path, which may have a key. */
  #originOf(alias: string): string {
    const base = this.#registry.get(alias)?.endpoint.base
    return base === undefined ? alias : new URL(base).origin
  }

  #changed(change: ModelStateChange): void {
    if (change.state === 'free')
      this.#options.log.info(`${change.provider}${change.model === undefined ? '' : `:${change.model}`} answers again`)
    this.#options.stateChanged(change)
  }

  /** Refreshes lists of models that are a day old in the background. */
  #refreshLater(candidates: readonly Candidate[]): void {
    for (const { provider } of candidates) if (this.#registry.isStale(provider)) void this.#registry.discover(provider)
  }
}
