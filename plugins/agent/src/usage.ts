// What models have used, by day and by whom: in the database, or in memory without one.
import type { UsageReport } from '@mynah/plugin-ai/api'
import type { Database } from '@mynah/plugin-database/api'
import { UsageRecords, type UsageRecord } from './session/tables.js'

const DAYS = 40
type Key = Omit<UsageRecord, 'calls' | 'input' | 'cached' | 'output' | 'cost'>
export interface DayUsage {
  readonly date: string
  readonly provider: string
  readonly model: string
  readonly calls: number
  readonly input: number
  readonly cachedInput: number
  readonly output: number
  readonly cost?: number
}

const keyOf = ({ at, origin, provider, model }: UsageReport): Key => ({
  day: new Date(at).toISOString().slice(0, 10),
  adapter: origin?.adapter ?? '',
  endpoint: origin?.endpoint ?? '',
  user_id: origin?.user ?? '',
  provider,
  model,
})

export class UsageLog {
  readonly #database: () => Database | undefined
  readonly #memory = new Map<string, UsageRecord>()

  constructor(database: () => Database | undefined) {
    this.#database = database
  }

  async add(report: UsageReport): Promise<void> {
    const key = keyOf(report)
    const { input, cachedInput, output, cost } = report.usage
    const database = this.#database()
    if (!database) return this.#remember(key, report)
    const columns = Object.keys(key)
    await database.tx((db) =>
      db.run(
        `INSERT INTO ai_usage (${columns.join(', ')}, calls, input, cached, output, cost) VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $8, $9, $10)
      ON CONFLICT (${columns.join(', ')}) DO UPDATE SET calls = ai_usage.calls + 1, input = ai_usage.input + excluded.input, cached = ai_usage.cached + excluded.cached,
      output = ai_usage.output + excluded.output, cost = CASE WHEN excluded.cost IS NULL THEN ai_usage.cost ELSE coalesce(ai_usage.cost, 0) + excluded.cost END`,
        [...Object.values(key), input, cachedInput, output, cost ?? null],
      ),
    )
  }

  #remember(key: Key, { usage: { input, cachedInput, output, cost } }: UsageReport): void {
    const name = JSON.stringify(key)
    const known = this.#memory.get(name) ?? { ...key, calls: 0, input: 0, cached: 0, output: 0, cost: null }
    this.#memory.set(name, {
      ...known,
      calls: known.calls + 1,
      input: known.input + input,
      cached: known.cached + cachedInput,
      output: known.output + output,
      cost: cost === undefined ? known.cost : (known.cost ?? 0) + cost,
    })
    const oldest = [...new Set([...this.#memory.values()].map(({ day }) => day))].sort().at(-DAYS)
    if (oldest !== undefined) for (const [other, { day }] of this.#memory) if (day < oldest) this.#memory.delete(other)
  }

  /** By day, provider and model, from `since` (`YYYY-MM-DD`) on; of one user where given. */
  async days(
    since: string,
    of: { readonly adapter?: string; readonly endpoint?: string; readonly user?: string } = {},
  ): Promise<DayUsage[]> {
    const database = this.#database()
    const rows = database
      ? await database.read((db) =>
          db.find(UsageRecords, {
            where: {
              day: { $gte: since },
              ...(of.adapter === undefined ? {} : { adapter: of.adapter }),
              ...(of.endpoint === undefined ? {} : { endpoint: of.endpoint }),
              ...(of.user === undefined ? {} : { user_id: of.user }),
            },
          }),
        )
      : [...this.#memory.values()].filter(
          (row) =>
            row.day >= since &&
            (of.adapter === undefined || row.adapter === of.adapter) &&
            (of.endpoint === undefined || row.endpoint === of.endpoint) &&
            (of.user === undefined || row.user_id === of.user),
        )
    const days = new Map<string, DayUsage>()
    for (const { day, provider, model, calls, input, cached, output, cost } of rows) {
      const name = JSON.stringify([day, provider, model])
      const sum = days.get(name)
      const total = cost === null && sum?.cost === undefined ? {} : { cost: (sum?.cost ?? 0) + Number(cost ?? 0) }
      days.set(name, {
        date: day,
        provider,
        model,
        calls: (sum?.calls ?? 0) + Number(calls),
        input: (sum?.input ?? 0) + Number(input),
        cachedInput: (sum?.cachedInput ?? 0) + Number(cached),
        output: (sum?.output ?? 0) + Number(output),
        ...total,
      })
    }
    return [...days.values()].sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : a.model < b.model ? -1 : 1))
  }
}
