// Cooldowns of models and providers. There is no timer: a cooldown ends when it is looked up after its time.
import type { Clock } from '@mynah/kernel'
import type { FailureClass, ModelError } from '../api/errors.js'
import type { Candidate, ModelStateChange } from '../api/models.js'

/** Pauses after the first, second and every further failure in a row, in milliseconds. */
const STEPS = [30_000, 60_000, 300_000]
/** The least time before a model is probed whose cooldown is only a guess. */
export const PROBE_MS = 5_000

interface Cooldown {
  until: number
  reason: FailureClass
  /** Whether the provider itself named the time. */
  isFromProvider: boolean
  failedAt: number
  /** Failures in a row. */
  strikes: number
}

/** Returns the pause that the provider names, unless it is zero. */
const pauseOfProvider = ({ retryAfterMs }: ModelError): number | undefined =>
  retryAfterMs === undefined ? undefined : Math.max(retryAfterMs, 1_000)

/** Why a candidate is not asked now. */
export interface Blocked {
  readonly until: number
  readonly reason: FailureClass
  readonly isFromProvider: boolean
  readonly failedAt: number
}

const keyOf = ({ provider, model }: { provider: string; model?: string | undefined }): string =>
  model === undefined ? provider : `${provider}:${model}`

export class Cooldowns {
  readonly #clock: Clock
  readonly #changed: (change: ModelStateChange) => void
  readonly #entries = new Map<string, Cooldown & { readonly provider: string; readonly model: string | undefined }>()
  /** The last failure of each provider that has not answered since. */
  readonly #failures = new Map<string, ModelError>()

  constructor(clock: Clock, changed: (change: ModelStateChange) => void) {
    this.#clock = clock
    this.#changed = changed
  }

  /** Returns the cooldown of a candidate or of its provider. */
  blocked(candidate: Candidate): Blocked | undefined {
    const now = this.#clock.now()
    const own = this.#entries.get(keyOf(candidate))
    const provider = this.#entries.get(candidate.provider)
    if (provider && provider.until > now) return provider
    return own && own.until > now ? own : undefined
  }

  /**
   * Whether to try a candidate despite its cooldown: the cooldown is a guess and the last failure is some seconds ago.
   */
  mayProbe({ isFromProvider, failedAt }: Blocked): boolean {
    return !isFromProvider && this.#clock.now() - failedAt >= PROBE_MS
  }

  /** Counts a failure of a model and returns the number in a row. Failures at the same time count as one. */
  strike(candidate: Candidate, error: ModelError): number {
    this.#failures.set(candidate.provider, error)
    const entry = this.#entry(candidate)
    const now = this.#clock.now()
    if (entry.until <= now || now - entry.failedAt >= PROBE_MS) entry.strikes++
    entry.failedAt = now
    return entry.strikes
  }

  /**
   * Starts the cooldown of a model or of its provider. Returns its milliseconds. A change of state is reported once.
   */
  cool(candidate: Candidate, scope: 'model' | 'provider', error: ModelError, ms?: number): number {
    const entry = this.#entry(scope === 'model' ? candidate : { provider: candidate.provider })
    const now = this.#clock.now()
    const pause =
      ms ?? pauseOfProvider(error) ?? (STEPS[Math.min(Math.max(entry.strikes - 1, 0), STEPS.length - 1)] as number)
    const already = entry.until > now
    Object.assign(entry, {
      until: Math.max(entry.until, now + pause),
      reason: error.class,
      isFromProvider: error.retryAfterMs !== undefined,
      failedAt: now,
    })
    if (!already)
      this.#changed({
        provider: entry.provider,
        ...(entry.model === undefined ? {} : { model: entry.model }),
        state: 'cooling',
        until: entry.until,
        reason: error.class,
      })
    return pause
  }

  /** Returns why a provider could not be reached the last time, or `undefined` where it has answered since. */
  outage(provider: string): ModelError | undefined {
    const failure = this.#failures.get(provider)
    return failure?.class === 'network' || failure?.class === 'timeout' ? failure : undefined
  }

  /** Notes that a provider can be reached. */
  reached(provider: string): void {
    this.#failures.delete(provider)
  }

  /** Ends the cooldown of a model that has answered. */
  answered(candidate: Candidate): void {
    this.reached(candidate.provider)
    this.#clear(keyOf(candidate))
    this.#clear(candidate.provider)
  }

  /** Ends the cooldowns of a provider and its models, or only those with a `reason`. */
  forget(provider: string, reason?: FailureClass): void {
    if (reason === undefined) this.reached(provider)
    for (const [key, entry] of this.#entries)
      if (entry.provider === provider && (reason === undefined || entry.reason === reason)) this.#clear(key)
  }

  /** Returns the candidates and providers in a cooldown. */
  get active(): number {
    const now = this.#clock.now()
    let count = 0
    for (const { until } of this.#entries.values()) if (until > now) count++
    return count
  }

  #clear(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry || !this.#entries.delete(key) || entry.until === 0) return
    this.#changed({
      provider: entry.provider,
      ...(entry.model === undefined ? {} : { model: entry.model }),
      state: 'free',
    })
  }

  #entry(candidate: { provider: string; model?: string | undefined }) {
    const key = keyOf(candidate)
    let entry = this.#entries.get(key)
    if (!entry)
      this.#entries.set(
        key,
        (entry = {
          provider: candidate.provider,
          model: candidate.model,
          until: 0,
          reason: 'unknown',
          isFromProvider: false,
          failedAt: 0,
          strikes: 0,
        }),
      )
    return entry
  }
}
