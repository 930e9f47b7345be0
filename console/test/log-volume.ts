import type { LogEntry, LogVolume } from '@mynah/contract/types'

const MINUTES = 60
const MINUTE_MS = 60_000

/** Counts lines by the minute of the last hour, as a host does. */
export function volumeOf(lines: readonly Pick<LogEntry, 'level' | 'timestamp'>[], now = Date.now()): LogVolume {
  const from = (Math.floor(now / MINUTE_MS) - MINUTES + 1) * MINUTE_MS
  const minuteOf = ({ timestamp }: Pick<LogEntry, 'timestamp'>): number =>
    Math.floor((Date.parse(timestamp) - from) / MINUTE_MS)
  const count = (found: typeof lines): number[] =>
    Array.from({ length: MINUTES }, (_, minute) => found.filter((line) => minuteOf(line) === minute).length)
  return {
    from,
    step: MINUTE_MS,
    total: count(lines),
    errors: count(lines.filter(({ level }) => level === 'error')),
  }
}
