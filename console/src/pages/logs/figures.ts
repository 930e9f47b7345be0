import type { LogLevel, LogStats } from '@mynah/contract/types'
import { useEffect } from 'preact/hooks'
import type { Resource } from '../../lib/use-resource.js'
import { countLevels, type LogBuffer, type LogRow } from './log-buffer.js'

export interface Figures {
  /** Lines that are shown, folded repeats included, without those that the host has deleted meanwhile. */
  readonly shown: number
  /** Lines that the host keeps. */
  readonly total: number
  readonly byLevel: Readonly<Partial<Record<LogLevel, number>>>
}

/** Returns the figures of the page. The host counts again whenever lines came, so that they go on with the lines. */
export function useFigures(stats: Resource<LogStats>, ring: LogBuffer, shown: readonly LogRow[]): Figures {
  const { newest } = ring
  useEffect(() => {
    if (newest !== undefined && stats.data !== undefined) stats.reload()
  }, [newest])
  return figuresOf(stats.data, ring.rows, shown)
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
