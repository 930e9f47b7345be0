import type { LogLevel, LogStats } from '@mynah/contract/types'
import { countLevels, type LogRow } from './log-buffer.js'

export interface Figures {
  /** Lines that are loaded and shown, folded repeats included, without those that the host has deleted meanwhile. */
  readonly shown: number
  /** Lines that the host keeps and the filters let through: what the chips of the chosen levels add up to. */
  readonly matching: number
  /** Lines that the host keeps. */
  readonly total: number
  /** Lines that match the filter by text and plugin. */
  readonly byLevel: Readonly<Partial<Record<LogLevel, number>>>
}

/** Which lines a page shows. */
export interface Choice {
  readonly levels: ReadonlySet<LogLevel>
  /** The lines of one minute, which are all loaded. */
  readonly isMinute: boolean
}

export function figuresOf(
  stats: LogStats | undefined,
  loaded: readonly LogRow[],
  rows: readonly LogRow[],
  { levels, isMinute }: Choice,
): Figures {
  const oldest = stats?.oldestTimestamp ? Date.parse(stats.oldestTimestamp) : 0
  const isKept = ({ at }: LogRow): boolean => at >= oldest
  const kept = countLevels(loaded.filter(isKept))
  // Lines may be loaded a moment before the host has counted them.
  const byLevel = Object.fromEntries(
    Object.entries(kept).map(([level, count]) => [level, Math.max(count, stats?.byLevel[level] ?? 0)]),
  )
  const shown = sum(Object.values(countLevels(rows.filter(isKept))))
  return {
    shown,
    matching: isMinute ? shown : sum([...levels].map((level) => byLevel[level] ?? 0)),
    total: sum(Object.values(byLevel)),
    byLevel,
  }
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
