import { omitUndefined } from '@mynah/kernel/util'
import type { AssistantJob, CronTask } from '@mynah/contract/types'
import type { Engine } from './engine/engine.js'
import type { StoredJob } from './store/types.js'

/** A page of tasks, newest first, with the counts of all tasks. */
export interface TaskPage {
  readonly tasks: CronTask[]
  readonly total: number
  readonly matching: number
  readonly failed: number
  readonly paused: number
  readonly nextBefore: string | undefined
}

export interface TaskQuery {
  readonly limit: number
  readonly before: string | undefined
  readonly search: string | undefined
  readonly state: 'failed' | 'paused' | undefined
}

/** Returns whether a job is a task, with a cron schedule and an agent action. */
const isTask = ({ trigger, action }: Pick<StoredJob, 'trigger' | 'action'>): boolean =>
  trigger.kind === 'schedule' && 'cron' in trigger.schedule && action.kind === 'agent'

const hasFailed = ({ lastStatus }: StoredJob): boolean =>
  lastStatus === 'error' || lastStatus === 'undelivered' || lastStatus === 'interrupted'

function matches(job: StoredJob, needle: string, state: TaskQuery['state']): boolean {
  if (state === 'failed' && !hasFailed(job)) return false
  if (state === 'paused' && job.enabled) return false
  if (needle === '') return true
  const { action, trigger } = job
  const texts = [
    job.id,
    job.label ?? '',
    action.kind === 'agent' ? action.prompt : '',
    trigger.kind === 'schedule' && 'cron' in trigger.schedule ? trigger.schedule.cron : '',
  ]
  return texts.some((text) => text.toLowerCase().includes(needle))
}

interface CachedTask {
  readonly upcoming: readonly number[]
  readonly task: CronTask
}

/** Shows jobs as tasks. A task is computed again only when its job or its next runs have changed. */
export class TaskViews {
  readonly #engine: Engine
  readonly #cache = new WeakMap<AssistantJob, CachedTask>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Returns a page of tasks. Views are made for the page only. The other tasks are counted. */
  page(now: number, { limit, before, search = '', state }: TaskQuery): TaskPage {
    const { index } = this.#engine
    const needle = search.trim().toLowerCase()
    const tasks: CronTask[] = []
    let hasMore = false
    const counts = { total: 0, matching: 0, failed: 0, paused: 0 }
    for (const id of index.idsBefore(undefined)) {
      const job = index.get(id)
      if (!job || !isTask(job)) continue
      counts.total++
      if (hasFailed(job)) counts.failed++
      if (!job.enabled) counts.paused++
      if (!matches(job, needle, state)) continue
      counts.matching++
      if (before !== undefined && id >= before) continue
      const task = tasks.length < limit ? this.of(id, now) : undefined
      if (task) tasks.push(task)
      else hasMore = true
    }
    return { tasks, ...counts, nextBefore: hasMore ? tasks.at(-1)?.id : undefined }
  }

  /** Returns the task of a job, or `undefined` when the job is no task. */
  of(id: string, now: number): CronTask | undefined {
    const { index } = this.#engine
    const job = index.view(id)
    if (!job) return undefined
    const upcoming = index.upcoming(id, now)
    const cached = this.#cache.get(job)
    if (cached?.upcoming === upcoming) return cached.task
    const zone = index.timetableOf(id)?.zone ?? 'UTC'
    const task = taskView(job, upcoming, zone, index.get(id)?.missed ?? undefined)
    if (task) this.#cache.set(job, { upcoming, task })
    return task
  }
}

function taskView(
  { trigger, action, state, ...job }: AssistantJob,
  upcoming: readonly number[],
  zone: string,
  missed: CronTask['missed'],
): CronTask | undefined {
  if (trigger.kind !== 'schedule' || !('cron' in trigger.schedule) || action.kind !== 'agent') return undefined
  return omitUndefined({
    id: job.id,
    cronExpression: trigger.schedule.cron,
    prompt: action.prompt,
    label: job.label,
    enabled: job.enabled,
    notify: job.notify,
    createdAt: job.createdAt,
    timezone: zone,
    nextRun: job.nextRun,
    nextRuns: [...upcoming],
    lastRun: state.lastRunAt,
    lastStatus: state.lastStatus,
    lastError: state.lastError,
    recent: job.recent,
    failures: job.failures,
    agent: action.agent,
    binding: action.binding,
    missed,
    policy: job.policy,
  })
}
