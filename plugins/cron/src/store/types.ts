// A job and a run as they are stored, and the port behind which they are kept.
import type { AssistantJob, JobAction, JobNotify, JobPolicy, JobRun, JobTrigger } from '@mynah/contract/types'
import type { Creator } from '../api.js'

export interface StoredJob {
  readonly id: string
  readonly label: string | null
  readonly enabled: boolean
  /** Why it does not run, where a person did not say so. */
  readonly paused: string | null
  readonly trigger: JobTrigger
  readonly action: JobAction
  readonly notify: JobNotify
  readonly policy: JobPolicy | null
  readonly missed: 'once' | 'skip' | null
  readonly creator: Creator
  readonly once: boolean
  readonly group_key: string | null
  /** Milliseconds since the epoch; null while it has none. */
  readonly next_run_at: number | null
  readonly last_run_at: number | null
  readonly last_status: NonNullable<AssistantJob['state']['lastStatus']> | null
  readonly last_error: string | null
  /** Attempts of the last run beyond the first. */
  readonly retry_count: number
  /** Failed slots in a row. */
  readonly failures: number
  readonly recent: readonly { readonly slot: string; readonly state: JobRun['state'] }[]
  readonly created_at: number
  readonly updated_at: number
}

export interface StoredRun {
  readonly id: string
  readonly job_id: string
  /** What it is for; one run a job and slot. */
  readonly slot: string
  readonly state: JobRun['state']
  /** What a run that has not ended is about: the action, or telling what it came to. */
  readonly stage: 'action' | 'notice' | 'ended'
  readonly attempt: number
  /** An attempt does not begin before; null where it may at once. */
  readonly not_before: number | null
  readonly node: string | null
  readonly error: string | null
  readonly result: string | null
  readonly turn_id: string | null
  readonly created_at: number
  readonly started_at: number | null
  readonly finished_at: number | null
}

/** What is written together, all or none. */
export interface Change {
  /** Jobs that are new; one whose id is taken is left as it is. */
  readonly jobs?: readonly StoredJob[]
  readonly changes?: readonly (Partial<StoredJob> & { readonly id: string })[]
  /** Runs that are known to exist. */
  readonly runs?: readonly (Partial<StoredRun> & { readonly id: string })[]
  readonly events?: readonly StoredRun[]
  /** Ids of jobs that go; their runs stay. */
  readonly removed?: readonly string[]
}

/** Runs of a job that are kept. */
export const MAX_KEPT = 200
/** Runs of all jobs that are kept in memory. */
export const MAX_IN_MEMORY = 10_000
/** Days that a run is kept. */
export const KEPT_DAYS = 90

/** Slots of events that ran a registered job begin with this. */
export const EVENT_SLOT = 'event:'

/** What may go: ended runs that are older than `before`, and those of `jobs` beyond the newest `keep`. */
export interface Prune {
  readonly before: number
  readonly keep: number
  readonly jobs: readonly string[]
  /** Runs of events since then stay, however many: they are what tells a repeated event. */
  readonly eventsSince: number
}

export interface RunPage {
  readonly limit: number
  readonly before?: string
}

/** Keeps jobs and runs. A method is one commit. */
export interface JobStore {
  readonly durable: boolean
  /** Jobs by id, those after one: a page, since a host may have thousands. */
  jobs(after: string | undefined, limit: number): Promise<readonly StoredJob[]>
  job(id: string): Promise<StoredJob | undefined>
  /** Adds runs whose slot is not taken, and changes jobs with it; says of each run whether it was added. */
  take(runs: readonly StoredRun[], change?: Change): Promise<readonly boolean[]>
  write(change: Change): Promise<void>
  run(id: string): Promise<StoredRun | undefined>
  runOf(job: string, slot: string): Promise<StoredRun | undefined>
  /** Newest first. */
  runs(job: string, page: RunPage): Promise<readonly StoredRun[]>
  /** Runs that have not ended, oldest first. */
  open(): Promise<readonly StoredRun[]>
  prune(what: Prune): Promise<void>
}

/** A run as clients see it. */
export function runView(run: StoredRun): JobRun {
  return {
    id: run.id,
    jobId: run.job_id,
    slot: run.slot,
    state: run.state,
    attempt: run.attempt,
    ...(run.started_at === null ? {} : { startedAt: run.started_at }),
    ...(run.finished_at === null ? {} : { finishedAt: run.finished_at }),
    ...(run.error === null ? {} : { error: run.error }),
    ...(run.result === null ? {} : { result: run.result }),
    ...(run.turn_id === null ? {} : { turnId: run.turn_id }),
  }
}

/** A job as clients see it. */
export function jobView(job: StoredJob): AssistantJob {
  return {
    id: job.id,
    ...(job.label === null ? {} : { label: job.label }),
    enabled: job.enabled,
    trigger: job.trigger,
    action: job.action,
    notify: job.notify,
    ...(job.policy === null ? {} : { policy: job.policy }),
    state: {
      ...(job.last_run_at === null ? {} : { lastRunAt: job.last_run_at }),
      ...(job.last_status === null ? {} : { lastStatus: job.last_status }),
      ...(job.last_error === null ? {} : { lastError: job.last_error }),
      ...(job.retry_count ? { retryCount: job.retry_count } : {}),
    },
    createdAt: job.created_at,
    ...(job.next_run_at === null || !job.enabled ? {} : { nextRun: job.next_run_at }),
    recent: [...job.recent],
    failures: job.failures,
  }
}
