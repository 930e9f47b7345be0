// The RPC methods of tasks, jobs and their runs.
import { cron, jobs, WireError } from '@mynah/contract'
import type { CronTask, JobAction, JobNotify, JobSchedule } from '@mynah/contract/types'
import type { Clock } from '@mynah/kernel'
import { method, type BoundMethod } from '@mynah/plugin-console-rpc/api'
import type { JobChanges } from './api.js'
import type { Engine } from './engine/engine.js'
import type { MemoryTasks } from './memory-tasks.js'
import { normalizedNotify } from './notify/normalize.js'
import { neverComes, nextRuns, timetable } from './schedule/next.js'
import type { JobStore } from './store/types.js'
import { runView } from './store/types.js'
import type { TaskViews } from './views.js'

const RUNS = 50
const TASKS = 500
const AHEAD = 5

interface Deps {
  readonly engine: Engine
  readonly store: JobStore
  readonly memory: MemoryTasks
  readonly views: TaskViews
  readonly clock: Clock
  readonly zone: () => string | undefined
  readonly defaultNotify: () => JobNotify
}

export function cronMethods({ engine, store, memory, views, clock, zone, defaultNotify }: Deps): BoundMethod[] {
  const taskOf = (id: string): CronTask => {
    const task = views.of(id, clock.now())
    if (!task) throw new WireError('not_found', `There is no task "${id.slice(0, 100)}"`)
    return task
  }
  const schedule = (expression: string, timezone: string | undefined): JobSchedule => ({
    cron: expression,
    ...(timezone === undefined ? {} : { timezone }),
  })
  return [
    method(cron.rpc, 'cron:list', ({ limit = TASKS, before, search, state }) => {
      const { tasks, nextBefore, ...counts } = views.page(clock.now(), { limit, before, search, state })
      return {
        memory: memory.rows(),
        persistent: tasks,
        ...counts,
        ...(nextBefore === undefined ? {} : { nextBefore }),
      }
    }),
    method(cron.rpc, 'cron:get', ({ id }) => taskOf(id)),
    method(
      cron.rpc,
      'cron:add',
      async ({ cronExpression, prompt, label, notify, timezone, agent, binding, missed, policy }) => {
        const action: JobAction = {
          kind: 'agent',
          prompt,
          ...(agent === undefined ? {} : { agent }),
          ...(binding === undefined ? {} : { binding }),
        }
        const { id } = await engine.add({
          trigger: { kind: 'schedule', schedule: schedule(cronExpression, timezone) },
          action,
          notify: notify ? normalizedNotify(notify) : defaultNotify(),
          creator: { kind: 'console' },
          ...(label === undefined ? {} : { label }),
          ...(missed === undefined ? {} : { missed }),
          ...(policy === undefined ? {} : { policy }),
        })
        return taskOf(id)
      },
    ),
    method(
      cron.rpc,
      'cron:update',
      async ({ id, cronExpression, prompt, label, notify, timezone, agent, binding, missed, policy }) => {
        const task = taskOf(id)
        const job = engine.book.get(id)
        const named =
          job?.trigger.kind === 'schedule' && 'cron' in job.trigger.schedule ? job.trigger.schedule.timezone : undefined
        const acts = prompt !== undefined || agent !== undefined || binding !== undefined
        const [nextAgent, nextBinding] = [agent ?? task.agent, binding ?? task.binding]
        const changes: JobChanges = {
          ...(cronExpression === undefined && timezone === undefined
            ? {}
            : {
                trigger: {
                  kind: 'schedule',
                  schedule: schedule(cronExpression ?? task.cronExpression, timezone ?? named),
                },
              }),
          ...(acts
            ? {
                action: {
                  kind: 'agent',
                  prompt: prompt ?? task.prompt,
                  ...(nextAgent === undefined ? {} : { agent: nextAgent }),
                  ...(nextBinding === undefined ? {} : { binding: nextBinding }),
                },
              }
            : {}),
          ...(label === undefined ? {} : { label }),
          ...(notify === undefined ? {} : { notify: normalizedNotify(notify) }),
          ...(missed === undefined ? {} : { missed }),
          ...(policy === undefined ? {} : { policy }),
        }
        await engine.update(id, changes)
        return taskOf(id)
      },
    ),
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
    method(cron.rpc, 'cron:preview', ({ cronExpression, timezone }) => {
      const ahead = nextRuns(timetable(schedule(cronExpression, timezone), zone()), clock.now(), AHEAD)
      if (ahead.length === 0) throw neverComes(cronExpression)
      return { nextRuns: ahead }
    }),
    method(jobs.rpc, 'jobs:runs', async ({ id, limit = RUNS, before }) => {
      const rows = await store.runs(id, { limit: limit + 1, ...(before === undefined ? {} : { before }) })
      if (rows.length === 0 && before === undefined && !engine.get(id))
        throw new WireError('not_found', `There is no job "${id.slice(0, 100)}"`)
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      return { runs: page.map(runView), ...(rows.length > limit && last ? { nextBefore: last.id } : {}) }
    }),
    method(jobs.rpc, 'jobs:run', async ({ id }) => ({ runId: (await engine.run(id, { evenPaused: true })).runId })),
  ]
}
