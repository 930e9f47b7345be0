import type { LogStats } from '@mynah/contract/types'
import { MINUTE_MS } from '@mynah/kernel/util'
import type { Database, Statements } from '@mynah/database-api'
import { Logs, type LogRow } from './record.js'
import type { CleanupResult, LogFilter, LogQuery, LogStore, MinuteCount, RetentionLimits } from './store.js'

const literal = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Returns the condition of a query with its parameters. */
function conditionOf({ level, name, host, search, from, to, before }: Omit<LogQuery, 'limit'>): {
  readonly where: string
  readonly parameters: unknown[]
} {
  const conditions: string[] = []
  const parameters: unknown[] = []
  const add = (value: unknown, condition: (place: string) => string): void => {
    if (value === undefined) return
    parameters.push(value)
    conditions.push(condition(`$${parameters.length}`))
  }
  add(before, (place) => `id < ${place}`)
  add(level, (place) => `level = ${place}`)
  add(name, (place) => `name = ${place}`)
  add(host, (place) => `host = ${place}`)
  add(from, (place) => `time >= ${place}`)
  add(to, (place) => `time < ${place}`)
  add(search === undefined ? undefined : literal(search), (place) => `lower(message) LIKE lower(${place}) ESCAPE '\\'`)
  return { where: conditions.length ? ` WHERE ${conditions.join(' AND ')}` : '', parameters }
}

async function countOf(db: Statements, since?: number): Promise<number> {
  const [row] =
    since === undefined
      ? await db.query<{ total: number | string }>('SELECT count(*) AS total FROM log')
      : await db.query<{ total: number | string }>('SELECT count(*) AS total FROM log WHERE time >= $1', [since])
  return Number(row?.total ?? 0)
}

/** The log in the table `log`. */
export class DatabaseLogs implements LogStore {
  readonly #database: Database
  readonly #host: string | null

  /** @param host name of this host, where several write to the table */
  constructor(database: Database, host?: string) {
    this.#database = database
    this.#host = host ?? null
  }

  append(rows: readonly LogRow[]): Promise<void> {
    return this.#database.append(
      Logs,
      rows.map((row) => ({ ...row, host: this.#host })),
    )
  }

  list({ limit, ...query }: LogQuery): Promise<readonly LogRow[]> {
    const { where, parameters } = conditionOf(query)
    parameters.push(limit)
    return this.#database.read((db) =>
      db.query<LogRow>(
        `SELECT id, time, level, name, message, fields, host FROM log${where}
         ORDER BY id DESC LIMIT $${parameters.length}`,
        parameters,
      ),
    )
  }

  stats(filter: LogFilter): Promise<LogStats> {
    const { where, parameters } = conditionOf(filter)
    return this.#database.read(async (db) => {
      const levels = await db.query<{ level: string; total: number | string }>(
        `SELECT level, count(*) AS total FROM log${where} GROUP BY level`,
        parameters,
      )
      const [oldest] = await db.query<{ time: number | string | null }>(
        `SELECT min(time) AS time FROM log${where}`,
        parameters,
      )
      const byLevel = Object.fromEntries(levels.map(({ level, total }) => [level, Number(total)]))
      const time = oldest?.time ?? null
      return {
        total: Object.values(byLevel).reduce((sum, count) => sum + count, 0),
        byLevel,
        oldestTimestamp: time === null ? null : new Date(Number(time)).toISOString(),
      }
    })
  }

  volume(filter: LogFilter): Promise<readonly MinuteCount[]> {
    const { where, parameters } = conditionOf(filter)
    return this.#database.read(async (db) => {
      const rows = await db.query<{ minute: number | string; level: LogRow['level']; total: number | string }>(
        `SELECT time - time % ${MINUTE_MS} AS minute, level, count(*) AS total FROM log${where} GROUP BY 1, 2`,
        parameters,
      )
      return rows.map(({ minute, level, total }) => ({ minute: Number(minute), level, total: Number(total) }))
    })
  }

  clear(): Promise<number> {
    return this.#database.tx((db) => db.run('DELETE FROM log'))
  }

  cleanup({ olderThan, keep }: RetentionLimits): Promise<CleanupResult> {
    return this.#database.tx(async (db) => {
      let deleted = 0
      if (olderThan !== undefined) deleted += await db.run('DELETE FROM log WHERE time < $1', [Math.floor(olderThan)])
      if (keep === 0) deleted += await db.run('DELETE FROM log')
      else if (keep !== undefined)
        deleted += await db.run('DELETE FROM log WHERE id < (SELECT id FROM log ORDER BY id DESC LIMIT 1 OFFSET $1)', [
          keep - 1,
        ])
      return { deleted, remaining: await countOf(db) }
    })
  }

  previewCleanup({ olderThan, keep }: RetentionLimits): Promise<CleanupResult> {
    return this.#database.read(async (db) => {
      const total = await countOf(db)
      const young = olderThan === undefined ? total : await countOf(db, Math.floor(olderThan))
      const remaining = keep === undefined ? young : Math.min(keep, young)
      return { deleted: total - remaining, remaining }
    })
  }
}
