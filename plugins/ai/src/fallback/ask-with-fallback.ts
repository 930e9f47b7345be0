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

/** What {@link askWithFallback} needs of its service. */
export interface AskHost {
  readonly clock: Clock
  readonly log: Logger
  readonly cooldowns: Cooldowns
  /** Makes one attempt. Rejects when nothing visible came. `plain` leaves out what a model may have refused. */
  attempt(
    request: ModelRequest,
    candidate: Candidate,
    limits: {
      readonly firstChunk: number
      readonly chunk: number
      readonly signal: AbortSignal | undefined
      readonly plain: boolean
    },
  ): Promise<AsyncIterable<ModelPart>>
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
  const { clock, cooldowns } = host
  const { signal, firstChunkTimeout = PATIENCE_MS, chunkTimeout = PATIENCE_MS } = options
  if (signal?.aborted) throw new ModelError('aborted', 'The caller gave up')
  const candidates = uniqueCandidates(host.admit(options.candidates))
  const until = clock.now() + firstChunkTimeout
  const failures: Failed[] = []
  const shut = new Set<string>()
  let plain = false
  let retried = false
  let current = await firstCandidate(candidates, host, until, signal)
  for (let asked = 1; ; asked++) {
    const open = candidates.filter(
      (candidate) =>
        !same(candidate, current) &&
        !shut.has(candidate.provider) &&
        !failures.some((failed) => same(failed.candidate, candidate)),
    )
    const left = Math.max(until - clock.now(), 1)
    const others = open.some((candidate) => !cooldowns.blocked(candidate))
    yield { type: 'start', ...current }
    let failure: ModelError
    let wait = 0
    try {
      // When another model is free, a silent one does not get all of the time.
      for await (const part of await host.attempt(request, current, {
        firstChunk: others ? Math.ceil((left * 2) / 3) : left,
        chunk: chunkTimeout,
        signal,
        plain,
      })) {
        if (part.type === 'finish') noteFinish(part, current, host)
        yield part
        if (part.type === 'finish') return
      }
      throw new ModelError('server', `${nameOf(current)} gave no end`, current)
    } catch (error) {
      failure = asModelError(error, current)
      host.onFailure(current, failure)
    }
    if (failure.class === 'aborted' || signal?.aborted) throw failure
    const rule = RULES[failure.class]
    if (failure.class === 'format' && !plain && host.canSimplify(request)) {
      plain = true
      yield { type: 'fallback', from: current, to: current, error: failure }
      continue
    }
    const strikes = cooldowns.strike(current)
    failures.push({ candidate: current, error: failure })
    if (rule.next === 'other-provider') shut.add(current.provider)
    const next =
      asked < MOST_ASKED
        ? nextOf(
            rule,
            current,
            open.filter(({ provider }) => !shut.has(provider)),
            host,
          )
        : undefined
    const cooled = cool(rule, strikes, current, failure, cooldowns)
    let to = next
    if (!to && !retried && (wait = pauseOf(rule, failure, host)) >= 0 && clock.now() + wait < until) {
      retried = true
      to = current
    }
    if (!to || clock.now() >= until) throw combineFailures(failures)
    logFallback(host.log, current, to, failure, cooled)
    if (to !== current) host.onFallback()
    yield { type: 'fallback', from: current, to, error: failure }
    if (wait > 0) await sleep(wait, clock, signal)
    current = to
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

/** Returns the milliseconds before the same model is asked again, or a negative number when it is not. */
function pauseOf({ again }: Rule, error: ModelError, { jitter }: AskHost): number {
  if (again === 'retry-after')
    return error.retryAfterMs !== undefined && error.retryAfterMs <= SHORT_WAIT_MS ? error.retryAfterMs : -1
  return again ? jitter(...again) : -1
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
