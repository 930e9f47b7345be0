// The consequences of each class of failure.
import type { FailureClass } from '../api/errors.js'

/** The consequences of a failure for the candidate and for those after it. */
export interface Rule {
  /** The model, or all models of its provider, get a cooldown. */
  readonly cools?: 'model' | 'provider'
  /** Length of the cooldown in milliseconds; by default as the provider says, else 30 s, 1 min, 5 min. */
  readonly coolMs?: number
  /** The first failure in a row starts no cooldown. */
  readonly forgiven?: true
  /** Which candidates may be asked next. */
  readonly next: 'any' | 'other-provider' | 'larger-window' | 'none'
  /** The failure passes: the model is asked again, first after a pause of so many milliseconds, then of more. */
  readonly again?: readonly [least: number, most: number]
  /** The failure concerns the key of the request, so that another key may do. */
  readonly restsKey?: true
}

const TEN_MINUTES = 600_000

export const RULES: Readonly<Record<FailureClass, Rule>> = {
  'rate-limit': { cools: 'model', next: 'any', again: [1_000, 2_000], restsKey: true },
  overloaded: { cools: 'model', coolMs: 30_000, next: 'any', again: [500, 1_000] },
  server: { cools: 'model', coolMs: 30_000, next: 'any', again: [500, 1_000] },
  network: { cools: 'model', coolMs: 30_000, forgiven: true, next: 'any', again: [100, 300] },
  timeout: { cools: 'model', coolMs: 30_000, forgiven: true, next: 'any', again: [0, 0] },
  auth: { cools: 'provider', coolMs: TEN_MINUTES, next: 'other-provider', restsKey: true },
  billing: { cools: 'provider', coolMs: TEN_MINUTES, next: 'other-provider', restsKey: true },
  'not-installed': { cools: 'provider', coolMs: TEN_MINUTES, next: 'other-provider' },
  // Until the next discovery, which removes it from the list or ends the cooldown.
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
