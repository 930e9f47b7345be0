import { cron, jobs, WireError } from '@mynah/contract'
import type { AssistantJob, CronTask, JobAction, JobNotify, JobNotifyInput, JobSchedule } from '@mynah/contract/types'
import type { Clock } from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'
import { method, type BoundMethod } from '@mynah/plugin-console-rpc/api'
import type { JobChanges } from './api.js'
import type { Engine } from './engine/engine.js'
import type { EngineSettings } from './engine/options.js'
import { isInputUnchanged } from './engine/run-input.js'
import type { MemoryTasks } from './memory-tasks.js'
import { normalizedNotify } from './notify/normalize.js'
import { nextRuns, noNextRun, timetable } from './schedule/timetable.js'
import { runView, type JobStore } from './store/types.js'
import type { TaskViews } from './views.js'

const DEFAULT_RUNS = 50
const DEFAULT_TASKS = 500
const PREVIEW_RUNS = 5

interface RpcParts {
  readonly engine: Engine
  readonly store: JobStore
  readonly memory: MemoryTasks
  readonly views: TaskViews
  readonly clock: Clock
  readonly settings: EngineSettings
  readonly defaultNotify: () => JobNotify
}

/** Creates the RPC methods of tasks, jobs and runs. */
export function cronMethods(parts: RpcParts): BoundMethod[] {
  return [...readingMethods(parts), ...taskMethods(parts), ...runMethods(parts)]
}

function requireTask({ views, clock }: RpcParts, id: string): CronTask {
  const task = views.of(id, clock.now())
  if (!task) throw new WireError('not_found', `There is no task "${id.slice(0, 100)}"`)
  return task
}

const scheduleOf = (cronExpression: string, timezone: string | undefined): JobSchedule =>
  omitUndefined({ cron: cronExpression, timezone })

/** The fields of a task that may change. */
interface TaskPatch {
  readonly cronExpression?: string | undefined
  readonly prompt?: string | undefined
  readonly label?: string | undefined
  readonly notify?: JobNotifyInput | undefined
  readonly timezone?: string | undefined
  readonly agent?: string | undefined
  readonly binding?: string | undefined
  readonly missed?: 'once' | 'skip' | undefined
  readonly policy?: AssistantJob['policy'] | undefined
}

/**
 * Returns the changes of a job that a patch of its task makes. Schedule and action are replaced as a whole, so their
 * missing parts come from the task.
 *
 * @param ownZone the zone that the schedule names itself
 */
function mergeTask(task: CronTask, ownZone: string | undefined, patch: TaskPatch): JobChanges {
  const { cronExpression, timezone, prompt, agent, binding, label, notify, missed, policy } = patch
  const isRescheduled = cronExpression !== undefined || timezone !== undefined
  const hasNewAction = prompt !== undefined || agent !== undefined || binding !== undefined
  const action: JobAction = omitUndefined({
    kind: 'agent' as const,
    prompt: prompt ?? task.prompt,
    agent: agent ?? task.agent,
    binding: binding ?? task.binding,
  })
  const schedule = scheduleOf(cronExpression ?? task.cronExpression, timezone ?? ownZone)
  return omitUndefined({
    trigger: isRescheduled ? { kind: 'schedule' as const, schedule } : undefined,
    action: hasNewAction ? action : undefined,
    label,
    notify: notify && normalizedNotify(notify),
    missed,
    policy,
  })
}

function readingMethods(parts: RpcParts): BoundMethod[] {
  const { memory, views, clock, settings } = parts
  return [
    method(cron.rpc, 'cron:list', ({ limit = DEFAULT_TASKS, before, search, state }) => {
      const { tasks, nextBefore, ...counts } = views.page(clock.now(), { limit, before, search, state })
      return omitUndefined({ memory: memory.rows(), persistent: tasks, ...counts, nextBefore })
    }),
    method(cron.rpc, 'cron:get', ({ id }) => requireTask(parts, id)),
    method(cron.rpc, 'cron:preview', ({ cronExpression, timezone }) => {
      const schedule = timetable(scheduleOf(cronExpression, timezone), settings.timezone)
      const runs = nextRuns(schedule, clock.now(), PREVIEW_RUNS)
      if (runs.length === 0) throw noNextRun(cronExpression)
      return { nextRuns: runs, timezone: schedule.zone ?? 'UTC' }
    }),
  ]
}

function taskMethods(parts: RpcParts): BoundMethod[] {
  const { engine, defaultNotify } = parts
  return [
    method(cron.rpc, 'cron:add', async (params) => {
      const { cronExpression, prompt, label, notify, timezone, agent, binding, missed, policy } = params
      const { id } = await engine.add(
        omitUndefined({
          trigger: { kind: 'schedule' as const, schedule: scheduleOf(cronExpression, timezone) },
          action: omitUndefined({ kind: 'agent' as const, prompt, agent, binding }),
          notify: notify ? normalizedNotify(notify) : defaultNotify(),
          creator: { kind: 'console' as const },
          label,
          missed,
          policy,
        }),
      )
      return requireTask(parts, id)
    }),
    method(cron.rpc, 'cron:update', async ({ id, ...patch }) => {
      requireTask(parts, id)
      await engine.update(id, ({ trigger }) => {
        const ownZone =
          trigger.kind === 'schedule' && 'cron' in trigger.schedule ? trigger.schedule.timezone : undefined
        return mergeTask(requireTask(parts, id), ownZone, patch)
      })
      return requireTask(parts, id)
    }),
    method(cron.rpc, 'cron:remove', async ({ id }) => {
      if (!(await engine.remove(id))) throw new WireError('not_found', `There is no task "${id.slice(0, 100)}"`)
      return { success: true }
    }),
    method(cron.rpc, 'cron:pause', async ({ id }) => {
      await engine.setEnabled(id, false)
      return { success: true }
    }),
    method(cron.rpc, 'cron:resume', async ({ id }) => {
      await engine.setEnabled(id, true)
      return { success: true }
    }),
  ]
}

function runMethods({ engine, store }: RpcParts): BoundMethod[] {
  return [
    method(jobs.rpc, 'jobs:runs', async ({ id, limit = DEFAULT_RUNS, before }) => {
      const runs = await store.runs(id, omitUndefined({ limit: limit + 1, before }))
      if (runs.length === 0 && before === undefined && !engine.get(id))
        throw new WireError('not_found', `There is no job "${id.slice(0, 100)}"`)
      const page = runs.slice(0, limit)
      const job = engine.index.get(id)
      return omitUndefined({
        runs: page.map((run) =>
          omitUndefined({
            ...runView(run),
            waiting: engine.runner.isWaiting(run.id) || undefined,
            inputChanged: (job && !isInputUnchanged(job, run)) || undefined,
          }),
        ),
        nextBefore: runs.length > limit ? page.at(-1)?.id : undefined,
      })
    }),
    method(jobs.rpc, 'jobs:resend', async ({ runId }) => {
      await engine.undelivered.sendAgain(runId)
      return { success: true }
    }),
    method(jobs.rpc, 'jobs:repeat', async ({ runId }) => ({ runId: (await engine.repeat(runId)).runId })),
    method(jobs.rpc, 'jobs:run', async ({ id }) => ({ runId: (await engine.run(id, { evenPaused: true })).runId })),
  ]
}
