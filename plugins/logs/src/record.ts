import type { LogEntry } from '@mynah/contract/types'
import { messageOf, type LogRecord } from '@mynah/kernel'
import { entity, newId } from '@mynah/database-api'

/** A row of the table `log`. */
export interface LogRow {
  readonly id: string
  readonly time: number
  readonly level: LogEntry['level']
  readonly name: string
  readonly message: string
  /** JSON, or null without fields. */
  readonly fields: string | null
  /** Name of the host that wrote it. Absent on a host that is alone. */
  readonly host?: string | null
}

export const Logs = entity<LogRow>({
  package: '@mynah/plugin-logs',
  name: 'log',
  columns: {
    id: { type: 'text', primary: true },
    time: { type: 'bigint' },
    level: { type: 'text' },
    name: { type: 'text' },
    message: { type: 'text' },
    fields: { type: 'text', nullable: true },
    host: { type: 'text', nullable: true },
  },
  indices: [
    { name: 'log_level_id', columns: ['level', 'id'] },
    { name: 'log_name_id', columns: ['name', 'id'] },
    { name: 'log_time', columns: ['time'] },
    { name: 'log_host_id', columns: ['host', 'id'], where: 'host IS NOT NULL' },
  ],
})

const MAX_MESSAGE = 8_192
const MAX_FIELDS = 16_384

/** Escapes control characters, so that a line of the log stays one line and cannot forge another. */
function escapeControls(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are the characters to escape
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Converts a field for JSON and escapes control characters in texts and names. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return escapeControls(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [escapeControls(key), inner as unknown]))
}

function fieldsOf(record: LogRecord): string | null {
  // Stacks contain paths of the machine, so they are written to the standard output only.
  const { stack: _, ...fields } = record.fields ?? {}
  if (Object.keys(fields).length === 0) return null
  try {
    const text = JSON.stringify(fields, (_key, value: unknown) => plain(value))
    return text.length > MAX_FIELDS ? JSON.stringify({ truncated: `${text.length} characters` }) : text
  } catch (error) {
    // A field cannot be written as JSON, for example because it is circular.
    return JSON.stringify({ unreadable: escapeControls(messageOf(error)) })
  }
}

/** Returns the row of a log line. */
export function toRow(record: LogRecord): LogRow {
  const message = record.message.length > MAX_MESSAGE ? `${record.message.slice(0, MAX_MESSAGE)}…` : record.message
  return {
    id: newId(record.time),
    time: record.time,
    level: record.level,
    name: escapeControls(record.name),
    message: escapeControls(message),
    fields: fieldsOf(record),
  }
}

/** Returns a row as the API shows it. */
export function toEntry(row: LogRow): LogEntry {
  return {
    id: row.id,
    level: row.level,
    name: row.name,
    message: row.message,
    source: row.name,
    timestamp: new Date(Number(row.time)).toISOString(),
    ...(typeof row.host === 'string' ? { host: row.host } : {}),
    ...(row.fields === null ? {} : { fields: JSON.parse(row.fields) as Record<string, unknown> }),
  }
}
