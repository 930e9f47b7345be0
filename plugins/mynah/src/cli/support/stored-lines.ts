// The last errors in the table of the plugin logs, for a host that is stopped or was started again.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LogRecord } from '@mynah/kernel'
import { querySqlite } from '../backup/sqlite.js'

interface Row {
  readonly time: number
  readonly level: LogRecord['level']
  readonly name: string
  readonly message: string
  readonly fields: string | null
}

const LAST = `SELECT time, level, name, message, fields FROM log
  WHERE level IN ('error', 'warn') ORDER BY id DESC LIMIT 100`

/** Returns the last warnings and errors of the database in a folder of data, the oldest first. */
export async function storedLines(root: string, file = join(root, 'data', 'mynah.sqlite')): Promise<LogRecord[]> {
  if (!existsSync(file)) return []
  const rows = (await querySqlite(root, file, LAST)) as unknown as Row[]
  return rows.reverse().map(({ fields, ...row }) => ({
    ...row,
    ...(fields === null ? {} : { fields: JSON.parse(fields) as Record<string, unknown> }),
  }))
}
