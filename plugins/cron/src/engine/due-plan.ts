import type { Timetable } from '../schedule/timetable.js'
import type { JobFields, StoredJob, StoredRun } from '../store/types.js'
import { newRun, skippedRun } from './job-factory.js'
import { withRecent } from './outcome.js'
import { dueSlots } from './due-slots.js'

/** The runs to add for a due job, and how the job changes. */
export interface DuePlan {
  readonly job: StoredJob
  readonly runs: readonly StoredRun[]
  readonly to: JobFields
}

/** The circumstances of a plan. */
export interface DueMoment {
  readonly now: number
  /** A busy job skips its slot, because runs of a job never overlap. */
  readonly isBusy: boolean
  /** Id of the engine. */
  readonly node: string
}

/** Plans the runs of a job that was due at `due`. */
export function planDue(job: StoredJob, table: Timetable, due: number, { now, isBusy, node }: DueMoment): DuePlan {
  const { id, missed } = job
  const { run, skipped } = dueSlots(table, due, now, missed)
  const planned = (slot: number): StoredRun => newRun(id, String(slot), now, node)
  const runs = skipped.map(({ slot, reason }) => skippedRun(planned(slot), reason))
  if (run !== undefined)
    runs.push(isBusy ? skippedRun(planned(run), 'overlap: the previous run has not ended') : planned(run))
  const next = table.next(now) ?? null
  const last = runs.at(-1)
  return {
    job,
    runs,
    to: {
      nextRunAt: next,
      updatedAt: now,
      recent: runs.reduce((recent, row) => withRecent({ recent }, row), job.recent),
      ...(last?.state === 'skipped' ? { lastStatus: 'skipped' as const, lastError: last.error } : {}),
      ...(next === null && !job.once ? { enabled: false } : {}),
    },
  }
}
