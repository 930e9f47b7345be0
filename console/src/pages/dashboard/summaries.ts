import type { LogEntry } from '@mynah/contract/types'
import { shortName } from '../../lib/format.js'
import type { CronList, Usage } from './wire.js'

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Most lines of a level that are loaded. */
export const MOST_PROBLEMS = 50

export interface LogLine extends LogEntry {
  readonly times: number
  /** Whether there may be more repeats than were loaded. */
  readonly atLeast: boolean
}

/** Returns the newest problem lines. Repeats of a plugin are folded into one with a count. */
export function lastProblems(entries: readonly LogEntry[], most: number): LogLine[] {
  const lines = new Map<string, LogLine>()
  const isCut = (level: string): boolean => entries.filter((entry) => entry.level === level).length >= MOST_PROBLEMS
  const cut = new Set(['error', 'warn'].filter(isCut))
  for (const entry of [...entries].sort((a, b) => (a.timestamp < b.timestamp ? 1 : -1))) {
    const key = `${entry.name}\n${entry.level}\n${entry.message}`
    const known = lines.get(key)
    lines.set(key, known ? { ...known, times: known.times + 1 } : { ...entry, times: 1, atLeast: cut.has(entry.level) })
  }
  return [...lines.values()].slice(0, most)
}

export interface UsageSum {
  readonly calls: number
  readonly input: number
  readonly cachedShare: number
  readonly output: number
  readonly cost?: number
}

/** Sums the usage of all models. The cost is absent if the host has no prices. */
export function usageOf({ days }: Usage): UsageSum {
  const of = (read: (day: Usage['days'][number]) => number): number => sum(days.map(read))
  const [input, cached] = [of((day) => day.input), of((day) => day.cachedInput)]
  const priced = days.filter(({ cost }) => cost !== undefined)
  return {
    calls: of((day) => day.calls),
    input,
    output: of((day) => day.output),
    cachedShare: input > 0 ? cached / input : 0,
    ...(priced.length > 0 ? { cost: sum(priced.map(({ cost = 0 }) => cost)) } : {}),
  }
}

/** Returns the next runs, soonest first. */
export function nextJobs(
  { memory, persistent }: CronList,
  most: number,
): { readonly id: string; readonly name: string; readonly at: number }[] {
  return [
    ...persistent
      .filter(({ enabled }) => enabled)
      .map(({ id, label, prompt, nextRun }) => ({ id, name: label ?? shortName(prompt), at: nextRun })),
    ...memory.map(({ id, plugin, nextRun }) => ({ id, name: `${plugin}: ${id}`, at: nextRun ?? undefined })),
  ]
    .filter((job): job is { id: string; name: string; at: number } => job.at !== undefined)
    .sort((a, b) => a.at - b.at)
    .slice(0, most)
}
