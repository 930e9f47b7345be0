import { omitUndefined } from '@mynah/kernel/util'
import type { Origin } from '@mynah/plugin-ai/api'
import { entity } from '@mynah/database-api'
import type { Task, TaskState, WorkerOptions } from './types.js'

/** A row of the table `agent_task`. */
export interface TaskRow {
  readonly id: string
  readonly session: string
  readonly turn: string
  readonly label: string
  readonly agent: string
  readonly prompt: string
  readonly origin: string
  readonly roles: string
  readonly state: TaskState
  readonly result: string | null
  readonly waited: number
  readonly requests: string | null
  readonly asked: string | null
  readonly round: number
  readonly worker: string | null
  readonly created_at: number
  readonly ended_at: number | null
  readonly delivered_at: number | null
  readonly host: string | null
}

export const TaskRecords = entity<TaskRow>({
  package: '@mynah/plugin-tasks',
  name: 'agent_task',
  columns: {
    id: { type: 'text', primary: true },
    session: { type: 'text' },
    turn: { type: 'text' },
    label: { type: 'text' },
    agent: { type: 'text' },
    prompt: { type: 'text' },
    origin: { type: 'text' },
    roles: { type: 'text' },
    state: { type: 'text' },
    result: { type: 'text', nullable: true },
    waited: { type: 'integer' },
    requests: { type: 'text', nullable: true },
    asked: { type: 'text', nullable: true },
    round: { type: 'integer', default: 1 },
    worker: { type: 'text', nullable: true },
    created_at: { type: 'bigint' },
    ended_at: { type: 'bigint', nullable: true },
    delivered_at: { type: 'bigint', nullable: true },
    host: { type: 'text', nullable: true },
  },
  indices: [{ name: 'agent_task_open', columns: ['created_at'], where: 'delivered_at IS NULL' }],
})

/** Removes what databases reject: NUL and unpaired surrogates. */
const plain = (text: string): string => Buffer.from(text.replaceAll('\0', '')).toString()

/** Maps the fields that a task or a change has to their columns. */
export function toTaskRow(task: Partial<Task>): Partial<TaskRow> {
  const { label, prompt, result, origin, roles, waited, requests, asked, worker, ...others } = task
  const { createdAt, endedAt, deliveredAt, ...same } = others
  return omitUndefined({
    ...same,
    label: label && plain(label),
    prompt: prompt && plain(prompt),
    result: typeof result === 'string' ? plain(result) : result,
    origin: origin && plain(JSON.stringify(origin)),
    roles: roles && JSON.stringify(roles),
    waited: waited === undefined ? undefined : Number(waited),
    requests: requests && JSON.stringify(requests),
    asked: asked && JSON.stringify(asked),
    worker: worker && plain(JSON.stringify(worker)),
    created_at: createdAt,
    ended_at: endedAt,
    delivered_at: deliveredAt,
  })
}

const numeric = (value: number | null): number | null => (value === null ? null : Number(value))

/** Maps a row to a task. Some drivers return integers as strings. */
export function fromTaskRow(row: TaskRow): Task {
  const { origin, roles, waited, requests, asked, round, worker, host, ...rest } = row
  const { created_at, ended_at, delivered_at, ...same } = rest
  return {
    ...same,
    origin: JSON.parse(origin) as Origin,
    roles: JSON.parse(roles) as string[],
    waited: Number(waited) === 1,
    requests: requests === null ? [] : (JSON.parse(requests) as string[]),
    asked: asked === null ? [] : (JSON.parse(asked) as string[]),
    round: Number(round),
    worker: worker === null ? null : (JSON.parse(worker) as WorkerOptions),
    createdAt: Number(created_at),
    endedAt: numeric(ended_at),
    deliveredAt: numeric(delivered_at),
    ...(host ? { host } : {}),
  }
}
