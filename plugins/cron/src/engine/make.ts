// Jobs and runs as they are when they are new.
import { WireError } from '@mynah/contract'
import { newId } from '@mynah/plugin-database/api'
import type { JobTrigger } from '@mynah/contract/types'
import type { Creator, NewJob } from '../api.js'
import { neverComes, timetable } from '../schedule/next.js'
import type { StoredJob, StoredRun } from '../store/types.js'

/** A job of today. Throws `invalid_request` where it could never run. */
export function newJob(job: NewJob, now: number, zone: string | undefined): StoredJob {
  checkFor(job.action, job.creator)
  const { lastRunAt, lastStatus, lastError, retryCount } = job.state ?? {}
  return {
    id: job.id ?? newId(),
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
    group_key: job.group ?? null,
    next_run_at: firstRun(job.trigger, now, zone),
    last_run_at: lastRunAt ?? null,
    last_status: lastStatus ?? null,
    last_error: lastError ?? null,
    retry_count: retryCount ?? 0,
    failures: 0,
    recent: [],
    created_at: job.createdAt ?? now,
    updated_at: now,
  }
}

/** A run that waits. */
export function newRun(job: string, slot: string, now: number, id = newId()): StoredRun {
  return {
    id,
    job_id: job,
    slot,
    state: 'queued',
    stage: 'action',
    attempt: 1,
    not_before: null,
    node: null,
    error: null,
    result: null,
    turn_id: null,
    created_at: now,
    started_at: null,
    finished_at: null,
  }
}

/** Throws where whoever made a job may not have it do this. */
export function checkFor(action: NewJob['action'], creator: Creator): void {
  if (creator.kind === 'event' && action.kind === 'handler')
    throw new WireError('invalid_request', 'What comes from outside may not run a handler', {
      details: [{ path: 'action.kind', message: 'must be agent' }],
    })
}

/** When a trigger comes first. Throws where a schedule never does. */
export function firstRun(trigger: JobTrigger, now: number, zone: string | undefined): number | null {
  if (trigger.kind !== 'schedule') return null
  const { schedule } = trigger
  const next = timetable(schedule, zone).next(now)
  if (next !== undefined) return next
  // A time that has passed is due at once.
  if ('at' in schedule) return schedule.at
  throw neverComes(schedule.cron)
}

/** A job for once as it is held while it waits: what came with it stays in the store. */
export function light(job: StoredJob): StoredJob {
  if (!job.once || job.trigger.kind !== 'event') return job
  const { payload, ...trigger } = job.trigger
  return payload === undefined ? job : { ...job, trigger }
}

/** What is different, with the id. */
export function changesOf(before: StoredJob, after: StoredJob): Partial<StoredJob> & { readonly id: string } {
  const keys = (Object.keys(after) as (keyof StoredJob)[]).filter((key) => after[key] !== before[key])
  return { ...Object.fromEntries(keys.map((key) => [key, after[key]])), id: after.id }
}
