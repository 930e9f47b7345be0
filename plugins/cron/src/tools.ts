// The agent's tools for scheduled tasks.
import type { Clock } from '@mynah/kernel'
import { isWireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import type { JobNotify } from '@mynah/contract/types'
import { defineTool, toolResult, type Tool, type ToolCall } from '@mynah/plugin-ai/api'
import type { Creator } from './api.js'
import type { Engine } from './engine/engine.js'
import { labelOf } from './engine/runner.js'
import { notifyTo } from './notify/normalize.js'
import type { TaskViews } from './views.js'

const ROLES = ['trusted', 'master']
const MAX_LISTED = 100
const keywords = [
  'schedule',
  'cron',
  'task',
  'remind',
  'every day',
  'daily',
  'weekly',
  'hourly',
  '定时',
  '任务',
  '提醒',
  '每天',
  '每周',
]

interface Deps {
  readonly engine: Engine
  readonly views: TaskViews
  readonly clock: Clock
  readonly zone: () => string | undefined
}

/** Who makes a job in a turn; undefined where nobody is known whose rights it could have. */
function creatorOf({ origin: { adapter, endpoint, channel, user }, roles }: ToolCall): Creator | undefined {
  if (adapter !== undefined && endpoint !== undefined && channel !== undefined && user !== undefined)
    return { kind: 'chat', adapter, endpoint, channel, user }
  return roles.has('master') ? { kind: 'console' } : undefined
}

/** A master may see and end every job, others their own. */
function mayTouch(creator: Creator | undefined, { origin, roles }: ToolCall): boolean {
  if (roles.has('master')) return true
  return (
    creator?.kind === 'chat' &&
    creator.adapter === origin.adapter &&
    creator.endpoint === origin.endpoint &&
    creator.user === origin.user
  )
}

function notifyOf(
  channel: 'im' | 'log' | 'silent' | undefined,
  { origin: { adapter, endpoint, channel: place } }: ToolCall,
): JobNotify | undefined {
  if (channel === 'log' || channel === 'silent') return { channel }
  return adapter === undefined || endpoint === undefined || place === undefined
    ? undefined
    : notifyTo(adapter, endpoint, place)
}

const failed = (error: unknown) => {
  if (isWireError(error)) return toolResult(error.message, { isError: true })
  throw error
}

export function cronTools({ engine, views, clock, zone }: Deps): Tool[] {
  return [
    defineTool({
      name: 'cron_add',
      requiredAnyRole: ROLES,
      keywords,
      effect: 'once',
      description:
        'Schedules a task: at each time of the cron expression an agent works on the prompt, and its answer goes to notify_channel. Five fields (minute, hour, day of month, month, day of week), or six with seconds first.',
      parameters: Type.Object({
        cron_expression: Type.String({ minLength: 1, maxLength: 256 }),
        prompt: Type.String({
          minLength: 1,
          maxLength: 32_768,
          description: 'What is to be done each time, complete in itself',
        }),
        notify_channel: Type.Enum(['im', 'log', 'silent'], { description: 'im is this conversation' }),
        label: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
        timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Such as Europe/Berlin' })),
      }),
      async run({ cron_expression, prompt, notify_channel, label, timezone }, call) {
        const [creator, notify] = [creatorOf(call), notifyOf(notify_channel, call)]
        if (!creator) return toolResult('Nobody is known here for whom the task could run.', { isError: true })
        if (!notify)
          return toolResult('There is no conversation here; use notify_channel log or silent.', { isError: true })
        try {
          const named = timezone ?? zone()
          const job = await engine.add({
            trigger: {
              kind: 'schedule',
              schedule: { cron: cron_expression, ...(named === undefined ? {} : { timezone: named }) },
            },
            action: { kind: 'agent', prompt },
            notify,
            creator,
            ...(label === undefined ? {} : { label }),
          })
          const task = views.of(job.id, clock.now())
          return {
            id: job.id,
            timezone: task?.timezone,
            next_runs: task?.nextRuns.map((at) => new Date(at).toISOString()),
          }
        } catch (error) {
          return failed(error)
        }
      },
    }),
    defineTool({
      name: 'cron_list',
      requiredAnyRole: ROLES,
      keywords,
      effect: 'read',
      description: 'Lists scheduled tasks and what their last runs came to.',
      parameters: Type.Object({}),
      run(_, call) {
        const mine = engine.book.ids().filter((id) => mayTouch(engine.creatorOf(id), call))
        if (mine.length === 0) return 'There are no tasks.'
        const lines = mine.slice(-MAX_LISTED).map((id) => {
          const job = engine.book.get(id)
          if (!job) return ''
          const when =
            job.trigger.kind !== 'schedule'
              ? job.trigger.kind
              : 'cron' in job.trigger.schedule
                ? job.trigger.schedule.cron
                : new Date(job.trigger.schedule.at).toISOString()
          return `${id} | ${labelOf(job)} | ${when} | ${job.enabled ? `next ${job.next_run_at === null ? 'on demand' : new Date(job.next_run_at).toISOString()}` : `paused${job.paused ? `: ${job.paused}` : ''}`} | last ${job.last_status ?? 'never'}${job.last_error ? `: ${job.last_error}` : ''}`
        })
        return lines.join('\n')
      },
    }),
    defineTool({
      name: 'cron_remove',
      requiredAnyRole: ROLES,
      keywords,
      effect: 'repeatable',
      description: 'Removes a scheduled task by its id.',
      parameters: Type.Object({ id: Type.String({ minLength: 1, maxLength: 512 }) }),
      async run({ id }, call) {
        // What one may not touch is not there.
        if (!engine.get(id) || !mayTouch(engine.creatorOf(id), call))
          return toolResult(`There is no task "${id}".`, { isError: true })
        await engine.remove(id)
        return `The task ${id} is removed.`
      },
    }),
  ]
}
