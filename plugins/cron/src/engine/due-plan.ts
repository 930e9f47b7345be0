import type { Timetable } from '../schedule/timetable.js'
import type { JobChange, StoredJob, StoredRun } from '../store/types.js'
import { newRun } from './job-factory.js'
import { withRecent } from './outcome.js'
import { dueSlots } from './due-slots.js'

/** The runs to add for a due job, and how the job changes. */
export interface DuePlan {
  readonly runs: readonly StoredRun[]
  readonly change: JobChange
}

/** Plans the runs of a job that was due at `due`. A busy job skips its slot, because runs of a job never overlap. */
export function planDue(job: StoredJob, table: Timetable, due: number, now: number, isBusy: boolean): DuePlan {
  const { id, missed } = job
  const { run, skipped } = dueSlots(table, due, now, missed)
  const ended = (slot: number, reason: string): StoredRun => ({
    ...newRun(id, String(slot), now),
    state: 'skipped',
    stage: 'ended',
    error: reason,
    finishedAt: now,
  })
  const runs = skipped.map(({ slot, reason }) => ended(slot, reason))
  if (run !== undefined)
    runs.push(isBusy ? ended(run, 'overlap: the previous run has not ended') : newRun(id, String(run), now))
  const next = table.next(now) ?? null
  const last = runs.at(-1)
  return {
    runs,
    change: {
      id,
      nextRunAt: next,
      updatedAt: now,
      recent: runs.reduce((recent, row) => withRecent({ recent }, row), job.recent),
      ...(last?.state === 'skipped' ? { lastStatus: 'skipped' as const, lastError: last.error } : {}),
      ...(next === null && !job.once ? { enabled: false } : {}),
    },
  }
}
