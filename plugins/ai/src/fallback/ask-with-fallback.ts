import type { Clock, Logger } from '@mynah/kernel'
import { ModelError } from '../api/errors.js'
import type { Candidate, Finish, ModelPart, ModelRequest, StreamOptions } from '../api/models.js'
import { uniqueCandidates } from '../candidates.js'
import { asModelError } from '../errors/as-model-error.js'
import type { Blocked, Cooldowns } from './cooldowns.js'
import { RULES, SHORT_WAIT_MS, type Rule } from './rules.js'

/** How many candidates one call asks at most. */
const MOST_ASKED = 8
const PATIENCE_MS = 60_000

/** The limits of one attempt. Times are in milliseconds. */
interface AttemptLimits {
  readonly firstChunk: number
  readonly chunk: number
  readonly signal: AbortSignal | undefined
  /** Leaves out what a model may have refused. */
  readonly plain: boolean
}

/** The parts of the service that {@link askWithFallback} needs. */
export interface AskHost {
  readonly clock: Clock
  readonly log: Logger
  readonly cooldowns: Cooldowns
  /** Makes one attempt. Rejects when nothing visible came. */
  attempt(request: ModelRequest, candidate: Candidate, limits: AttemptLimits): Promise<AsyncIterable<ModelPart>>
  /** Called for each attempt that failed. */
  onFailure(candidate: Candidate, error: ModelError): void
  /** Returns the candidates that may be asked. Throws when none may. */
  admit(candidates: readonly Candidate[]): readonly Candidate[]
  /** Returns the context window of a model in tokens, if known. */
  window(candidate: Candidate): number | undefined
  /** Whether a request has parts that can be left out. */
  canSimplify(request: ModelRequest): boolean
  onFallback(): void
  /** Returns a random number of milliseconds between the bounds. */
  jitter(least: number, most: number): number
}

interface Failed {
  readonly candidate: Candidate
  readonly error: ModelError
}

const same = (a: Candidate, b: Candidate): boolean => a.provider === b.provider && a.model === b.model
const nameOf = ({ provider, model }: Candidate): string => `${provider}:${model}`

/** Asks candidates one after the other and yields the parts of the first answer. No other code retries. */
export async function* askWithFallback(
  request: ModelRequest,
  options: StreamOptions,
  host: AskHost,
): AsyncGenerator<ModelPart, void> {
  const { signal } = options
  if (signal?.aborted) throw new ModelError('aborted', 'The caller gave up')
  const attempts = new Attempts(request, options, host)
  let current = await firstCandidate(attempts.candidates, host, attempts.until, signal)
  for (;;) {
    const limits = attempts.limitsOf(current)
    yield { type: 'start', ...current }
    let error: ModelError
    try {
      for await (const part of await host.attempt(request, current, limits)) {
        if (part.type === 'finish') noteFinish(part, current, host)
        yield part
        if (part.type === 'finish') return
      }
      throw new ModelError('server', `${nameOf(current)} gave no end`, current)
    } catch (thrown) {
      error = asModelError(thrown, current)
      host.onFailure(current, error)
    }
    const { to, waitMs } = attempts.afterFailure(current, error)
    yield { type: 'fallback', from: current, to, error }
    if (waitMs > 0) await sleep(waitMs, host.clock, signal)
    current = to
  }
}

/** The attempts of one call: which candidates are left, and what was tried. */
class Attempts {
  readonly candidates: readonly Candidate[]
  /** When the first part has to be there, in milliseconds since the epoch. */
  readonly until: number
  readonly #request: ModelRequest
  readonly #options: StreamOptions
  readonly #host: AskHost
  readonly #failures: Failed[] = []
  /** Providers that are not asked again. */
  readonly #excluded = new Set<string>()
  #attempts = 0
  #isPlain = false
  #hasRetried = false

  constructor(request: ModelRequest, options: StreamOptions, host: AskHost) {
    this.#request = request
    this.#options = options
    this.#host = host
    this.candidates = uniqueCandidates(host.admit(options.candidates))
    this.until = host.clock.now() + (options.firstChunkTimeout ?? PATIENCE_MS)
  }

