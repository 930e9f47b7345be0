import type { LogEntry, LogStats } from '@mynah/contract/types'
import { MINUTE_MS } from '@mynah/kernel/util'
import type { LogRow } from './record.js'

/** Filter of log lines. */
export interface LogFilter {
  readonly level?: LogEntry['level']
  readonly name?: string
  /** Name of the host that wrote the line. */
  readonly host?: string
  /** Part of the message, ignoring case. */
  readonly search?: string
  /** Milliseconds since the epoch; only lines of that time and later. */
  readonly from?: number
  /** Milliseconds since the epoch; only lines before that time. */
  readonly to?: number
}

/** Selects the newest lines that a filter leaves. */
export interface LogQuery extends LogFilter {
  readonly limit: number
  /** Id of a line; only older lines are returned. */
  readonly before?: string
}

/** How many lines of a level a minute has. */
export interface MinuteCount {
  /** Beginning of the minute, milliseconds since the epoch. */
  readonly minute: number
  readonly level: LogEntry['level']
  readonly total: number
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
  /** Counts the lines that a filter leaves. */
  stats(filter: LogFilter): Promise<LogStats>
  /** Counts the lines that a filter leaves by the minute, in any order, without minutes that have none. */
  volume(filter: LogFilter): Promise<readonly MinuteCount[]>
  clear(): Promise<number>
  /** Removes the lines outside of the limits. */
  cleanup(limits: RetentionLimits): Promise<CleanupResult>
  /** Returns the result of {@link cleanup} without removing anything. */
  previewCleanup(limits: RetentionLimits): Promise<CleanupResult>
}

const CAPACITY = 2_000

function matcherOf({ level, name, host, search, from, to }: LogFilter): (row: LogRow) => boolean {
  const wanted = search?.toLowerCase()
  return (row) =>
    (level === undefined || row.level === level) &&
    (name === undefined || row.name === name) &&
    (host === undefined || row.host === host) &&
    (from === undefined || row.time >= from) &&
    (to === undefined || row.time < to) &&
    (wanted === undefined || row.message.toLowerCase().includes(wanted))
}

/** The newest lines of a host without a database. */
export class MemoryLogs implements LogStore {
  #rows: LogRow[] = []

  async append(rows: readonly LogRow[]): Promise<void> {
    this.#rows.push(...rows)
    // Truncated in steps, so that appending stays cheap.
    if (this.#rows.length > CAPACITY * 1.5) this.#rows = this.#rows.slice(-CAPACITY)
  }

  async list({ limit, before, ...filter }: LogQuery): Promise<readonly LogRow[]> {
    const matches = matcherOf(filter)
    const found: LogRow[] = []
    for (let index = this.#rows.length - 1; index >= 0 && found.length < limit; index--) {
      const row = this.#rows[index] as LogRow
      if ((before === undefined || row.id < before) && matches(row)) found.push(row)
    }
    return found
  }

  async stats(filter: LogFilter): Promise<LogStats> {
    const found = this.#rows.filter(matcherOf(filter))
    const byLevel: Record<string, number> = {}
    for (const { level } of found) byLevel[level] = (byLevel[level] ?? 0) + 1
    const [oldest] = found
    return { total: found.length, byLevel, oldestTimestamp: oldest ? new Date(oldest.time).toISOString() : null }
  }

  async volume(filter: LogFilter): Promise<readonly MinuteCount[]> {
    return this.#rows
      .filter(matcherOf(filter))
      .map(({ time, level }) => ({ minute: time - (time % MINUTE_MS), level, total: 1 }))
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
