import type { AssistantJob, JobAction, JobNotify, JobPolicy, JobRun, JobTrigger } from '@mynah/contract/types'
import { omitUndefined } from '@mynah/kernel/util'
import type { Creator } from '../api.js'

/** A job as the engine and the stores hold it. Times are milliseconds since the epoch. */
export interface StoredJob {
  readonly id: string
  readonly label: string | null
  readonly enabled: boolean
  /** Why the engine paused the job. Null when it runs, or when a person disabled it. */
  readonly paused: string | null
  readonly trigger: JobTrigger
  readonly action: JobAction
  readonly notify: JobNotify
  readonly policy: JobPolicy | null
  readonly missed: 'once' | 'skip' | null
  readonly creator: Creator
  readonly once: boolean
  /** A new job of the same group replaces the pending one. */
  readonly groupKey: string | null
  readonly nextRunAt: number | null
  readonly lastRunAt: number | null
  readonly lastStatus: NonNullable<AssistantJob['state']['lastStatus']> | null
  readonly lastError: string | null
  /** Attempts of the last run beyond the first. */
  readonly retryCount: number
  /** Consecutive failed slots. */
  readonly failures: number
  readonly recent: readonly { readonly slot: string; readonly state: JobRun['state'] }[]
  readonly createdAt: number
  readonly updatedAt: number
}

/** One run of a job. Times are milliseconds since the epoch. */
export interface StoredRun {
  readonly id: string
  readonly jobId: string
  /** The due time, or the id of the event. Unique per job. */
  readonly slot: string
  readonly state: JobRun['state']
  /** Progress of the run: its action is pending, its notice is pending, or it has ended. */
  readonly stage: 'action' | 'notice' | 'ended'
  readonly attempt: number
  /** Earliest start of the next attempt. */
  readonly notBefore: number | null
  /** Id of the engine that ran it. */
  readonly node: string | null
  readonly error: string | null
  readonly result: string | null
  readonly turnId: string | null
  readonly createdAt: number
  readonly startedAt: number | null
  readonly finishedAt: number | null
}

export type JobChange = Partial<StoredJob> & { readonly id: string }
export type RunChange = Partial<StoredRun> & { readonly id: string }

/** Changes that are committed together. */
export interface JobWrite {
  /** New jobs. A job whose id exists is left unchanged. */
  readonly jobs?: readonly StoredJob[]
  readonly changes?: readonly JobChange[]
  /** Changes of existing runs. */
  readonly runs?: readonly RunChange[]
  /** Runs to publish as `job:run` events. */
  readonly events?: readonly StoredRun[]
  /** Ids of jobs to delete. Their runs are kept. */
  readonly removed?: readonly string[]
}

/** Runs that are kept for each job. */
export const MAX_RUNS_PER_JOB = 200
/** Runs of all jobs that the memory store keeps. */
export const MAX_RUNS_IN_MEMORY = 10_000
/** Days that a run is kept. */
export const RETENTION_DAYS = 90

/** Prefix of the slots of events that ran a registered job. */
export const EVENT_SLOT_PREFIX = 'event:'

/** Selects ended runs older than `before`, and the runs of `jobs` beyond the newest `keep`. */
export interface PruneLimits {
  readonly before: number
  readonly keep: number
  readonly jobs: readonly string[]
  /** Event runs since then are kept regardless of `keep`, because they identify repeated events. */
  readonly eventsSince: number
}

export interface RunPage {
  readonly limit: number
  readonly before?: string
}

/** Stores jobs and runs. Each method is one commit. */
export interface JobStore {
  readonly durable: boolean
  /** Returns a page of jobs ordered by id, starting after the given id. */
  jobs(after: string | undefined, limit: number): Promise<readonly StoredJob[]>
  job(id: string): Promise<StoredJob | undefined>
  /**
   * Adds the runs whose slot is free, and applies `change` in the same commit.
   *
   * @returns for each run, whether it was added
   */
  claim(runs: readonly StoredRun[], change?: JobWrite): Promise<readonly boolean[]>
  write(change: JobWrite): Promise<void>
  run(id: string): Promise<StoredRun | undefined>
  findRun(job: string, slot: string): Promise<StoredRun | undefined>
  /** Returns runs of a job, newest first. */
  runs(job: string, page: RunPage): Promise<readonly StoredRun[]>
  /** Returns runs that have not ended, oldest first. */
  openRuns(): Promise<readonly StoredRun[]>
  prune(limits: PruneLimits): Promise<void>
}

const optional = <T>(value: T | null): T | undefined => value ?? undefined

/** Maps a run to its wire form. */
export function runView(run: StoredRun): JobRun {
  const { id, jobId, slot, state, attempt } = run
  return omitUndefined({
    id,
    jobId,
    slot,
    state,
    attempt,
    startedAt: optional(run.startedAt),
    finishedAt: optional(run.finishedAt),
    error: optional(run.error),
    result: optional(run.result),
    turnId: optional(run.turnId),
  })
}

/** Maps a job to its wire form. */
export function jobView(job: StoredJob): AssistantJob {
  const { id, enabled, trigger, action, notify, createdAt, recent, failures } = job
  return omitUndefined({
    id,
    label: optional(job.label),
    enabled,
    trigger,
    action,
    notify,
    policy: optional(job.policy),
    state: omitUndefined({
      lastRunAt: optional(job.lastRunAt),
      lastStatus: optional(job.lastStatus),
      lastError: optional(job.lastError),
      retryCount: job.retryCount || undefined,
    }),
    createdAt,
    nextRun: enabled ? optional(job.nextRunAt) : undefined,
    recent: [...recent],
    failures,
  })
}