  /** Returns the limits of the next attempt. When another model is free, a silent one does not get all of the time. */
  limitsOf(current: Candidate): AttemptLimits {
    const { clock, cooldowns } = this.#host
    const { signal, chunkTimeout = PATIENCE_MS } = this.#options
    this.#attempts++
    const left = Math.max(this.until - clock.now(), 1)
    const hasOthers = this.#others(current).some((candidate) => !cooldowns.blocked(candidate))
    const firstChunk = hasOthers ? Math.ceil((left * 2) / 3) : left
    return { firstChunk, chunk: chunkTimeout, signal, plain: this.#isPlain }
  }

  /**
   * Decides what is asked after a failure, and how long that waits.
   *
   * @throws {@link ModelError} when nothing more can be asked
   */
  afterFailure(current: Candidate, error: ModelError): { readonly to: Candidate; readonly waitMs: number } {
    if (error.class === 'aborted' || this.#options.signal?.aborted) throw error
    if (error.class === 'format' && !this.#isPlain && this.#host.canSimplify(this.#request)) {
      this.#isPlain = true
      return { to: current, waitMs: 0 }
    }
    const { clock, cooldowns, log } = this.#host
    const rule = RULES[error.class]
    const strikes = cooldowns.strike(current)
    this.#failures.push({ candidate: current, error })
    if (rule.next === 'other-provider') this.#excluded.add(current.provider)
    const next = this.#attempts < MOST_ASKED ? nextOf(rule, current, this.#others(current), this.#host) : undefined
    const cooled = cool(rule, strikes, current, error, cooldowns)
    const waitMs = next ? 0 : this.#retryPause(rule, error)
    if (waitMs === undefined || clock.now() >= this.until) throw combineFailures(this.#failures)
    const to = next ?? current
    logFallback(log, current, to, error, cooled)
    if (next) this.#host.onFallback()
    return { to, waitMs }
  }

  /** Returns the pause before the same model is asked once more, or `undefined` when it is not. */
  #retryPause(rule: Rule, error: ModelError): number | undefined {
    if (this.#hasRetried) return undefined
    const pause = pauseOf(rule, error, this.#host)
    if (pause === undefined || this.#host.clock.now() + pause >= this.until) return undefined
    this.#hasRetried = true
    return pause
  }

  /** Returns the candidates that were not tried yet. */
  #others(current: Candidate): Candidate[] {
    return this.candidates.filter(
      (candidate) =>
        !same(candidate, current) &&
        !this.#excluded.has(candidate.provider) &&
        !this.#failures.some((failed) => same(failed.candidate, candidate)),
    )
  }
}

/** Updates the cooldown of a model after its answer. */
function noteFinish(finish: Finish, candidate: Candidate, { cooldowns, log }: AskHost): void {
  if (!finish.error) return cooldowns.answered(candidate)
  const strikes = cooldowns.strike(candidate)
  cool(RULES[finish.error.class], strikes, candidate, finish.error, cooldowns)
  log.warn(`${finish.error.message}; the answer ends with what had come`)
}

/** Returns the first candidate that is free, else the one that is free soonest when waiting for it makes sense. */
async function firstCandidate(
  candidates: readonly Candidate[],
  { clock, cooldowns }: AskHost,
  until: number,
  signal: AbortSignal | undefined,
): Promise<Candidate> {
  let soonest: { candidate: Candidate; blocked: Blocked } | undefined
  for (const candidate of candidates) {
    const blocked = cooldowns.blocked(candidate)
    if (!blocked) return candidate
    if (!soonest || blocked.until < soonest.blocked.until) soonest = { candidate, blocked }
  }
  if (!soonest) throw new ModelError('unconfigured', 'There is no model to ask: configure one in ai.providers')
  const { candidate, blocked } = soonest
  const left = blocked.until - clock.now()
  if (left <= SHORT_WAIT_MS && clock.now() + left < until) {
    await sleep(left, clock, signal)
    return candidate
  }
  const probe = candidates.find((each) => {
    const why = cooldowns.blocked(each)
    return why !== undefined && cooldowns.mayProbe(why)
  })
  if (probe) return probe
  throw new ModelError(
    blocked.reason,
    `${nameOf(candidate)} cannot be asked again before ${Math.ceil(left / 1000)} s have passed (${blocked.reason})` +
      (candidates.length > 1 ? ', and no other model is free' : ''),
    { ...candidate, retryAfterMs: left },
  )
}

function nextOf(
  rule: Rule,
  current: Candidate,
  open: readonly Candidate[],
  { cooldowns, window }: AskHost,
): Candidate | undefined {
  if (rule.next === 'none') return undefined
  const own = window(current)
  const isLarger = (candidate: Candidate): boolean => own !== undefined && (window(candidate) ?? 0) > own
  const fitting = rule.next === 'larger-window' ? open.filter(isLarger) : open
  return (
    fitting.find((candidate) => !cooldowns.blocked(candidate)) ??
    fitting.find((candidate) => {
      const blocked = cooldowns.blocked(candidate)
      return blocked !== undefined && cooldowns.mayProbe(blocked)
    })
  )
}

/** Starts the cooldown that the rule demands. Returns its milliseconds. */
function cool(
  rule: Rule,
  strikes: number,
  candidate: Candidate,
  error: ModelError,
  cooldowns: Cooldowns,
): number | undefined {
  if (!rule.cools || (rule.forgiven && strikes < 2)) return undefined
  return cooldowns.cool(
    candidate,
    rule.cools,
    error,
    error.retryAfterMs === undefined || rule.cools === 'provider' ? rule.coolMs : undefined,
  )
}

/** Returns the milliseconds before the same model is asked again, or `undefined` when it is not. */
function pauseOf({ again }: Rule, { retryAfterMs }: ModelError, { jitter }: AskHost): number | undefined {
  if (again === 'retry-after')
    return retryAfterMs !== undefined && retryAfterMs <= SHORT_WAIT_MS ? retryAfterMs : undefined
  return again && jitter(...again)
}

function logFallback(log: Logger, from: Candidate, to: Candidate, error: ModelError, cooled: number | undefined): void {
  const pause = cooled === undefined ? '' : `; it is left alone for ${Math.round(cooled / 1000)} s`
  log.warn(`${error.message}${pause}; ${same(from, to) ? 'asking it once more' : `asking ${nameOf(to)}`}`, {
    class: error.class,
    from: nameOf(from),
    to: nameOf(to),
  })
}

/** Returns one failure for all, with the most useful class and the messages of each. */
function combineFailures(failures: readonly Failed[]): ModelError {
  const { error } = failures.find((failed) => failed.error.class === 'overflow') ?? (failures[0] as Failed)
  if (failures.length === 1) return error
  const { provider, model, status, retryAfterMs } = error
  const messages = Array.from(new Set(failures.map((failed) => failed.error.message)))
  return new ModelError(error.class, messages.join('; '), { provider, model, status, retryAfterMs, cause: error })
}

function sleep(ms: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel()
      reject(new ModelError('aborted', 'The caller gave up'))
    }
    const cancel = clock.setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
  })
}
