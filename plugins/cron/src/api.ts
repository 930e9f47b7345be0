// What other plugins may know of jobs: the service, the points for tasks of their own, for actions and for notifiers.
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

/** A plugin's own task: not stored, there while its plugin runs, and in the list of tasks as a row of `memory`. */
export interface MemoryTask {
  /** Unique in the host; begin it with the plugin's name. */
  readonly id: string
  readonly expression: string
  /** Default `cron.timezone`, else the host's. */
  readonly timezone?: string
  readonly description?: string
  /** Runs at each slot, never beside itself; what it throws is its plugin's failure. */
  run(signal: AbortSignal): void | Promise<void>
}
export const memoryTasks = point<MemoryTask>({
  id: 'cron.memory-tasks',
  key: (task) => task.id,
  describe: ({ id, description }) => ({ name: id, ...(description ? { description } : {}) }),
})

/** Who made a job; the roles of its runs follow from it, as they are at the time of the run. */
export type Creator =
  /** A person in a chat. */
  | {
      readonly kind: 'chat'
      readonly adapter: string
      readonly endpoint: string
      readonly channel: Channel
      readonly user: string
    }
  /** A holder of a token of full scope: a master. */
  | { readonly kind: 'console' }
  /** An event from outside: a user, and no more. */
  | { readonly kind: 'event'; readonly source: string }
  /** The host itself, for its owner: a master. */
  | { readonly kind: 'host' }

/** What a run knows. */
export interface JobCall {
  readonly jobId: string
  readonly runId: string
  readonly creator: Creator
  readonly trigger: JobTrigger
  readonly notify: JobNotify
  readonly roles: ReadonlySet<string>
  /** 1 for the first. */
  readonly attempt: number
  /** Aborts when the host or the plugin of the action goes. */
  readonly signal: AbortSignal
  readonly log: Logger
  /** While it waits for a person the run holds no place among those that run at once. */
  waits(waiting: boolean): void
}

/** What an action came to. */
export interface JobResult {
  /** What is told where the job's results go; nothing is told without it. */
  readonly text?: string
  /** The turn of the agent that it was. */
  readonly turnId?: string
}

/** Thrown by an action that is not to run now: the run is `skipped`, with the message as its reason. */
export class SkipJob extends Error {
  override readonly name = 'SkipJob'
}

/**
 * What an action of a kind does. A failure is tried again (30 s, 5 min) where it may pass: a `ModelError` of network, rate,
 * overload and the like, a `WireError` `not_ready`, `rate_limited` or `upstream_unavailable`, a failed connection. With
 * the same `runId`, so that what was begun can go on.
 */
export interface JobActionKind<A extends JobAction = JobAction> {
  readonly kind: A['kind']
  run(action: A, call: JobCall): Promise<JobResult>
}
export const jobActions = point<JobActionKind>({ id: 'cron.job-actions', key: ({ kind }) => kind })

/** Something that jobs of kind `handler` run by its name. */
export interface JobHandler {
  /** Unique in the host; begin it with the plugin's name. */
  readonly name: string
  readonly description?: string
  /** Throws where `args` cannot be used, before a job with them is stored. */
  check?(args: unknown): void
  run(args: unknown, call: JobCall): JobResult | string | void | Promise<JobResult | string | void>
}
export const jobHandlers = point<JobHandler>({
  id: 'cron.job-handlers',
  key: ({ name }) => name,
  describe: ({ name, description }) => ({ name, ...(description ? { description } : {}) }),
})

/** A result on its way. */
export interface Notice {
  readonly jobId: string
  readonly runId: string
  readonly label: string
  readonly text: string
  /** The same when it is tried again. */
  readonly key: string
  readonly signal: AbortSignal
  readonly log: Logger
}

/** Delivers results of one channel of `notify`. */
export interface JobNotifier<N extends JobNotify = JobNotify> {
  readonly channel: N['channel']
  send(notify: N, notice: Notice): Promise<void>
}
export const jobNotifiers = point<JobNotifier>({ id: 'cron.job-notifiers', key: ({ channel }) => channel })

/** Binds an action kind, typed by its kind. */
export const jobAction = <K extends JobAction['kind']>(
  kind: JobActionKind<Extract<JobAction, { kind: K }>>,
): JobActionKind => kind as unknown as JobActionKind
/** Binds a notifier, typed by its channel. */
export const jobNotifier = <C extends JobNotify['channel']>(
  notifier: JobNotifier<Extract<JobNotify, { channel: C }>>,
): JobNotifier => notifier as unknown as JobNotifier

