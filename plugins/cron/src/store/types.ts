import type { AssistantJob, JobAction, JobNotify, JobPolicy, JobRun, JobTrigger } from '@mynah/contract/types'
import { omitUndefined } from '@mynah/kernel/util'
import type { Creator } from '../api.js'

/** How a run or the last run of a job ended. */
export type EndState = NonNullable<AssistantJob['state']['lastStatus']>

/** A job as the engine and the stores hold it. Times are milliseconds since the epoch. */
export interface StoredJob {
  readonly id: string
  /** Number of changes of the row. A change is made only to the revision that it was computed from. */
  readonly revision: number
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
  readonly lastStatus: EndState | null
  readonly lastError: string | null
  /** Name of the host that has run it last, in a cluster. */
  readonly lastHost: string | null
  /** Attempts of the last run beyond the first. */
  readonly retryCount: number
  /** Consecutive failed slots. */
  readonly failures: number
  readonly recent: readonly { readonly slot: string; readonly state: JobRun['state'] }[]
  readonly createdAt: number
  readonly updatedAt: number
}

/** Messages of a run that have not been sent yet. */
export interface PendingNotice {
  /** Text for the channel of `notify`: the whole result, or how the run has ended. */
  readonly text?: string
  /** Text for the owner of the bot. */
  readonly owner?: string
}

/** One run of a job. Times are milliseconds since the epoch. */
export interface StoredRun {
  readonly id: string
  readonly jobId: string
  /** The due time, or the id of the event. Unique per job. */
  readonly slot: string
  readonly state: JobRun['state']
  /**
   * Progress of the run: its action is pending, its notice is pending, or it has ended. A notice in the state `running`
   * is the result, in another state it tells how the run ended.
   */
  readonly stage: 'action' | 'notice' | 'ended'
  readonly attempt: number
  /** Earliest start of the next attempt. */
  readonly notBefore: number | null
  /** Id of the engine that runs it. */
  readonly node: string | null
  /** Name of the host that has begun it last, in a cluster. */
  readonly host: string | null
  readonly error: string | null
  /** The result for people who look at the run, cut. */
  readonly result: string | null
  readonly notice: PendingNotice | null
  readonly turnId: string | null
  /** Digest of what its action was given. Null before it has begun, and in rows of versions that did not store it. */
  readonly input: string | null
  readonly createdAt: number
  readonly startedAt: number | null
  readonly finishedAt: number | null
}

/** Identifies a state of a job's row. */
export type JobVersion = Pick<StoredJob, 'id' | 'revision'>
/** Identifies a state of a run's row. */
export type RunVersion = Pick<StoredRun, 'id' | 'state' | 'stage' | 'attempt' | 'node'>
export type JobFields = Partial<Omit<StoredJob, 'id' | 'revision'>>
export type RunFields = Partial<Omit<StoredRun, 'id' | 'jobId' | 'slot'>>

/** A change of a job that is made only while its row has the revision of `from`. */
export interface JobChange {
  readonly from: JobVersion
  readonly to: JobFields
}
/** A change of a run that is made only while its row has the state, stage, attempt and node of `from`. */
export interface RunChange {
  readonly from: RunVersion
  readonly to: RunFields
}

/** Changes that are committed together, or not at all. */
export interface JobWrite {
  /** New jobs, whose ids must be free. */
  readonly jobs?: readonly StoredJob[]
  readonly changes?: readonly JobChange[]
  /** Jobs to delete, while they have these revisions. Their runs are kept. */
  readonly removed?: readonly JobVersion[]
  readonly runs?: readonly RunChange[]
  /** New runs that are left out where their slot is taken. */
  readonly added?: readonly StoredRun[]
  /** Changed runs to publish as `job:run` events. Added runs are published as well. */
  readonly events?: readonly StoredRun[]
}

/** Runs for slots of one job. */
export interface Claim {
  readonly runs: readonly StoredRun[]
  /** A condition for the claim. */
  readonly change?: JobChange
  /** A new job, added with its first run. */
  readonly job?: StoredJob
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

/**
 * Stores jobs and runs. Each method is one commit. Changes are conditions: a row that is not as the caller has seen it
 * stays as it is, and the result says so.
 */
export interface JobStore {
  readonly durable: boolean
  /** Returns a page of jobs ordered by id, starting after the given id. */
  jobs(after: string | undefined, limit: number): Promise<readonly StoredJob[]>
  job(id: string): Promise<StoredJob | undefined>
  /**
   * Adds the runs whose slot is free. A claim whose `change` does not hold adds nothing; the other claims are made.
   *
   * @returns for each claim whether its runs were added, or `undefined` where its job has changed
   */
  claim(claims: readonly Claim[]): Promise<readonly (readonly boolean[] | undefined)[]>
  /** Returns false, without any change, when a row has changed since. */
  write(change: JobWrite): Promise<boolean>
  run(id: string): Promise<StoredRun | undefined>
  findRun(job: string, slot: string): Promise<StoredRun | undefined>
  /** Returns runs of a job, newest first. */
  runs(job: string, page: RunPage): Promise<readonly StoredRun[]>
  /** Returns runs that have not ended, oldest first. */
  openRuns(): Promise<readonly StoredRun[]>
  /** Returns the greatest id of a run. */
  lastRunId(): Promise<string | undefined>
  /**
   * Deletes runs that a clock ahead of `now` has recorded as skipped, for slots that are still to come.
   *
   * @returns the deleted runs
   */
  dropSkippedAhead(now: number): Promise<readonly StoredRun[]>
  prune(limits: PruneLimits): Promise<void>
}

/** Whether a clock ahead of `now` has recorded this run as skipped, for a slot that is still to come. */
export function isSkippedAhead({ state, slot, startedAt, createdAt }: StoredRun, now: number): boolean {
  return state === 'skipped' && startedAt === null && createdAt > now && /^\d+$/.test(slot) && Number(slot) > now
}

/** Whether a row is in the state that a version names. */
export const isVersion = (run: StoredRun, { state, stage, attempt, node }: RunVersion): boolean =>
  run.state === state && run.stage === stage && run.attempt === attempt && run.node === node

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
    host: optional(run.host),
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
      lastHost: optional(job.lastHost),
      retryCount: job.retryCount || undefined,
    }),
    createdAt,
    nextRun: enabled ? optional(job.nextRunAt) : undefined,
    recent: [...recent],
    failures,
  })
}
