// The factor by which estimates are off for each model, learnt from the counts of its provider.
import { LruMap } from '@mynah/kernel/util'
import type { Candidate } from '../api/models.js'

/** Weight of a new observation. */
const WEIGHT = 0.3
/** Smaller observations are too inexact. */
const LEAST = 200
const BOUNDS = [0.5, 3] as const
const REMEMBERED = 500

export class Corrections {
  readonly #factors = new LruMap<string, number>(REMEMBERED)

  factor({ provider, model }: Candidate): number {
    return this.#factors.get(`${provider}:${model}`) ?? 1
  }

  observe({ provider, model }: Candidate, estimated: number, counted: number): void {
    if (estimated < LEAST || counted < LEAST) return
    const key = `${provider}:${model}`
    const seen = Math.min(BOUNDS[1], Math.max(BOUNDS[0], counted / estimated))
    const before = this.#factors.get(key)
    this.#factors.set(key, before === undefined ? seen : before + (seen - before) * WEIGHT)
  }
}
