// Where lines are kept: what the log store can do, and the one in memory.
import type { LogEntry, LogStats } from '@mynah/contract/types'
import type { LogRow } from './record.js'

/** Which lines. */
export interface LogQuery {
  readonly limit: number
  readonly level?: LogEntry['level']
  readonly name?: string
  /** Part of the message, upper and lower case alike. */
  readonly search?: string
  /** An id: only older ones. */
  readonly before?: string
}

/** What may stay: nothing older than `olderThan` (milliseconds since the epoch), and of the rest the newest `keep`. */
export interface Limits {
  readonly olderThan?: number
  readonly keep?: number
}

/** What a cleanup does, in lines. */
export interface Outcome {
  readonly deleted: number
  readonly remaining: number
}

/** Lines of the log, newest first. */
export interface LogStore {
  append(rows: readonly LogRow[]): Promise<void>
  list(query: LogQuery): Promise<readonly LogRow[]>
  stats(): Promise<LogStats>
  clear(): Promise<number>
  /** Removes what is outside the limits. */
  cleanup(limits: Limits): Promise<Outcome>
  /** What {@link cleanup} would do now. */
  foresee(limits: Limits): Promise<Outcome>
}

const KEPT = 2_000

/** The last lines of a host without a database. */
export class MemoryLogs implements LogStore {
  #rows: LogRow[] = []

  async append(rows: readonly LogRow[]): Promise<void> {
    this.#rows.push(...rows)
    // Cut in steps, so that a line costs nothing.
    if (this.#rows.length > KEPT * 1.5) this.#rows = this.#rows.slice(-KEPT)
  }

  async list({ limit, level, name, search, before }: LogQuery): Promise<readonly LogRow[]> {
    const wanted = search?.toLowerCase()
    const found: LogRow[] = []
    for (let index = this.#rows.length - 1; index >= 0 && found.length < limit; index--) {
      const row = this.#rows[index] as LogRow
      if (before !== undefined && row.id >= before) continue
      if ((level && row.level !== level) || (name && row.name !== name)) continue
      if (wanted && !row.message.toLowerCase().includes(wanted)) continue
      found.push(row)
    }
    return found
  }

  async stats(): Promise<LogStats> {
    const byLevel: Record<string, number> = {}
    for (const { level } of this.#rows) byLevel[level] = (byLevel[level] ?? 0) + 1
    const oldest = this.#rows[0]
    return { total: this.#rows.length, byLevel, oldestTimestamp: oldest ? new Date(oldest.time).toISOString() : null }
  }

  async clear(): Promise<number> {
    const { length } = this.#rows
    this.#rows = []
    return length
  }

  #within({ olderThan, keep }: Limits): LogRow[] {
    const young = olderThan === undefined ? this.#rows : this.#rows.filter(({ time }) => time >= olderThan)
    return keep === undefined ? young : keep === 0 ? [] : young.slice(-keep)
  }

  async cleanup(limits: Limits): Promise<Outcome> {
    const outcome = await this.foresee(limits)
    this.#rows = this.#within(limits)
    return outcome
  }

  async foresee(limits: Limits): Promise<Outcome> {
    const { length } = this.#within(limits)
    return { deleted: this.#rows.length - length, remaining: length }
  }
}
