import type { Clock } from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'
import { isWireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import type { JobNotify } from '@mynah/contract/types'
import { defineTool, toolResult, type Tool, type ToolCall } from '@mynah/plugin-ai/api'
import type { Creator } from './api.js'
import type { Engine } from './engine/engine.js'
import type { EngineSettings } from './engine/options.js'
import { labelOf } from './engine/outcome.js'
import { notifyTo } from './notify/normalize.js'
import type { StoredJob } from './store/types.js'
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

interface CronToolParts {
  readonly engine: Engine
  readonly views: TaskViews
  readonly clock: Clock
  readonly settings: EngineSettings
}

/** Creates the agent's tools for scheduled tasks. */
export function cronTools(parts: CronToolParts): Tool[] {
  return [addTool(parts), listTool(parts), removeTool(parts)]
}

/** Returns the creator of jobs of a turn, or `undefined` when the turn has no user with roles. */
function creatorOf({ origin: { adapter, endpoint, channel, user }, roles }: ToolCall): Creator | undefined {
  if (adapter !== undefined && endpoint !== undefined && channel !== undefined && user !== undefined)
    return { kind: 'chat', adapter, endpoint, channel, user }
  return roles.has('master') ? { kind: 'console' } : undefined
}

/** Masters may see and remove all jobs, other users their own. */
function mayAccess(creator: Creator | undefined, { origin, roles }: ToolCall): boolean {
  if (roles.has('master')) return true
  return (
    creator?.kind === 'chat' &&
    creator.adapter === origin.adapter &&
    creator.endpoint === origin.endpoint &&
    creator.user === origin.user
  )
}

function notifyOf(kind: 'im' | 'log' | 'silent' | undefined, { origin }: ToolCall): JobNotify | undefined {
  if (kind === 'log' || kind === 'silent') return { channel: kind }
  const { adapter, endpoint, channel } = origin
  return adapter === undefined || endpoint === undefined || channel === undefined
    ? undefined
    : notifyTo(adapter, endpoint, channel)
}

const failed = (text: string) => toolResult(text, { isError: true })

function addTool({ engine, views, clock, settings }: CronToolParts): Tool {
  return defineTool({
    name: 'cron_add',
    requiredAnyRole: ROLES,
    keywords,
    effect: 'once',
    description:
      'Schedules a task: at each time of the cron expression an agent works on the prompt, and its answer goes to ' +
      'notify_channel. Five fields (minute, hour, day of month, month, day of week), or six with seconds first.',
    parameters: Type.Object({
      cron_expression: Type.String({ minLength: 1, maxLength: 256 }),
      prompt: Type.String({
        minLength: 1,
        maxLength: 32_768,
        description: 'Instruction for each run, complete in itself',
      }),
      notify_channel: Type.Enum(['im', 'log', 'silent'], { description: 'im is this conversation' }),
      label: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
      timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Such as Europe/Berlin' })),
    }),
    async run({ cron_expression, prompt, notify_channel, label, timezone }, call) {
      const creator = creatorOf(call)
      const notify = notifyOf(notify_channel, call)
      if (!creator) return failed('There is no user here for whom the task could run.')
      if (!notify) return failed('There is no conversation here; use notify_channel log or silent.')
      const schedule = omitUndefined({ cron: cron_expression, timezone: timezone ?? settings.timezone })
      try {
        const job = await engine.add(
          omitUndefined({
            trigger: { kind: 'schedule' as const, schedule },
            // The job has the files, the memory and the tools of the agent that made it, and no others.
            action: omitUndefined({ kind: 'agent' as const, prompt, agent: call.origin.agent }),
            notify,
            creator,
            label,
          }),
        )
        const task = views.of(job.id, clock.now())
        return {
          id: job.id,
          timezone: task?.timezone,
          next_runs: task?.nextRuns.map((at) => new Date(at).toISOString()),
        }
      } catch (error) {
        if (isWireError(error)) return failed(error.message)
        throw error
      }
    },
  })
}

function listTool({ engine }: CronToolParts): Tool {
  return defineTool({
    name: 'cron_list',
    requiredAnyRole: ROLES,
    keywords,
    effect: 'read',
    description: 'Lists scheduled tasks and the outcome of their last runs.',
    parameters: Type.Object({}),
    async run(_, call) {
      await engine.fresh()
      const ids = engine.index.ids().filter((id) => mayAccess(engine.creatorOf(id), call))
      if (ids.length === 0) return 'There are no tasks.'
      const lines = ids.slice(-MAX_LISTED).map((id) => {
        const job = engine.index.get(id)
        return job ? describeJob(job) : ''
      })
      return lines.join('\n')
    },
  })
}

function removeTool({ engine }: CronToolParts): Tool {
  return defineTool({
    name: 'cron_remove',
    requiredAnyRole: ROLES,
    keywords,
    effect: 'repeatable',
    description: 'Removes a scheduled task by its id.',
    parameters: Type.Object({ id: Type.String({ minLength: 1, maxLength: 512 }) }),
    async run({ id }, call) {
      await engine.fresh()
      // Jobs that a user may not access look like missing ones.
      if (!engine.get(id) || !mayAccess(engine.creatorOf(id), call)) return failed(`There is no task "${id}".`)
      // A task may remove itself, and its answer is still delivered.
      await engine.remove(id, { keepsActiveRun: call.session === sessionOf(id) })
      return `The task ${id} is removed.`
    },
  })
}

/** Key of the session in which the agent runs a job. */
const sessionOf = (job: string): string => `job|${encodeURIComponent(job)}`

/** Describes a job in one line: id, label, schedule, state, last run. */
function describeJob(job: StoredJob): string {
  const last = `last ${job.lastStatus ?? 'never'}${job.lastError ? `: ${job.lastError}` : ''}`
  return [job.id, labelOf(job), scheduleText(job), stateText(job), last].join(' | ')
}

function scheduleText({ trigger }: StoredJob): string {
  if (trigger.kind !== 'schedule') return trigger.kind
  return 'cron' in trigger.schedule ? trigger.schedule.cron : new Date(trigger.schedule.at).toISOString()
}

function stateText({ enabled, paused, nextRunAt }: StoredJob): string {
  if (!enabled) return paused ? `paused: ${paused}` : 'paused'
  return `next ${nextRunAt === null ? 'on demand' : new Date(nextRunAt).toISOString()}`
}
