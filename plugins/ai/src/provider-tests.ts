// Tries the settings of a provider before they are saved.
import { isModelError, type ModelError } from './api/errors.js'
import { KernelError, messageOf, type Clock, type Configuration, type Logger, type Ref } from '@mynah/kernel'
import { omitUndefined, withTimeout } from '@mynah/kernel/util'
import { isRecord, unmaskSecrets, WireError } from '@mynah/contract'
import { mistakesIn as mistakesOfSchema } from '@mynah/contract/validate'
import type { Finish, UsageReport } from './api/models.js'
import type { Web } from './api/web.js'
import { keysOf, mistakesIn, ProviderConfig } from './config.js'
import type { ProviderTest } from './contract.js'
import { envKey } from './registry/registry.js'
import { findAddress } from './nearby-addresses.js'
import { familyOf } from './providers/families.js'
import { AiModels } from './service.js'

/** Longest time of a test, ms: a local model may have to be loaded. */
const TEST_MS = 45_000
/** Tests at a time, so that a client cannot make the host send requests without end. */
const AT_ONCE = 2
/** The most that a test may make the provider write, in tokens. */
const MAX_OUTPUT = 16
const MAX_LISTED = 200

/** The parts of the plugin that tests need. */
export interface ProviderTestsOptions {
  readonly clock: Clock
  readonly log: Logger
  readonly web: Web
  /** Aborts when the plugin stops. */
  readonly signal: AbortSignal
  readonly configuration: Ref<Configuration>
  /** Receives the tokens that a test has used. */
  readonly used: (report: UsageReport) => void
}

type Outcome = Omit<ProviderTest, 'ms'>

/** The settings to try. */
export interface ProviderToTest {
  readonly alias: string
  /**
   * As the configuration file has it: with `${…}`, and with masks in place of stored secrets. Default: what the file
   * has, which is nothing for a provider that has only a key in the environment.
   */
  readonly provider?: Readonly<Record<string, unknown>>
  /** The model to ask. Default: the best of the provider. */
  readonly model?: string
}

/** Tries providers with a service of their own, so that the running one keeps its lists and cooldowns. */
export class ProviderTests {
  readonly #options: ProviderTestsOptions
  #running = 0

  constructor(options: ProviderTestsOptions) {
    this.#options = options
  }

