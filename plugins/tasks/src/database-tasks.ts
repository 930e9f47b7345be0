import type { Database } from '@mynah/plugin-database/api'
import { fromTaskRow, TaskRecords, toTaskRow, type TaskRow } from './records.js'
import type { Task, TaskStore } from './types.js'

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

  async change(id: string, changes: Partial<Task>): Promise<void> {
    await this.#database.tx((db) => db.update(TaskRecords, { id }, toTaskRow(changes)))
  }

  async get(id: string): Promise<Task | undefined> {
    const row = await this.#database.read((db) => db.findOne(TaskRecords, { id }))
    return row && fromTaskRow(row)
  }

  async undelivered(): Promise<readonly Task[]> {
    const rows = await this.#database.read((db) =>
      db.query<TaskRow>('SELECT * FROM agent_task WHERE delivered_at IS NULL ORDER BY created_at, id LIMIT 1000'),
    )
    return rows.map(fromTaskRow)
  }

  async prune(time: number): Promise<void> {
    await this.#database.tx((db) => db.delete(TaskRecords, { delivered_at: { $lt: time } }))
  }
}
