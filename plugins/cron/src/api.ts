import { hook, point, service, type Logger, type Service } from '@mynah/kernel'
import type { AssistantJob, Channel, JobAction, JobNotify, JobPolicy, JobTrigger } from '@mynah/contract/types'

export type {
  AssistantJob,
  JobAction,
  JobNotify,
  JobPolicy,
  JobRun,
  JobSchedule,
  JobTrigger,
} from '@mynah/contract/types'

/** A periodic task of a plugin. It is not stored, exists while its plugin runs, and is listed under `memory`. */
export interface MemoryTask {
  /** Unique in the host. Use the plugin's name as a prefix. */
  readonly id: string
  readonly expression: string
  /** IANA name; default `cron.timezone`, else the zone of the host. */
  readonly timezone?: string
  readonly description?: string
  /** Runs at each slot and never overlaps itself. Errors are reported as failures of the plugin. */
  run(signal: AbortSignal): void | Promise<void>
}
/** The point for periodic tasks of plugins. */
export const memoryTasks = point<MemoryTask>({
  id: 'cron.memory-tasks',
  key: (task) => task.id,
  describe: ({ id, description }) => ({ name: id, ...(description ? { description } : {}) }),
})

/** The creator of a job. Each run has the roles that the creator has at the time of the run. */
export type Creator =
  /** A user of a chat. */
  | {
      readonly kind: 'chat'
      readonly adapter: string
      readonly endpoint: string
      readonly channel: Channel
      readonly user: string
    }
  /** A client with a token of full scope. Runs as master. */
  | { readonly kind: 'console' }
  /** An event from outside. Runs as user. */
  | { readonly kind: 'event'; readonly source: string }
  /** The host itself, on behalf of its owner. Runs as master. */
  | { readonly kind: 'host' }

/** The context of one attempt of a run. */
export interface JobCall {
  readonly jobId: string
  /** Label of the job, or the beginning of its prompt. */
  readonly name: string
  readonly runId: string
  readonly creator: Creator
  readonly trigger: JobTrigger
  readonly notify: JobNotify
  /** The chat that results go to. `undefined` for results that go elsewhere. */
  readonly channel?: Channel
  readonly roles: ReadonlySet<string>
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /**
   * Aborts when the attempt takes longer than its limit, when the job is paused or removed, and when the host or the
   * plugin of the action stops. The run ends at that moment, whether or not the action heeds the signal.
   */
  readonly signal: AbortSignal
  readonly log: Logger
  /**
   * Marks the run as waiting for a person. A waiting run does not count towards `cron.concurrency`, and its limit of
   * time starts again when it goes on.
   */
  setWaiting(isWaiting: boolean): void
}

/** The result of an action. */
export interface JobResult {
  /** Text of the notice. Without it no notice is sent. */
  readonly text?: string
  /** Id of the agent's turn. */
  readonly turnId?: string
}

/** Thrown by an action to skip the run. The message becomes the reason. */
export class SkipJob extends Error {
  override readonly name = 'SkipJob'
}

/**
 * Executes actions of one kind. Transient failures are retried after 30 s and 5 min with the same `runId`, so that the
 * action can continue: a `ModelError` caused by the network, rate limits or overload, a `WireError` `not_ready`,
 * `rate_limited` or `upstream_unavailable`, and failed connections.
 */
export interface JobActionKind<A extends JobAction = JobAction> {
  readonly kind: A['kind']
  /** Returns the longest work of an attempt in milliseconds, 0 for no limit; default `cron.runTimeout`. */
  timeoutMs?(action: A): number | undefined
  run(action: A, call: JobCall): Promise<JobResult>
}
/** The point for kinds of actions of jobs. */
export const jobActions = point<JobActionKind>({ id: 'cron.job-actions', key: ({ kind }) => kind })

/** A function that jobs with a `handler` action run by name. */
export interface JobHandler {
  /** Unique in the host. Use the plugin's name as a prefix. */
  readonly name: string
  readonly description?: string
  /** Longest work of an attempt in milliseconds, 0 for no limit; default `cron.runTimeout`. */
  readonly timeoutMs?: number
  /** Throws when `args` are invalid. Called before a job with them is stored. */
  check?(args: unknown): void
  run(args: unknown, call: JobCall): JobResult | string | void | Promise<JobResult | string | void>
}
/** The point for functions that jobs run by name. */
export const jobHandlers = point<JobHandler>({
  id: 'cron.job-handlers',
  key: ({ name }) => name,
  describe: ({ name, description }) => ({ name, ...(description ? { description } : {}) }),
})

/** A message about a run, such as its result. */
export interface Notice {
  readonly jobId: string
  readonly runId: string
  readonly label: string
  readonly text: string
  /** Present where the text is an answer of the agent, which is Markdown. */
  readonly format?: 'markdown'
  /** Idempotency key, the same for each attempt to send the notice. */
  readonly key: string
  readonly signal: AbortSignal
  readonly log: Logger
}

/**
 * Thrown by a notifier whose message waits, such as for an account that is offline. The notifier is asked again with
 * the same key until it knows the outcome.
 */
export class NoticeWaits extends Error {
  override readonly name = 'NoticeWaits'
}

/** Delivers notices of one channel of `notify`. */
export interface JobNotifier<N extends JobNotify = JobNotify> {
  readonly channel: N['channel']
  /** Resolves when the notice has arrived, as far as the channel can tell. A run is `ok` only then. */
  send(notify: N, notice: Notice): Promise<void>
}
/** The point for ways to deliver the results of jobs. */
export const jobNotifiers = point<JobNotifier>({ id: 'cron.job-notifiers', key: ({ channel }) => channel })

