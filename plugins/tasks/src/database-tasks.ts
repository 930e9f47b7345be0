import type { Database } from '@mynah/database-api'
import { fromTaskRow, TaskRecords, toTaskRow, type TaskRow } from './records.js'
import type { Task, TaskCondition, TaskStore } from './types.js'

const CONDITIONS = { 'not ended': { ended_at: null }, 'not delivered': { delivered_at: null } } as const

/** Stores tasks in the database. */
export class DatabaseTasks implements TaskStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  add(task: Task): Promise<Task> {
    return this.#database.tx(async (db) => {
      await db.insertNew(TaskRecords, [toTaskRow(task) as TaskRow])
      return fromTaskRow((await db.findOne(TaskRecords, { id: task.id })) as TaskRow)
    })
  }

  async change(id: string, when: TaskCondition, changes: Partial<Task>): Promise<Task | undefined> {
    return this.#database.tx(async (db) => {
      if ((await db.update(TaskRecords, { id, ...CONDITIONS[when] }, toTaskRow(changes))) === 0) return undefined
      const row = await db.findOne(TaskRecords, { id })
      return row && fromTaskRow(row)
    })
  }

  async get(id: string): Promise<Task | undefined> {
    const row = await this.#database.read((db) => db.findOne(TaskRecords, { id }))
    return row && fromTaskRow(row)
  }

  async undelivered(limit: number, after = ''): Promise<readonly Task[]> {
    const rows = await this.#database.read((db) =>
      db.query<TaskRow>(
        `SELECT * FROM agent_task WHERE delivered_at IS NULL AND id > $1 ORDER BY id LIMIT ${Number(limit)}`,
        [after],
      ),
    )
    return rows.map(fromTaskRow)
  }

  async prune(time: number): Promise<void> {
    await this.#database.tx((db) => db.delete(TaskRecords, { delivered_at: { $lt: time } }))
  }
}
