import type { LanguageModelV3Usage } from '@ai-sdk/provider'
import type { Clock } from '@mynah/kernel'
import type { Candidate, ModelRequest, Usage, UsageReport } from './api/models.js'
import type { Budget } from './budget.js'
import { Counters } from './counters.js'
import type { RegisteredProvider } from './registry/registry.js'
import type { AnswerBuilder } from './stream/builder.js'
import { Corrections } from './tokens/correction.js'

/** Counts what calls use: for the budget, the counters, those who listen, and the estimates of later requests. */
export class UsageAccount {
  readonly counters = new Counters()
  readonly #corrections = new Corrections()
  readonly #clock: Clock
  readonly #budget: Budget
  readonly #report: (report: UsageReport) => void

  constructor(clock: Clock, budget: Budget, report: (report: UsageReport) => void) {
    this.#clock = clock
    this.#budget = budget
    this.#report = report
  }

  /** Returns the tokens that a provider would count, from an estimate of ours. */
  corrected(estimated: number, candidate: Candidate): number {
    return estimated * this.#corrections.factor(candidate)
  }

  /** Returns the usage of an answer, with its cost. A provider that counts nothing is counted for, without a price. */
  usageOf(
    usage: LanguageModelV3Usage | undefined,
    answer: AnswerBuilder,
    estimated: number,
    provider: RegisteredProvider,
    candidate: Candidate,
  ): Usage {
    const input = usage?.inputTokens.total
    const output = usage?.outputTokens.total
    if (!input)
      return {
        input: Math.ceil(this.corrected(estimated, candidate)),
        cachedInput: 0,
        output: output || Math.ceil(answer.chars / 4),
      }
    this.#corrections.observe(candidate, estimated, input)
    return this.priced(provider, { input, cachedInput: usage?.inputTokens.cacheRead ?? 0, output: output ?? 0 })
  }

  /** Adds the cost where the provider has prices. */
  priced({ config: { prices } }: RegisteredProvider, usage: Usage): Usage {
    if (!prices || (usage.input === 0 && usage.output === 0)) return usage
    const { input, cachedInput, output } = usage
    return {
      ...usage,
      cost:
        ((input - cachedInput) * prices.input +
          cachedInput * (prices.cachedInput ?? prices.input) +
          output * prices.output) /
        1_000_000,
    }
  }

  /** Adds what one call has used. */
  add(
    kind: UsageReport['kind'],
    { provider, model }: Candidate,
    usage: Usage,
    { origin, session, turn, purpose }: Pick<ModelRequest, 'origin' | 'session' | 'turn' | 'purpose'>,
  ): void {
    this.counters.answered({ provider, model }, kind, usage)
    this.#budget.add(usage)
    this.#report({ at: this.#clock.now(), kind, provider, model, usage, origin, session, turn, purpose })
  }
}
