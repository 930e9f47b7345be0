// Scheduled tasks.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'
import { Id, Json, Success, Time } from './common.js'

export const CronNotify = Type.Object({ channel: Type.Enum(['im', 'silent', 'log']), target: Type.Optional(Json) })
export const CronMemoryRow = Type.Object({ id: Id, expression: Type.String(), plugin: Type.String(), running: Type.Boolean(), nextRun: Type.Union([Time, Type.Null()]), lastRun: Type.Optional(Time) })
export type CronMemoryRow = Static<typeof CronMemoryRow>
export const CronTask = Type.Object({
  id: Id, cronExpression: Type.String(), prompt: Type.String(), label: Type.Optional(Type.String()), enabled: Type.Boolean(), notify: CronNotify,
  createdAt: Time, timezone: Type.Optional(Type.String()), nextRun: Type.Optional(Time), lastRun: Type.Optional(Time),
  lastStatus: Type.Optional(Type.Enum(['ok', 'error', 'skipped'])), lastError: Type.Optional(Type.String()),
})
export type CronTask = Static<typeof CronTask>
const byId = Type.Object({ id: Id })

export const cron = contract({
  rpc: {
    'cron:list': { summary: 'Tasks in memory and persistent ones', data: Type.Object({ memory: Type.Array(CronMemoryRow), persistent: Type.Array(CronTask) }) },
    'cron:add': { summary: 'Adds a persistent task', params: Type.Object({ cronExpression: Type.String({ minLength: 1, maxLength: 256 }), prompt: Type.String({ minLength: 1, maxLength: 32_768 }), label: Type.Optional(Type.String({ maxLength: 256 })), notify: Type.Optional(CronNotify), timezone: Type.Optional(Type.String({ maxLength: 64 })) }), data: CronTask },
    'cron:remove': { summary: 'Removes a task', params: byId, data: Success, errors: ['not_found'] },
    'cron:pause': { summary: 'Pauses a task', params: byId, data: Success, errors: ['not_found'] },
    'cron:resume': { summary: 'Resumes a task', params: byId, data: Success, errors: ['not_found'] },
  },
})
