import { WireError } from '@mynah/contract'
import { newId } from '@mynah/database-api'
import type { JobTrigger } from '@mynah/contract/types'
import type { Creator, NewJob } from '../api.js'
import { noNextRun, timetable } from '../schedule/timetable.js'
import type { StoredJob, StoredRun } from '../store/types.js'

/**
 * Creates the stored form of a new job.
 *
 * @throws WireError `invalid_request` when it can never run
 */
export function newJob(job: NewJob, now: number, zone: string | undefined): StoredJob {
  checkCreator(job.action, job.creator)
  const { lastRunAt, lastStatus, lastError, retryCount } = job.state ?? {}
  return {
    id: job.id ?? newId(),
    revision: 0,
    label: job.label ?? null,
    enabled: job.enabled ?? true,
    paused: null,
    trigger: job.trigger,
    action: job.action,
    notify: job.notify,
    policy: job.policy ?? null,
    missed: job.missed ?? null,
    creator: job.creator,
    once: job.once ?? false,
    groupKey: job.group ?? null,
    nextRunAt: firstRun(job.trigger, now, zone),
    lastRunAt: lastRunAt ?? null,
    lastStatus: lastStatus ?? null,
    lastError: lastError ?? null,
    lastHost: null,
    retryCount: retryCount ?? 0,
    failures: 0,
    recent: [],
    createdAt: job.createdAt ?? now,
    updatedAt: now,
  }
}

/** Creates a queued run. `node` is the engine that runs it. */
export function newRun(job: string, slot: string, now: number, node: string | null, id = newId()): StoredRun {
  return {
    id,
    jobId: job,
    slot,
    state: 'queued',
    stage: 'action',
    attempt: 1,
    notBefore: null,
    node,
    host: null,
    error: null,
    result: null,
    notice: null,
    turnId: null,
    input: null,
    createdAt: now,
    startedAt: null,
    finishedAt: null,
  }
}

/** Creates a run that ends without having begun. */
export const skippedRun = (run: StoredRun, reason: string): StoredRun => ({
  ...run,
  state: 'skipped',
  stage: 'ended',
  error: reason,
  finishedAt: run.createdAt,
})

/** Creates the run of a pending job that a newer one of its group replaces. */
export const cancelledRun = ({ id, nextRunAt }: StoredJob, now: number, node: string): StoredRun =>
  skippedRun(newRun(id, String(nextRunAt ?? now), now, node), 'cancelled: a newer one took its place')

/** Throws when the creator of a job may not use its action. */
export function checkCreator(action: NewJob['action'], creator: Creator): void {
  if (creator.kind === 'event' && action.kind === 'handler')
    throw new WireError('invalid_request', 'Events from outside may not run a handler', {
      details: [{ path: 'action.kind', message: 'must be agent' }],
    })
}

/**
 * Returns the first run of a trigger, or null for triggers without a schedule.
 *
 * @throws WireError `invalid_request` when the schedule has no next run
 */
export function firstRun(trigger: JobTrigger, now: number, zone: string | undefined): number | null {
  if (trigger.kind !== 'schedule') return null
  const { schedule } = trigger
  const next = timetable(schedule, zone).next(now)
  if (next !== undefined) return next
  // A time in the past is due immediately.
  if ('at' in schedule) return schedule.at
  throw noNextRun(schedule.cron)
}

/** Returns a one-time event job without its payload, which the engine reads from the store when the job runs. */
export function withoutPayload(job: StoredJob): StoredJob {
  if (!job.once || job.trigger.kind !== 'event') return job
  const { payload, ...trigger } = job.trigger
  return payload === undefined ? job : { ...job, trigger }
}
