// The daily budget of all calls of the host. It is kept in a file, so that a restart does not reset it.
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import { ModelError } from './api/errors.js'
import type { BudgetExceeded, Usage } from './api/models.js'
import { readDataFile } from './data-file.js'
import { record } from './registry/model-info.js'

/** Time between two writes of the file. */
const WRITE_MS = 10_000
const MAX_BYTES = 10_000

interface BudgetLimits {
  readonly tokensPerDay?: number | undefined
  readonly costPerDay?: number | undefined
}

export interface BudgetOptions {
  readonly clock: Clock
  readonly log: Logger
  /** The file of the counts. Without it they start at zero with the process. */
  readonly file?: string | undefined
  limits(): BudgetLimits | undefined
  /** Called once a day. */
  exceeded(what: BudgetExceeded): void
}

export class Budget {
  readonly #options: BudgetOptions
  #day = ''
  #tokens = 0
  #cost = 0
  #isReported = false
  #cancel: (() => void) | undefined
  #dirty = false
  #writing: Promise<void> = Promise.resolve()

  constructor(options: BudgetOptions) {
    this.#options = options
  }

  /** Loads the sums of the day from before a restart. */
  async load(): Promise<void> {
    const { file, log } = this.#options
    if (file === undefined) return
    try {
      const content = await readDataFile(file, MAX_BYTES)
      if (content === undefined) return
      const { day, tokens, cost } = record(JSON.parse(content))
      if (day !== this.#today() || !isAmount(tokens) || !isAmount(cost)) return
      this.#turn()
      this.#tokens += tokens
      this.#cost += cost
    } catch (error) {
      log.warn(`failed to read the usage of the day: ${messageOf(error)}`)
    }
  }

  /** @throws a `budget` failure when the budget of the day is used up */
  assertLeft(): void {
    const limits = this.#options.limits()
    if (!limits) return
    this.#turn()
    const { tokensPerDay, costPerDay } = limits
    const budgets = [
      { limit: 'tokensPerDay', used: this.#tokens, allowed: tokensPerDay ?? Infinity },
      { limit: 'costPerDay', used: this.#cost, allowed: costPerDay ?? Infinity },
    ] as const
    const over = budgets.find(({ used, allowed }) => used >= allowed)
    if (!over) return
    const until = this.#tomorrow()
    if (!this.#isReported) {
      this.#isReported = true
      this.#options.log.warn(
        `ai.budget.${over.limit} is used up (${over.used} of ${over.allowed}): ` +
          `no model is used before ${new Date(until).toISOString()}`,
      )
      this.#options.exceeded({ ...over, until })
    }
    throw new ModelError('budget', `The budget of the day is used up (${over.limit})`, {
      retryAfterMs: until - this.#options.clock.now(),
    })
  }

  /** Counts a call. */
  add(usage: Usage): void {
    if (!this.#options.limits()) return
    this.#turn()
    this.#tokens += usage.input + usage.output
    this.#cost += usage.cost ?? 0
    this.#dirty = true
    if (this.#options.file !== undefined)
      this.#cancel ??= this.#options.clock.setTimeout(() => void this.#write(), WRITE_MS)
  }

  /** Writes pending counts to the file. */
  async close(): Promise<void> {
    this.#cancel?.()
    await this.#write()
  }

  #write(): Promise<void> {
    this.#cancel = undefined
    const { file, log } = this.#options
    if (!this.#dirty || file === undefined) return this.#writing
    this.#dirty = false
    const content = JSON.stringify({ day: this.#day, tokens: this.#tokens, cost: this.#cost })
    return (this.#writing = this.#writing
      .then(async () => {
        const { writeFileAtomically } = await import('@mynah/kernel/files')
        await mkdir(dirname(file), { recursive: true })
        await writeFileAtomically(file, content)
      })
      .catch((error: unknown) => log.warn(`failed to store the usage of the day: ${messageOf(error)}`)))
  }

  /** Days are those of the host's time zone. */
  #today(): string {
    const now = new Date(this.#options.clock.now())
    return `${now.getFullYear()}-${now.getMonth() + 1}-${now.getDate()}`
  }

  #tomorrow(): number {
    const now = new Date(this.#options.clock.now())
    return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime()
  }

  #turn(): void {
    const today = this.#today()
    if (today === this.#day) return
    this.#day = today
    this.#tokens = 0
    this.#cost = 0
    this.#isReported = false
  }
}

/** Returns whether a value is an amount: an edited file must not raise the budget. */
const isAmount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0
