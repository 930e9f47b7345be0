import type { LogLevel, LogStats } from '@mynah/contract/types'
import { countLevels, type LogRow } from './log-buffer.js'

export interface Figures {
  /** Lines that are shown, folded repeats included, without those that the host has deleted meanwhile. */
  readonly shown: number
  /** Lines that the host keeps. */
  readonly total: number
  /** Lines that match the filter by text and plugin. */
  readonly byLevel: Readonly<Partial<Record<LogLevel, number>>>
}

export function figuresOf(stats: LogStats | undefined, loaded: readonly LogRow[], shown: readonly LogRow[]): Figures {
  const oldest = stats?.oldestTimestamp ? Date.parse(stats.oldestTimestamp) : 0
  const isKept = ({ at }: LogRow): boolean => at >= oldest
  const kept = countLevels(loaded.filter(isKept))
  // Lines may be loaded a moment before the host has counted them.
  const byLevel = Object.fromEntries(
    Object.entries(kept).map(([level, count]) => [level, Math.max(count, stats?.byLevel[level] ?? 0)]),
  )
  return {
    shown: sum(Object.values(countLevels(shown.filter(isKept)))),
    total: sum(Object.values(byLevel)),
    byLevel,
  }
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
