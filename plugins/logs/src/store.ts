import type { LogEntry, LogStats } from '@mynah/contract/types'
import type { LogRow } from './record.js'

/** Filter of log lines. */
export interface LogQuery {
  readonly limit: number
  readonly level?: LogEntry['level']
  readonly name?: string
  /** Part of the message, ignoring case. */
  readonly search?: string
  /** Id of a line; only older lines are returned. */
  readonly before?: string
}

/** Lines to keep: none older than `olderThan` (milliseconds since the epoch), and of the others the newest `keep`. */
export interface RetentionLimits {
  readonly olderThan?: number
  readonly keep?: number
}

/** Numbers of lines. */
export interface CleanupResult {
  readonly deleted: number
  readonly remaining: number
}

/** A store of log lines, which lists the newest first. */
export interface LogStore {
  append(rows: readonly LogRow[]): Promise<void>
  list(query: LogQuery): Promise<readonly LogRow[]>
  stats(): Promise<LogStats>
  clear(): Promise<number>
  /** Removes the lines outside of the limits. */
  cleanup(limits: RetentionLimits): Promise<CleanupResult>
  /** Returns the result of {@link cleanup} without removing anything. */
  previewCleanup(limits: RetentionLimits): Promise<CleanupResult>
}

const CAPACITY = 2_000

/** The newest lines of a host without a database. */
export class MemoryLogs implements LogStore {
  #rows: LogRow[] = []

  async append(rows: readonly LogRow[]): Promise<void> {
    this.#rows.push(...rows)
    // Truncated in steps, so that appending stays cheap.
    if (this.#rows.length > CAPACITY * 1.5) this.#rows = this.#rows.slice(-CAPACITY)
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

  #within({ olderThan, keep }: RetentionLimits): LogRow[] {
    const young = olderThan === undefined ? this.#rows : this.#rows.filter(({ time }) => time >= olderThan)
    if (keep === 0) return []
    return keep === undefined ? young : young.slice(-keep)
  }

  async cleanup(limits: RetentionLimits): Promise<CleanupResult> {
    const outcome = await this.previewCleanup(limits)
    this.#rows = this.#within(limits)
    return outcome
  }

  async previewCleanup(limits: RetentionLimits): Promise<CleanupResult> {
    const { length } = this.#within(limits)
    return { deleted: this.#rows.length - length, remaining: length }
  }
}
