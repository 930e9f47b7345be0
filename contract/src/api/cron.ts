// Scheduled tasks.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'
import { Id, Success, Time } from './common.js'
import { JobLastStatus, JobMissed, JobNotify, JobNotifyInput, JobPolicy, JobRecent } from './jobs.js'

/** A periodic task of a plugin, which is not stored. */
export const CronMemoryRow = Type.Object({
  id: Id,
  expression: Type.String(),
  plugin: Type.String(),
  description: Type.Optional(Type.String()),
  running: Type.Boolean(),
  nextRun: Type.Union([Time, Type.Null()]),
  lastRun: Type.Optional(Time),
})
export type CronMemoryRow = Static<typeof CronMemoryRow>
/** A scheduled job in the form of the methods `cron:*`. */
export const CronTask = Type.Object({
  id: Id,
  cronExpression: Type.String(),
  prompt: Type.String(),
  label: Type.Optional(Type.String()),
  enabled: Type.Boolean(),
  notify: JobNotify,
  createdAt: Time,
  timezone: Type.String(),
  nextRun: Type.Optional(Time),
  nextRuns: Type.Array(Time, { description: 'The next five runs' }),
  lastRun: Type.Optional(Time),
  lastStatus: Type.Optional(JobLastStatus),
  lastError: Type.Optional(Type.String()),
  recent: JobRecent,
  failures: Type.Integer({ description: 'Failed slots in a row' }),
  agent: Type.Optional(Type.String()),
  binding: Type.Optional(Type.String()),
  missed: Type.Optional(JobMissed),
  policy: Type.Optional(JobPolicy),
})
export type CronTask = Static<typeof CronTask>
const byId = Type.Object({ id: Id })
const Expression = Type.String({ minLength: 1, maxLength: 256 })
const Zone = Type.String({ minLength: 1, maxLength: 64 })
const Prompt = Type.String({ minLength: 1, maxLength: 32_768 })
const details = {
  label: Type.Optional(Type.String({ maxLength: 256 })),
  notify: Type.Optional(JobNotifyInput),
  timezone: Type.Optional(Zone),
  agent: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  binding: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  missed: Type.Optional(JobMissed),
  policy: Type.Optional(JobPolicy),
}

/** Methods for scheduled tasks. */
export const cron = contract({
  rpc: {
    'cron:list': {
      summary: 'Tasks in memory and persistent tasks, newest first',
      reads: true,
      params: Type.Object({
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 1_000,
            description: 'Maximum of persistent tasks in one answer, default 500',
          }),
        ),
        before: Type.Optional(Id),
        search: Type.Optional(
          Type.String({ maxLength: 256, description: 'Text in label, prompt, expression or id, case-insensitive' }),
        ),
        state: Type.Optional(
          Type.Enum(['failed', 'paused'], {
            description: 'Only tasks whose last run failed, or only paused tasks',
          }),
        ),
      }),
      data: Type.Object({
        memory: Type.Array(CronMemoryRow),
        persistent: Type.Array(CronTask),
        total: Type.Integer({ description: 'Number of all persistent tasks' }),
        matching: Type.Integer({ description: 'Number of tasks that match `search` and `state`' }),
        failed: Type.Integer({ description: 'Number of all tasks whose last run failed' }),
        paused: Type.Integer({ description: 'Number of all paused tasks' }),
        nextBefore: Type.Optional(Id),
      }),
    },
    'cron:get': { summary: 'One persistent task', reads: true, params: byId, data: CronTask, errors: ['not_found'] },
    'cron:add': {
      summary: 'Adds a persistent task',
      params: Type.Object({ cronExpression: Expression, prompt: Prompt, ...details }),
      data: CronTask,
    },
    'cron:update': {
      summary: 'Changes fields of a task',
      params: Type.Object({
        id: Id,
        cronExpression: Type.Optional(Expression),
        prompt: Type.Optional(Prompt),
        ...details,
      }),
      data: CronTask,
      errors: ['not_found'],
    },
    'cron:remove': { summary: 'Removes a task', params: byId, data: Success, errors: ['not_found'] },
    'cron:pause': { summary: 'Pauses a task', params: byId, data: Success, errors: ['not_found'] },
    'cron:resume': { summary: 'Resumes a task', params: byId, data: Success, errors: ['not_found'] },
    'cron:preview': {
      summary: 'The next five runs of an expression',
      reads: true,
      params: Type.Object({ cronExpression: Expression, timezone: Type.Optional(Zone) }),
      data: Type.Object({
        nextRuns: Type.Array(Time),
        timezone: Type.String({ description: 'The zone of the expression: the given one, else that of the host' }),
      }),
    },
  },
})