/** Types an action by its kind. */
export const jobAction = <K extends JobAction['kind']>(
  kind: JobActionKind<Extract<JobAction, { kind: K }>>,
): JobActionKind => kind as unknown as JobActionKind
/** Types a notifier by its channel. */
export const jobNotifier = <C extends JobNotify['channel']>(
  notifier: JobNotifier<Extract<JobNotify, { channel: C }>>,
): JobNotifier => notifier as unknown as JobNotifier

/** A job to add. */
export interface NewJob {
  /** Generated by default. */
  readonly id?: string
  readonly label?: string
  readonly enabled?: boolean
  readonly trigger: JobTrigger
  readonly action: JobAction
  readonly notify: JobNotify
  readonly policy?: JobPolicy
  readonly missed?: 'once' | 'skip'
  readonly creator: Creator
  /** Removes the job after its run. */
  readonly once?: boolean
  /** Cancels pending jobs of the same group in the same commit. */
  readonly group?: string
  /** Creation time and state of an imported job; default now and empty. */
  readonly createdAt?: number
  readonly state?: AssistantJob['state']
}

/** Changes of a job. `null` removes an optional field. */
export interface JobChanges {
  readonly label?: string | null
  readonly trigger?: JobTrigger
  readonly action?: JobAction
  readonly notify?: JobNotify
  readonly policy?: JobPolicy | null
  readonly missed?: 'once' | 'skip' | null
}

/** An accepted run. */
export interface AcceptedRun {
  readonly runId: string
  /** The slot or event already had this run. */
  readonly isDuplicate: boolean
}

/** Selects a page of jobs. */
export interface JobListOptions {
  readonly limit?: number
  /** Id before which the page starts. */
  readonly before?: string
}

/** How a job is removed. */
export interface JobRemoval {
  /** Lets an active run end, such as the one that removes its own job. */
  readonly keepsActiveRun?: boolean
}

/** How a job is run. */
export interface JobRunOptions {
  /** Runs once. */
  readonly slot?: string
  /** Runs once in 24 hours. */
  readonly eventId?: string
  /** Also runs a paused job. */
  readonly evenPaused?: boolean
}

/** Runs everything that is not an answer to a message. */
export interface Jobs {
  /** Whether jobs survive a restart of the host. */
  readonly durable: boolean
  /**
   * Adds a job. Resolves when it is stored.
   *
   * @throws WireError `invalid_request` when it can never run, `conflict` when its id exists
   */
  add(job: NewJob): Promise<AssistantJob>
  /** @throws WireError `invalid_request` when a job can never run */
  check(job: NewJob): void
  /** Adds all of the jobs or none of them. A job whose id exists is left unchanged. */
  addAll(jobs: readonly NewJob[]): Promise<void>
  /** Changes a job. A function computes the changes from the job as it is, and may be called again. */
  update(id: string, changes: JobChanges | ((job: AssistantJob) => JobChanges)): Promise<AssistantJob>
  /** Removes a job, keeps its runs and stops active ones. Returns false when there is no such job. */
  remove(id: string, options?: JobRemoval): Promise<boolean>
  /** Pauses or resumes a job. A pause stops its active run. */
  setEnabled(id: string, enabled: boolean): Promise<AssistantJob>
  get(id: string): AssistantJob | undefined
  creatorOf(id: string): Creator | undefined
  /** Returns jobs, newest first. */
  list(options?: JobListOptions): readonly AssistantJob[]
  /**
   * Runs a job now, independently of its schedule. Resolves when the run is stored.
   *
   * @throws WireError `not_found`, or `conflict` for a paused job unless `evenPaused` is set
   */
  run(id: string, options?: JobRunOptions): Promise<AcceptedRun>
  /** Adds a one-time job and its run in one commit. A slot of the last 24 hours returns its run. */
  runOnce(job: NewJob, slot: string, key: string): Promise<AcceptedRun & { readonly jobId: string }>
}
export const Jobs: Service<Jobs> = service<Jobs>('jobs', { plugin: 'cron' })

/** Emitted after a job was added, changed or removed. Runs do not emit it. */
export const jobsChanged = hook<{ readonly id: string }>('cron.jobs-changed')

/** The notify of jobs that are added without one. */
export interface NotifyDefault {
  readonly name: string
  notify(): JobNotify | undefined
}
/** The point for the notify of jobs that are added without one. */
export const notifyDefaults = point<NotifyDefault>({ id: 'cron.notify-defaults', key: ({ name }) => name })

/** The file of the heartbeat, contributed by the plugin that owns the bot's files. */
export interface HeartbeatFile {
  readonly name: string
  /** Returns the text of the file, or `undefined` when it does not exist. */
  read(): Promise<string | undefined>
}
/** The point for the file of the heartbeat. */
export const heartbeatFiles = point<HeartbeatFile>({ id: 'cron.heartbeat-files', key: ({ name }) => name })

/** Settings of the heartbeat that differ from the defaults. */
export interface HeartbeatSettings {
  readonly name: string
  readonly everyMs?: number
  /** Times of day in the zone of the host, `HH:MM`. The heartbeat pauses outside of them. */
  readonly activeHours?: readonly [from: string, to: string]
  readonly agent?: string
  readonly notify?: JobNotify
}
/** The point for settings of the heartbeat. */
export const heartbeatSettings = point<HeartbeatSettings>({ id: 'cron.heartbeat-settings', key: ({ name }) => name })
export { channelOf, normalizedNotify, notifyTo } from './notify/normalize.js'
