import type { Task, TaskStore } from './types.js'

/** Tasks that are kept, delivered ones first to go. */
const MAX_TASKS = 200

/** Stores tasks in memory, for a host without a database. */
export class MemoryTasks implements TaskStore {
  readonly #tasks = new Map<string, Task>()

  async add(task: Task): Promise<Task> {
    const known = this.#tasks.get(task.id)
    if (known) return known
    this.#tasks.set(task.id, task)
    for (const [id, { deliveredAt }] of this.#tasks) {
      if (this.#tasks.size <= MAX_TASKS) break
      if (deliveredAt !== null) this.#tasks.delete(id)
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
    return Array.from(this.#tasks.values()).filter(({ deliveredAt }) => deliveredAt === null)
  }

  async prune(time: number): Promise<void> {
    for (const [id, { deliveredAt }] of this.#tasks)
      if (deliveredAt !== null && deliveredAt < time) this.#tasks.delete(id)
  }
}