  /**
   * Asks a provider for its models, and one model for an answer of a few tokens. Ends within {@link TEST_MS}, and a
   * search for the right address after a failure.
   *
   * @throws WireError `rate_limited`
   */
  async run({ alias, provider: given, model }: ProviderToTest): Promise<ProviderTest> {
    const { clock } = this.#options
    const began = clock.now()
    if (this.#running >= AT_ONCE)
      throw new WireError('rate_limited', `${AT_ONCE} tests are running; try again when one has ended`, {
        retryAfter: TEST_MS / 1000,
      })
    this.#running++
    try {
      const provider = await this.#filled(alias, given)
      const outcome =
        typeof provider === 'string'
          ? failed(provider)
          : (mistake(alias, provider) ?? (await this.#withAddress(provider, await this.#ask(alias, provider, model))))
      return { ...outcome, ms: Math.max(0, Math.round(clock.now() - began)) }
    } finally {
      this.#running--
    }
  }

  /** Returns the settings as the service would get them, or what is wrong with a variable in them. */
  async #filled(alias: string, given: ProviderToTest['provider']): Promise<Record<string, unknown> | string> {
    const configuration = this.#options.configuration.current
    const ai = configuration?.source()['ai']
    const providers = isRecord(ai) ? ai['providers'] : undefined
    const stored = isRecord(providers) && Object.hasOwn(providers, alias) ? providers[alias] : undefined
    const provider = structuredClone(unmaskSecrets(given ?? stored ?? {}, stored)) as Record<string, unknown>
    if (!configuration) return provider
    try {
      return await configuration.fill(provider, ProviderConfig)
    } catch (error) {
      if (error instanceof KernelError) return error.message
      throw error
    }
  }

  /** Adds the right address to a failure, if the wrong one is its reason. */
  async #withAddress(provider: ProviderConfig, outcome: Outcome): Promise<Outcome> {
    if (outcome.ok) return outcome
    const found = await findAddress(provider, this.#options)
    const field = provider.sdk === 'ollama' && provider.host !== undefined ? 'host' : 'baseUrl'
    return found === undefined
      ? outcome
      : failed(`${outcome.message}. There are models at ${found}: write this address as ${field}`)
  }

  async #ask(alias: string, provider: ProviderConfig, wanted: string | undefined): Promise<Outcome> {
    const { clock, log, web, used, signal: parent } = this.#options
    const models = new AiModels({
      config: { providers: { [alias]: provider } },
      clock,
      log,
      web,
      used,
      stateChanged: () => {},
      budgetExceeded: () => {},
    })
    try {
      return await withTimeout(clock, TEST_MS, (signal) => askProvider(models, alias, wanted, signal), {
        parent,
        message: `${alias} did not answer within ${TEST_MS / 1000} s`,
      })
    } catch (error) {
      return failed(describe(error, alias, provider))
    } finally {
      await models.close()
    }
  }
}

async function askProvider(
  models: AiModels,
  alias: string,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<Outcome> {
  const [listed] = await models.refresh()
  signal.throwIfAborted()
  const names = (listed?.models ?? []).map(({ id }) => id)
  const model = wanted ?? names[0]
  if (model === undefined) return failed(listed?.error ?? `${alias} has no models: write their names into models`)
  // A key that may not list models may still ask them, so that a failed list only counts where no model is known.
  const { usage } = await answerOf(models, { provider: alias, model }, signal)
  const { input, output, cost } = usage
  return {
    ok: true,
    message: `${model} answers`,
    models: names.slice(0, MAX_LISTED),
    model,
    tokens: omitUndefined({ input, output, cost }),
  }
}

async function answerOf(
  models: AiModels,
  candidate: { readonly provider: string; readonly model: string },
  signal: AbortSignal,
): Promise<Finish> {
  const parts = models.stream(
    { messages: [{ role: 'user', content: 'Say "ok".' }], maxOutputTokens: MAX_OUTPUT, purpose: 'test' },
    { candidates: [candidate], signal, firstChunkTimeout: TEST_MS },
  )
  let end: Finish | undefined
  for await (const part of parts) if (part.type === 'finish') end = part
  if (!end) throw new Error(`${candidate.model} has not answered`)
  return end
}

/** Returns the first mistake of the settings, with all of them as details. */
function mistake(alias: string, provider: Record<string, unknown>): Outcome | undefined {
  const schema = mistakesOfSchema(ProviderConfig, provider).map(({ path, message }) => ({ path, message }))
  const root = `ai.providers.${alias}`
  const details = schema.length
    ? schema
    : mistakesIn({ providers: { [alias]: provider } }).map(({ path, message }) => ({
        path: path === root ? '' : path.slice(root.length + 1),
        message,
      }))
  const [first] = details
  return first && { ok: false, message: `${first.path || 'The provider'} ${first.message}`, details }
}

const failed = (message: string): Outcome => ({ ok: false, message })

/** Returns a failure in one sentence, with what to do where that is known. */
function describe(error: unknown, alias: string, provider: ProviderConfig): string {
  const remedy = isModelError(error) ? remedyOf(error, provider) : undefined
  const text = messageOf(error).replace(/^The (?:model|provider)(?= )/, alias)
  return remedy === undefined ? text : `${text}. ${remedy}`
}

function remedyOf({ class: failure }: ModelError, provider: ProviderConfig): string | undefined {
  const family = provider.sdk && familyOf(provider.sdk)
  switch (failure) {
    case 'auth':
      return family?.keyVariable && keysOf(provider).length === 0 && !envKey(family)
        ? 'It has no apiKey'
        : 'Check apiKey: it may be cut off, or belong to another provider'
    case 'not-found':
      return 'Check the name of the model, and the path at the end of baseUrl, such as /v1'
    case 'network':
      return 'Check baseUrl and the network of the host'
    default:
      return undefined
  }
}
