// Which candidate is asked next, and when.
import type { Logger } from '@mynah/kernel'
import { mayBeByContent, ModelError } from '../api/errors.js'
import type { Candidate, ModelRequest, StreamOptions } from '../api/models.js'
import { uniqueCandidates } from '../candidates.js'
import type { AskHost, AttemptLimits } from './ask-host.js'
import { PROBE_MS, type Cooldowns } from './cooldowns.js'
import { RULES, type Rule } from './rules.js'

/** How many candidates one call asks at most. */
const MOST_ASKED = 8
const PATIENCE_MS = 60_000
/** The longest pause between two requests to a provider that does not say how long it is busy, in milliseconds. */
const LONGEST_PAUSE_MS = 15_000
/** The rest of a refused key whose provider names no time, in milliseconds. */
const KEY_REST_MS = 30_000

interface Failed {
  readonly candidate: Candidate
  readonly error: ModelError
}

/** The next attempt, and how long it waits, in milliseconds. `error` is the failure that it waits for the end of. */
export interface Next {
  readonly to: Candidate
  readonly waitMs: number
  readonly error?: ModelError
  /** It is asked again without pictures and files. */
  readonly withoutMedia?: true
}

const same = (a: Candidate, b: Candidate): boolean => a.provider === b.provider && a.model === b.model
export const nameOf = ({ provider, model }: Candidate): string => `${provider}:${model}`

/** The attempts of one call: which candidates are left, and what was tried. */
export class Attempts {
  readonly #candidates: readonly Candidate[]
  readonly #request: ModelRequest
  readonly #options: StreamOptions
  readonly #host: AskHost
  readonly #failures: Failed[] = []
  /** Providers that are not asked again. */
  readonly #excluded = new Set<string>()
  /** How long the first part may take, in milliseconds. */
  readonly #patienceMs: number
  /** When the first part has to be there, in milliseconds since the epoch. */
  #until: number
  #asked = 0
  #pauses = 0
  #isPlain = false
  /**
   * Candidates that are asked without pictures and files, with their failure of before; without one where these were
   * not the reason.
   */
  readonly #blind = new Map<string, ModelError | undefined>()

  constructor(request: ModelRequest, options: StreamOptions, host: AskHost) {
    this.#request = request
    this.#options = options
    this.#host = host
    this.#candidates = uniqueCandidates(host.admit(options.candidates))
    this.#patienceMs = options.firstChunkTimeout ?? PATIENCE_MS
    this.#until = host.clock.now() + this.#patienceMs
  }

