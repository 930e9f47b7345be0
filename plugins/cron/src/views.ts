// How persistent tasks are told: jobs with a cron schedule and an agent action, flat.
import type { AssistantJob, CronTask } from '@mynah/contract/types'
import type { Engine } from './engine/engine.js'
import type { StoredJob } from './store/types.js'

/** Tasks of one answer, newest first, with what is counted of all. */
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

/** Whether a job is a task: what has a cron schedule and an agent action. */
const isTask = ({ trigger, action }: Pick<StoredJob, 'trigger' | 'action'>): boolean =>
  trigger.kind === 'schedule' && 'cron' in trigger.schedule && action.kind === 'agent'

const hasFailed = ({ last_status }: StoredJob): boolean => last_status === 'error' || last_status === 'interrupted'

/** Whether a task is one of those asked for. */
function matches(job: StoredJob, needle: string, state: TaskQuery['state']): boolean {
  if (state === 'failed' ? !hasFailed(job) : state === 'paused' && job.enabled) return false
  const { action, trigger } = job
  const texts = [
    job.id,
    job.label ?? '',
    action.kind === 'agent' ? action.prompt : '',
    trigger.kind === 'schedule' && 'cron' in trigger.schedule ? trigger.schedule.cron : '',
  ]
  return needle === '' || texts.some((text) => text.toLowerCase().includes(needle))
}

interface Kept {
  readonly job: AssistantJob
  readonly ahead: readonly number[]
  readonly task: CronTask
}

/** Rows as they were made, for as long as their job is the same. */
export class TaskViews {
  readonly #engine: Engine
  #kept = new WeakMap<AssistantJob, Kept>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Rows are made for the page alone; the others are only looked at and counted. */
  page(now: number, { limit, before, search = '', state }: TaskQuery): TaskPage {
    const { book } = this.#engine
    const needle = search.trim().toLowerCase()
    const tasks: CronTask[] = []
    let hasMore = false
    const counts = { total: 0, matching: 0, failed: 0, paused: 0 }
    for (const id of book.before(undefined)) {
      const job = book.get(id)
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

  /** Undefined for jobs of other kinds. */
  of(id: string, now: number): CronTask | undefined {
    const { book } = this.#engine
    const job = book.view(id)
    if (job?.trigger.kind !== 'schedule' || !('cron' in job.trigger.schedule) || job.action.kind !== 'agent')
      return undefined
    const ahead = book.ahead(id, now)
    const known = this.#kept.get(job)
    if (known?.ahead === ahead) return known.task
    const { schedule } = job.trigger
    const { prompt, agent, binding } = job.action
    const { lastRunAt, lastStatus, lastError } = job.state
    const missed = book.get(id)?.missed ?? undefined
    const task: CronTask = {
      id,
      cronExpression: schedule.cron,
      prompt,
      ...(job.label === undefined ? {} : { label: job.label }),
      enabled: job.enabled,
      notify: job.notify,
      createdAt: job.createdAt,
      timezone: book.tableOf(id)?.zone ?? 'UTC',
      ...(job.nextRun === undefined ? {} : { nextRun: job.nextRun }),
      nextRuns: [...ahead],
      ...(lastRunAt === undefined ? {} : { lastRun: lastRunAt }),
      ...(lastStatus === undefined ? {} : { lastStatus }),
      ...(lastError === undefined ? {} : { lastError }),
      recent: job.recent,
      failures: job.failures,
      ...(agent === undefined ? {} : { agent }),
      ...(binding === undefined ? {} : { binding }),
      ...(missed === undefined ? {} : { missed }),
      ...(job.policy === undefined ? {} : { policy: job.policy }),
    }
    this.#kept.set(job, { job, ahead, task })
    return task
  }
}
