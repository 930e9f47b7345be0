import type { FailureClass } from './api/errors.js'
import type { Candidate, Usage, UsageReport } from './api/models.js'

/** Counts of one model. */
export interface Sums {
  readonly provider: string
  readonly model: string
  input: number
  cachedInput: number
  output: number
  cost: number
  readonly calls: Map<UsageReport['kind'], number>
  readonly failures: Map<FailureClass, number>
}

/** Models with counts of their own. Further ones are counted together. */
const MOST = 200

export class Counters {
  readonly #sums = new Map<string, Sums>()
  fallbacks = 0

  answered(candidate: Candidate, kind: UsageReport['kind'], usage: Usage): void {
    const sums = this.#of(candidate)
    sums.input += usage.input
    sums.cachedInput += usage.cachedInput
    sums.output += usage.output
    sums.cost += usage.cost ?? 0
    sums.calls.set(kind, (sums.calls.get(kind) ?? 0) + 1)
  }

  failed(candidate: Candidate, failure: FailureClass): void {
    const { failures } = this.#of(candidate)
    failures.set(failure, (failures.get(failure) ?? 0) + 1)
  }

  all(): readonly Sums[] {
    return Array.from(this.#sums.values())
  }

  #of({ provider, model }: Candidate): Sums {
    const key = `${provider}:${model}`
    let sums = this.#sums.get(key)
    if (!sums) {
      if (this.#sums.size >= MOST && key !== 'other:other') return this.#of({ provider: 'other', model: 'other' })
      this.#sums.set(
        key,
        (sums = {
          provider,
          model,
          input: 0,
          cachedInput: 0,
          output: 0,
          cost: 0,
          calls: new Map(),
          failures: new Map(),
        }),
      )
    }
    return sums
  }
}