/** A job to be made. */
export interface NewJob {
  /** Made where it is not given; `conflict` where it is taken. */
  readonly id?: string
  readonly label?: string
  readonly enabled?: boolean
  readonly trigger: JobTrigger
  readonly action: JobAction
  readonly notify: JobNotify
  readonly policy?: JobPolicy
  readonly missed?: 'once' | 'skip'
  readonly creator: Creator
  /** Goes when its run has ended well; for what runs once. */
  readonly once?: boolean
  /** Pending jobs of the same group are cancelled by this one, in the same commit. */
  readonly group?: string
  /** When it was made and what it came to, where that was elsewhere; default now, and nothing yet. */
  readonly createdAt?: number
  readonly state?: AssistantJob['state']
}

/** What may change of a job; `null` takes an optional field away. */
export interface JobChanges {
  readonly label?: string | null
  readonly trigger?: JobTrigger
  readonly action?: JobAction
  readonly notify?: JobNotify
  readonly policy?: JobPolicy | null
  readonly missed?: 'once' | 'skip' | null
}

/** How a run was taken. */
export interface Accepted {
  readonly runId: string
  /** The slot was taken before: this is the run of then. */
  readonly isRepeated: boolean
}

/** The engine of everything that is not an answer to a message. */
export interface Jobs {
  /** Whether jobs survive a stop. */
  readonly durable: boolean
  /** Keeps a job; resolves when it is stored. Throws `invalid_request` for what can never run. */
  add(job: NewJob): Promise<AssistantJob>
  /** Throws `invalid_request` where a job could never run. */
  check(job: NewJob): void
  /** Keeps several, all of them or none; a job whose id is taken is left as it is. */
  addAll(jobs: readonly NewJob[]): Promise<void>
  update(id: string, changes: JobChanges): Promise<AssistantJob>
  /** False where there is none. What runs ends, its runs are kept. */
  remove(id: string): Promise<boolean>
  setEnabled(id: string, enabled: boolean): Promise<AssistantJob>
  get(id: string): AssistantJob | undefined
  creatorOf(id: string): Creator | undefined
  /** All, by id, which is the order in which they were made. */
  list(options?: { readonly limit?: number; readonly before?: string }): readonly AssistantJob[]
  /**
   * Runs a job now, beside its schedule; resolves when the run's row is stored. A `slot` runs once, an `eventId` once in 24
   * hours. Throws `not_found`, and `conflict` for a paused job where `evenPaused` is not set.
   */
  run(
    id: string,
    options?: { readonly slot?: string; readonly eventId?: string; readonly evenPaused?: boolean },
  ): Promise<Accepted>
  /** Keeps a job for once and its run, in one commit; a slot that was taken within 24 hours gives the run of then. */
  runOnce(job: NewJob, slot: string, key: string): Promise<Accepted & { readonly jobId: string }>
}
export const Jobs: Service<Jobs> = service<Jobs>('jobs')

/** Emitted after a job was added, changed by somebody, or removed. */
export const jobsChanged = hook<{ readonly id: string }>('cron.jobs-changed')

/** Where results go that nobody said anything about. */
export interface NotifyDefault {
  readonly name: string
  notify(): JobNotify | undefined
}
export const notifyDefaults = point<NotifyDefault>({ id: 'cron.notify-defaults', key: ({ name }) => name })

/** The file behind the heartbeat; contributed by whoever keeps the bot's files. */
export interface HeartbeatFile {
  readonly name: string
  /** The text of the file, or `undefined` where there is none. */
  read(): Promise<string | undefined>
}
export const heartbeatFiles = point<HeartbeatFile>({ id: 'cron.heartbeat-files', key: ({ name }) => name })

/** How the heartbeat beats, where it is not as by default. */
export interface HeartbeatSettings {
  readonly name: string
  readonly everyMs?: number
  /** Times of day on the clock of the host, `HH:MM`; outside of them nothing is asked. */
  readonly activeHours?: readonly [from: string, to: string]
  readonly agent?: string
  readonly notify?: JobNotify
}
export const heartbeatSettings = point<HeartbeatSettings>({ id: 'cron.heartbeat-settings', key: ({ name }) => name })
export { channelOf, normalizedNotify, notifyTo } from './notify/normalize.js'
