import type { LogEntry, LogLevel } from '@mynah/contract/types'

export interface LogRow {
  readonly entry: LogEntry
  /** How often the plugin repeated the line, apart from lengths of time in it. */
  readonly count: number
  /** When the first repeat was logged. */
  readonly firstAt: number
  readonly at: number
}

export const BUFFER_ROWS = 20_000

/** Log lines, newest first. Immutable, so that lists can compare. */
export interface LogBuffer {
  readonly rows: readonly LogRow[]
  /** Number of lines before folding. */
  readonly lines: number
  readonly newest: string | undefined
  readonly oldest: string | undefined
}

export const EMPTY_BUFFER: LogBuffer = { rows: [], lines: 0, newest: undefined, oldest: undefined }

const rowOf = (entry: LogEntry): LogRow => {
  const at = Date.parse(entry.timestamp)
  return { entry, count: 1, firstAt: at, at }
}

/** A length of time in a message, as in `again in 3.2 s`, `after 1 min 20 s` or `took 12ms`. */
const DURATION =
  /(?:\d+(?:[.,]\d+)?\s?(?:(?:ms|s|sec|seconds?|min|minutes?|h|hours?)(?![\p{L}\d])|毫秒|秒|分钟|小时)\s?)+/gu
const withoutDurations = new WeakMap<LogEntry, string>()

/** Returns what a line says apart from its lengths of time, by which retries differ. */
function gist(entry: LogEntry): string {
  const known = withoutDurations.get(entry)
  if (known !== undefined) return known
  const text = entry.message.replace(DURATION, '#')
  withoutDurations.set(entry, text)
  return text
}
const same = (a: LogEntry, b: LogEntry): boolean => a.level === b.level && a.host === b.host && gist(a) === gist(b)

/** The number of rows among which a repeated problem is looked for. */
const REACH = 500
const isProblem = ({ level }: LogEntry): boolean => level === 'error' || level === 'warn'

/**
 * Returns what lines are the same that repeat each other. Problems of a plugin repeat across its other lines, as two
 * accounts that are offline take turns. Its other lines repeat only the one before, so that the list tells what
 * happened in its order.
 */
const repeatKey = (entry: LogEntry): string =>
  isProblem(entry) ? `${entry.name}\n${entry.level}\n${entry.host ?? ''}\n${gist(entry)}` : entry.name

/** Returns the newest row of each of the plugins, and of each of their problems. */
function newestRows(rows: readonly LogRow[], names: ReadonlySet<string>): Map<string, LogRow> {
  const heads = new Map<string, LogRow>()
  let missing = names.size
  for (const [index, row] of rows.entries()) {
    const { entry } = row
    if (index >= REACH && missing === 0) break
    if (!names.has(entry.name)) continue
    if (!heads.has(entry.name)) {
      heads.set(entry.name, row)
      missing -= 1
    }
    if (index < REACH && !heads.has(repeatKey(entry))) heads.set(repeatKey(entry), row)
  }
  return heads
}

/** Adds newer `entries`, newest first. */
export function prepend(ring: LogBuffer, entries: readonly LogEntry[]): LogBuffer {
  if (entries.length === 0) return ring
  const heads = newestRows(ring.rows, new Set(entries.map((entry) => entry.name)))
  const added: LogRow[] = []
  const gone = new Set<LogRow>()
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index] as LogEntry
    const head = heads.get(repeatKey(entry))
    let row = rowOf(entry)
    if (head && same(head.entry, entry)) {
      gone.add(head)
      row = { ...row, count: head.count + 1, firstAt: head.firstAt }
    }
    heads.set(entry.name, row)
    heads.set(repeatKey(entry), row)
    added.push(row)
  }
  const rows = [
    ...added.filter((row) => !gone.has(row)).reverse(),
    ...(gone.size > 0 ? ring.rows.filter((row) => !gone.has(row)) : ring.rows),
  ].slice(0, BUFFER_ROWS)
  return { rows, lines: ring.lines + entries.length, newest: entries[0]?.id, oldest: ring.oldest ?? entries.at(-1)?.id }
}

/** Adds older `entries`, newest first. */
export function append(ring: LogBuffer, entries: readonly LogEntry[]): LogBuffer {
  if (entries.length === 0) return ring
  const rows = [...ring.rows]
  const tails = new Map<string, number>()
  rows.forEach(({ entry }, index) => {
    tails.set(entry.name, index)
    if (index >= rows.length - REACH) tails.set(repeatKey(entry), index)
  })
  for (const entry of entries) {
    const at = tails.get(repeatKey(entry))
    const tail = at === undefined ? undefined : rows[at]
    const row = rowOf(entry)
    if (at !== undefined && tail && same(tail.entry, entry)) {
      rows[at] = { ...tail, count: tail.count + 1, firstAt: row.at }
      tails.set(entry.name, at)
    } else {
      tails.set(entry.name, rows.length)
      tails.set(repeatKey(entry), rows.length)
      rows.push(row)
    }
  }
  return {
    rows: rows.slice(0, BUFFER_ROWS),
    lines: ring.lines + entries.length,
    newest: ring.newest ?? entries[0]?.id,
    oldest: entries.at(-1)?.id,
  }
}

export const levels = ['error', 'warn', 'info', 'debug'] as const satisfies readonly LogLevel[]

/** Counts the lines of each level, folded repeats included. */
export function countLevels(rows: readonly LogRow[]): Record<LogLevel, number> {
  const counts = { error: 0, warn: 0, info: 0, debug: 0 }
  for (const row of rows) counts[row.entry.level] += row.count
  return counts
}

/** Returns the levels of an address, all but debug when it names none. */
export function levelsOf(text: string): ReadonlySet<LogLevel> {
  const named = text.split(',').filter((level): level is LogLevel => (levels as readonly string[]).includes(level))
  return new Set(named.length > 0 ? named : ['error', 'warn', 'info'])
}

/** Returns a line as plain text. */
export const lineOf = ({ timestamp, level, name, message }: LogEntry): string =>
  `${timestamp} ${level.toUpperCase()} ${name}: ${message}`
