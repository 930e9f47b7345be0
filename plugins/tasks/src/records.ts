// The rows of tasks, in the database or in memory. What a task gave is a row before anybody is told.
import type { Origin } from '@mynah/plugin-ai/api'
import { entity, type Database } from '@mynah/plugin-database/api'

export type TaskState = 'queued' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped' | 'interrupted'

export interface Task {
  /** By turn and call: the same call finds its task again. */
  readonly id: string
  readonly session: string
  readonly turn: string
  readonly label: string
  readonly agent: string
  readonly prompt: string
  readonly origin: Origin
  readonly roles: readonly string[]
  readonly state: TaskState
  /** What it gave, or why it failed. */
  readonly result: string | null
  /** Its turn waits for it. */
  readonly waited: boolean
  /** Requests for the owner's approval that it has made. */
  readonly requests: readonly string[]
  readonly created_at: number
  readonly ended_at: number | null
  readonly delivered_at: number | null
}

interface Row extends Omit<Task, 'origin' | 'roles' | 'waited' | 'requests'> {
  readonly origin: string
  readonly roles: string
  readonly waited: number
  readonly requests: string | null
}

export const TaskRecords = entity<Row>({
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
    created_at: { type: 'bigint' },
    ended_at: { type: 'bigint', nullable: true },
    delivered_at: { type: 'bigint', nullable: true },
  },
  indices: [{ name: 'agent_task_open', columns: ['created_at'], where: 'delivered_at IS NULL' }],
})

export interface TaskStore {
  /** Adds a task, unless it is there; gives the one that is. */
  add(task: Task): Promise<Task>
  change(id: string, changes: Partial<Task>): Promise<void>
  get(id: string): Promise<Task | undefined>
  /** Those that nobody was told of, oldest first. */
  undelivered(): Promise<readonly Task[]>
  /** Forgets those that were told before `time`. */
  prune(time: number): Promise<void>
}

/** Text that both databases take: no NUL, no halves of characters. */
const plain = (text: string): string => Buffer.from(text.replaceAll('\0', '')).toString()

function toRow(task: Partial<Task>): Partial<Row> {
  const { origin, roles, waited, requests, ...rest } = task
  const texts = Object.fromEntries(
    (['prompt', 'label', 'result'] as const).flatMap((key) =>
      typeof rest[key] === 'string' ? [[key, plain(rest[key])]] : [],
    ),
  )
  return {
    ...rest,
    ...texts,
    ...(origin ? { origin: plain(JSON.stringify(origin)) } : {}),
    ...(roles ? { roles: JSON.stringify(roles) } : {}),
    ...(waited === undefined ? {} : { waited: waited ? 1 : 0 }),
    ...(requests ? { requests: JSON.stringify(requests) } : {}),
  }
}
const numeric = (value: number | null): number | null => (value === null ? null : Number(value))
const toTask = ({ origin, roles, waited, requests, created_at, ended_at, delivered_at, ...rest }: Row): Task => ({
  ...rest,
  requests: requests === null ? [] : (JSON.parse(requests) as string[]),
  origin: JSON.parse(origin) as Origin,
  roles: JSON.parse(roles) as string[],
  waited: Number(waited) === 1,
  created_at: Number(created_at),
  ended_at: numeric(ended_at),
  delivered_at: numeric(delivered_at),
})

export class DatabaseTasks implements TaskStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  add(task: Task): Promise<Task> {
    return this.#database.tx(async (db) => {
      await db.insertNew(TaskRecords, [toRow(task) as Row])
      return toTask((await db.findOne(TaskRecords, { id: task.id })) as Row)
    })
  }

  async change(id: string, changes: Partial<Task>): Promise<void> {
    await this.#database.tx((db) => db.update(TaskRecords, { id }, toRow(changes)))
  }

  async get(id: string): Promise<Task | undefined> {
    const row = await this.#database.read((db) => db.findOne(TaskRecords, { id }))
    return row && toTask(row)
  }

  async undelivered(): Promise<readonly Task[]> {
    const rows = await this.#database.read((db) =>
      db.query<Row>('SELECT * FROM agent_task WHERE delivered_at IS NULL ORDER BY created_at, id LIMIT 1000'),
    )
    return rows.map(toTask)
  }

  async prune(time: number): Promise<void> {
    await this.#database.tx((db) => db.delete(TaskRecords, { delivered_at: { $lt: time } }))
  }
}

const KEPT = 200

export class MemoryTasks implements TaskStore {
  readonly #tasks = new Map<string, Task>()

  async add(task: Task): Promise<Task> {
    const known = this.#tasks.get(task.id)
    if (known) return known
    this.#tasks.set(task.id, task)
    for (const [id, { delivered_at }] of this.#tasks) {
      if (this.#tasks.size <= KEPT) break
      if (delivered_at !== null) this.#tasks.delete(id)
    }
    return task
  }

  async change(id: string, changes: Partial<Task>): Promise<void> {
    const known = this.#tasks.get(id)
    if (known) this.#tasks.set(id, { ...known, ...changes })
  }

  async get(id: string): Promise<Task | undefined> {
    return this.#tasks.get(id)
  }

  async undelivered(): Promise<readonly Task[]> {
    return Array.from(this.#tasks.values()).filter(({ delivered_at }) => delivered_at === null)
  }

  async prune(time: number): Promise<void> {
    for (const [id, { delivered_at }] of this.#tasks)
      if (delivered_at !== null && delivered_at < time) this.#tasks.delete(id)
  }
}
