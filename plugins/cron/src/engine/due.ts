// What it means for a job that its time has come: its rows, and how the job is afterwards.
import type { Timetable } from '../schedule/next.js'
import type { Change, StoredJob, StoredRun } from '../store/types.js'
import { newRun } from './make.js'
import { recentWith } from './runner.js'
import { slotsAt } from './slots.js'

/** A job whose slots have come. */
export interface Due {
  readonly rows: readonly StoredRun[]
  readonly change: NonNullable<Change['changes']>[number]
}

/** Judges the slots of a job that was due at `due`; one that runs still does not run beside itself. */
export function dueOf(job: StoredJob, table: Timetable, due: number, now: number, isBusy: boolean): Due {
  const { id, missed } = job
  const { run, skipped } = slotsAt(table, due, now, missed)
  const ended = (slot: number, reason: string): StoredRun => ({
    ...newRun(id, String(slot), now),
    state: 'skipped',
    stage: 'ended',
    error: reason,
    finished_at: now,
  })
  const rows = skipped.map(({ slot, reason }) => ended(slot, reason))
  if (run !== undefined)
    rows.push(isBusy ? ended(run, 'overlap: the run before has not ended') : newRun(id, String(run), now))
  const next = table.next(now) ?? null
  const last = rows.at(-1)
  return {
    rows,
    change: {
      id,
      next_run_at: next,
      updated_at: now,
      recent: rows.reduce((recent, row) => recentWith({ recent }, row), job.recent),
      ...(last?.state === 'skipped' ? { last_status: 'skipped' as const, last_error: last.error } : {}),
      ...(next === null && !job.once ? { enabled: false } : {}),
    },
  }
}
