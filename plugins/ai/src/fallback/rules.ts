// What follows from a failure, by its class: the one table.
import type { FailureClass } from '../api/errors.js'

/** What a failure means for the candidate and for those after it. */
export interface Rule {
  /** Whom it makes wait: nobody, the model, or all models of the provider. */
  readonly cools?: 'model' | 'provider'
  /** For how long, ms; without it what the provider says, or 30 s, 1 min, 5 min. */
  readonly coolMs?: number
  /** The first failure in a row cools nothing. */
  readonly forgiven?: true
  /** Who is asked next: anyone, another provider, only a larger window, or nobody. */
  readonly next: 'any' | 'other-provider' | 'larger-window' | 'none'
  /**
   * The same model once more where nobody else is free, after this pause in ms; `retry-after` as long as the provider
   * asks, if
   * that is short.
   */
  readonly again?: readonly [least: number, most: number] | 'retry-after'
}

const TEN_MINUTES = 600_000

export const RULES: Readonly<Record<FailureClass, Rule>> = {
  'rate-limit': { cools: 'model', next: 'any', again: 'retry-after' },
  overloaded: { cools: 'model', coolMs: 30_000, next: 'any', again: [500, 1_000] },
  server: { cools: 'model', coolMs: 30_000, next: 'any', again: [500, 1_000] },
  network: { cools: 'model', coolMs: 30_000, forgiven: true, next: 'any', again: [100, 300] },
  timeout: { cools: 'model', coolMs: 30_000, forgiven: true, next: 'any', again: [0, 0] },
  auth: { cools: 'provider', coolMs: TEN_MINUTES, next: 'other-provider' },
  billing: { cools: 'provider', coolMs: TEN_MINUTES, next: 'other-provider' },
  'not-installed': { cools: 'provider', coolMs: TEN_MINUTES, next: 'other-provider' },
  // Until the next discovery, which takes it off the list or forgives it.
  'not-found': { cools: 'model', coolMs: 24 * 3_600_000, next: 'any' },
  overflow: { next: 'larger-window' },
  // The same payload would be refused again; one simplified try comes before this.
  format: { next: 'none' },
  refusal: { next: 'none' },
  aborted: { next: 'none' },
  budget: { next: 'none' },
  unsupported: { next: 'any' },
  'not-allowed': { next: 'any' },
  unconfigured: { next: 'any' },
  unknown: { next: 'any' },
}

/** The longest that a call waits for a model which says itself how long, ms. */
export const SHORT_WAIT_MS = 3_000