  /** Returns the limits of the next attempt. When another model is free, a silent one does not get all of the time. */
  limitsOf(current: Candidate): AttemptLimits {
    const { clock, cooldowns } = this.#host
    const { signal, chunkTimeout = PATIENCE_MS } = this.#options
    this.#asked++
    const left = Math.max(this.#until - clock.now(), 1)
    const hasOthers = this.#others(current).some((candidate) => !cooldowns.blocked(candidate))
    const firstChunk = hasOthers ? Math.ceil((left * 2) / 3) : left
    const media = this.#blind.get(nameOf(current)) === undefined
    return { firstChunk, chunk: chunkTimeout, signal, plain: this.#isPlain, media, key: this.#host.takeKey(current) }
  }

  /** Notes that a candidate has answered. */
  answered(current: Candidate): void {
    const refusal = this.#blind.get(nameOf(current))
    if (refusal) this.#host.refusedMedia(current, refusal)
    else if (!this.#isPlain && this.#host.sendsMedia(this.#request, current)) this.#host.sawMedia(current)
  }

  /**
   * Returns the first candidate that is free, else the one that may be asked soonest.
   *
   * @throws {@link ModelError} when none may be asked in time
   */
  first(): Next {
    const { clock, cooldowns } = this.#host
    const resting: { readonly to: Candidate; readonly at: number; readonly why: ModelError }[] = []
    for (const candidate of this.#candidates) {
      const blocked = cooldowns.blocked(candidate)
      if (!blocked) return { to: candidate, waitMs: 0 }
      const { reason, isFromProvider, until, failedAt } = blocked
      const left = until - clock.now()
      const why = new ModelError(
        reason,
        `${nameOf(candidate)} cannot be asked again before ${Math.ceil(left / 1000)} s have passed (${reason})` +
          (this.#candidates.length > 1 ? ', and no other model is free' : ''),
        { ...candidate, retryAfterMs: left },
      )
      // A guess may be wrong: a relay that forbids the words of one person would make the bot silent for all.
      resting.push({ to: candidate, at: isFromProvider ? until : failedAt + PROBE_MS, why })
    }
    const soonest = resting.toSorted((a, b) => a.at - b.at)[0]
    if (!soonest) throw new ModelError('unconfigured', 'There is no model to ask: configure one in ai.providers')
    if (soonest.at >= this.#until) throw soonest.why
    return { to: soonest.to, waitMs: Math.max(0, soonest.at - clock.now()), error: soonest.why }
  }

  /** Returns who goes on with an answer, or `undefined`. Without an error its model goes on itself. */
  afterPart(current: Candidate, error: ModelError | undefined): Next | undefined {
    if (this.#options.signal?.aborted) return undefined
    // The rest of the answer has as long as the beginning had.
    this.#until = this.#host.clock.now() + this.#patienceMs
    if (!error) return { to: current, waitMs: 0 }
    try {
      return this.#next(current, error, undefined)
    } catch {
      // The error of the break says more than that no candidate is left.
      return undefined
    }
  }

  /**
   * Returns what is asked after a failure, and how long that waits.
   *
   * @throws {@link ModelError} when nothing more can be asked in time
   */
  afterFailure(current: Candidate, error: ModelError, key: number | undefined): Next {
    if (error.class === 'aborted' || this.#options.signal?.aborted) throw error
    // Before anything rests: one person's picture must not take the model away from all others.
    if (this.#tryWithoutMedia(current, error)) return { to: current, waitMs: 0, withoutMedia: true }
    if (error.class === 'format' && !this.#isPlain && this.#host.canSimplify(this.#request)) {
      this.#isPlain = true
      return { to: current, waitMs: 0 }
    }
    const keyFreeInMs = this.#restKey(current, error, key)
    if (keyFreeInMs === 0 && this.#host.clock.now() < this.#until) {
      this.#host.log.warn(`${error.message}; asking with another key`, { class: error.class, from: nameOf(current) })
      return { to: current, waitMs: 0 }
    }
    return this.#next(current, error, keyFreeInMs)
  }

  /** Returns whether a candidate is asked again without the pictures and files of the request, which is done once. */
  #tryWithoutMedia(current: Candidate, error: ModelError): boolean {
    const name = nameOf(current)
    if (this.#blind.has(name)) {
      if (this.#blind.get(name)?.class === error.class) this.#blind.set(name, undefined)
      return false
    }
    if (!mayBeByContent(error) || this.#isPlain || !this.#host.sendsMedia(this.#request, current)) return false
    this.#blind.set(name, error)
    return true
  }

  /** Lets the key of a refused request rest. Returns the milliseconds until one of several keys is free. */
  #restKey(current: Candidate, { class: failure, retryAfterMs }: ModelError, key: number | undefined) {
    const { restsKey, coolMs = KEY_REST_MS } = RULES[failure]
    if (!restsKey || key === undefined) return undefined
    return this.#host.restKey(current, key, Math.max(retryAfterMs ?? coolMs, 1_000))
  }

  #next(current: Candidate, error: ModelError, keyFreeInMs: number | undefined): Next {
    const { clock, cooldowns, log } = this.#host
    const rule = RULES[error.class]
    const strikes = cooldowns.strike(current, error)
    this.#failures.push({ candidate: current, error })
    if (rule.next === 'other-provider') this.#excluded.add(current.provider)
    const next = this.#asked < MOST_ASKED ? nextOf(rule, current, this.#others(current), this.#host) : undefined
    const cooled = cool(rule, strikes, current, error, cooldowns, keyFreeInMs)
    const to: Next | undefined = next ? { to: next, waitMs: 0 } : this.#again()
    const words = logWords(this.#host, current, error)
    if (!to || clock.now() >= this.#until) {
      if (RULES[error.class].next !== 'none')
        log.warn(`${words}; no other model can be asked`, { class: error.class, from: nameOf(current) })
      throw combineFailures(this.#failures)
    }
    logFallback(log, current, to, words, error, cooled)
    if (next) this.#host.onFallback()
    return to
  }

  /** Returns the candidate that can be asked again first, or `undefined` when none can be in time. */
  #again(): Next | undefined {
    const { clock, cooldowns } = this.#host
    const now = clock.now()
    let soonest: { readonly failed: Failed; readonly at: number } | undefined
    // The one whose failure is the oldest comes first.
    const latest = new Map<string, Failed>()
    for (const failed of this.#failures) {
      latest.delete(nameOf(failed.candidate))
      latest.set(nameOf(failed.candidate), failed)
    }
    for (const failed of latest.values()) {
      const { candidate, error } = failed
      const pause = this.#excluded.has(candidate.provider) ? undefined : this.#pauseAfter(error)
      if (pause === undefined) continue
      const blocked = cooldowns.blocked(candidate)
      const at = blocked?.isFromProvider ? Math.max(blocked.until, now) : now + pause
      // The caller has some of the time left to ask in another way.
      if (mayBeByContent(error) && at >= this.#until - this.#patienceMs / 3) continue
      if (!soonest || at < soonest.at) soonest = { failed, at }
    }
    if (!soonest || soonest.at >= this.#until) return undefined
    this.#pauses++
    return { to: soonest.failed.candidate, waitMs: soonest.at - now, error: soonest.failed.error }
  }

  /** Returns the pause before a model is asked again, which doubles each time, or `undefined` when it is not. */
  #pauseAfter({ class: failure }: ModelError): number | undefined {
    const { again } = RULES[failure]
    if (!again) return undefined
    if (this.#pauses === 0) return this.#host.jitter(...again)
    const pause = Math.min(1_000 * 2 ** this.#pauses, LONGEST_PAUSE_MS)
    return pause + this.#host.jitter(0, pause / 4)
  }

  /** Returns the candidates that were not tried yet. */
  #others(current: Candidate): Candidate[] {
    return this.#candidates.filter(
      (candidate) =>
        !same(candidate, current) &&
        !this.#excluded.has(candidate.provider) &&
        !this.#failures.some((failed) => same(failed.candidate, candidate)),
    )
  }
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
export function cool(
  rule: Rule,
  strikes: number,
  candidate: Candidate,
  error: ModelError,
  cooldowns: Cooldowns,
  keyFreeInMs?: number,
): number | undefined {
  if (!rule.cools || (rule.forgiven && strikes < 2)) return undefined
  const own = error.retryAfterMs === undefined || rule.cools === 'provider' ? rule.coolMs : undefined
  return cooldowns.cool(candidate, rule.cools, error, keyFreeInMs ?? own)
}

/** Returns the words of a failure with the address that could not be reached, which chats do not show. */
const logWords = (host: AskHost, candidate: Candidate, { class: failure, message }: ModelError): string =>
  failure === 'network' || failure === 'timeout' ? `${message} (${host.originOf(candidate)})` : message

function logFallback(
  log: Logger,
  from: Candidate,
  { to, waitMs }: Next,
  words: string,
  error: ModelError,
  cooled?: number,
): void {
  const rest = cooled === undefined ? '' : `; it is left alone for ${Math.round(cooled / 1000)} s`
  const again = `asking it again${waitMs < 1000 ? '' : ` in ${Math.round(waitMs / 1000)} s`}`
  log.warn(`${words}${same(from, to) ? `; ${again}` : `${rest}; asking ${nameOf(to)}`}`, {
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
