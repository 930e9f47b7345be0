import { omitUndefined } from '@mynah/kernel/util'
import { addUsage, type Usage, type UsageReport } from '@mynah/plugin-ai/api'
import type { Database } from '@mynah/database-api'
import { UsageRecords, type UsageRecord } from './session/tables.js'

/** Days that the memory keeps. */
const MAX_DAYS = 40

export type UsageKey = Omit<UsageRecord, 'calls' | 'input' | 'cached' | 'output' | 'cost'>
/** The usage of one model on one day by one user. */
export interface UsageRow {
  readonly key: UsageKey
  readonly calls: number
  readonly usage: Usage
}
export interface DayUsage extends Usage {
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly provider: string
  readonly model: string
  readonly calls: number
}
/** The user whose usage is wanted; everybody's when nothing is given. */
export interface UsageFilter {
  readonly adapter?: string
  readonly endpoint?: string
  readonly user?: string
}

export interface UsageStore {
  add(key: UsageKey, usage: Usage): Promise<void>
  /** Returns the rows from a day (`YYYY-MM-DD`) on. */
  since(day: string, filter: UsageFilter): Promise<readonly UsageRow[]>
}

const keyOf = ({ at, origin, provider, model }: UsageReport): UsageKey => ({
  day: new Date(at).toISOString().slice(0, 10),
  adapter: origin?.adapter ?? '',
  endpoint: origin?.endpoint ?? '',
  user_id: origin?.user ?? '',
  provider,
  model,
})

const columnsOf = ({ adapter, endpoint, user }: UsageFilter): Partial<UsageKey> =>
  omitUndefined({ adapter, endpoint, user_id: user })

export class MemoryUsageStore implements UsageStore {
  readonly #rows = new Map<string, UsageRow>()

  async add(key: UsageKey, usage: Usage): Promise<void> {
    const name = JSON.stringify(key)
    const row = this.#rows.get(name)
    this.#rows.set(name, { key, calls: (row?.calls ?? 0) + 1, usage: row ? addUsage(row.usage, usage) : usage })
    const days = [...new Set(Array.from(this.#rows.values(), (one) => one.key.day))].sort()
    const oldest = days.at(-MAX_DAYS)
    if (oldest !== undefined) for (const [other, one] of this.#rows) if (one.key.day < oldest) this.#rows.delete(other)
  }

  async since(day: string, filter: UsageFilter): Promise<readonly UsageRow[]> {
    const wanted = Object.entries(columnsOf(filter)) as [keyof UsageKey, string][]
    return Array.from(this.#rows.values()).filter(
      ({ key }) => key.day >= day && wanted.every(([column, value]) => key[column] === value),
    )
  }
}

export class DatabaseUsageStore implements UsageStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async add(key: UsageKey, { input, cachedInput, output, cost }: Usage): Promise<void> {
    const columns = Object.keys(key).join(', ')
    await this.#database.tx((db) =>
      db.run(
        `INSERT INTO ai_usage (${columns}, calls, input, cached, output, cost)
         VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $8, $9, $10)
         ON CONFLICT (${columns}) DO UPDATE SET
           calls = ai_usage.calls + 1,
           input = ai_usage.input + excluded.input,
           cached = ai_usage.cached + excluded.cached,
           output = ai_usage.output + excluded.output,
           cost = CASE WHEN excluded.cost IS NULL THEN ai_usage.cost
             ELSE coalesce(ai_usage.cost, 0) + excluded.cost END`,
        [...Object.values(key), input, cachedInput, output, cost ?? null],
      ),
    )
  }

  async since(day: string, filter: UsageFilter): Promise<readonly UsageRow[]> {
    const where = { day: { $gte: day }, ...columnsOf(filter) }
    const rows = await this.#database.read((db) => db.find(UsageRecords, { where }))
    return rows.map(({ calls, input, cached, output, cost, ...key }) => ({
      key,
      calls: Number(calls),
      usage: {
        input: Number(input),
        cachedInput: Number(cached),
        output: Number(output),
        ...(cost === null ? {} : { cost: Number(cost) }),
      },
    }))
  }
}

const byDateThenModel = (a: DayUsage, b: DayUsage): number => {
  if (a.date !== b.date) return a.date < b.date ? 1 : -1
  return a.model < b.model ? -1 : 1
}

/** Adds up what models have used, by day and by user. */
export class UsageLog {
  readonly #store: UsageStore

  constructor(store: UsageStore) {
    this.#store = store
  }

  add(report: UsageReport): Promise<void> {
    const { input, cachedInput, output, cost } = report.usage
    return this.#store.add(keyOf(report), { input, cachedInput, output, ...(cost === undefined ? {} : { cost }) })
  }

  /** Returns the usage by day, provider and model from a day (`YYYY-MM-DD`) on, newest first. */
  async days(since: string, filter: UsageFilter = {}): Promise<DayUsage[]> {
    const days = new Map<string, DayUsage>()
    for (const { key, calls, usage } of await this.#store.since(since, filter)) {
      const { day: date, provider, model } = key
      const name = JSON.stringify([date, provider, model])
      const sum = days.get(name)
      const total = sum ? addUsage(sum, usage) : usage
      days.set(name, { date, provider, model, calls: (sum?.calls ?? 0) + calls, ...total })
    }
    return [...days.values()].sort(byDateThenModel)
  }
}
