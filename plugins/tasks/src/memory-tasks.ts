import type { Task, TaskCondition, TaskStore } from './types.js'

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

  async change(id: string, when: TaskCondition, changes: Partial<Task>): Promise<Task | undefined> {
    const known = this.#tasks.get(id)
    if (!known || known[when === 'not ended' ? 'endedAt' : 'deliveredAt'] !== null) return undefined
    const changed = { ...known, ...changes }
    this.#tasks.set(id, changed)
    return changed
  }

  async get(id: string): Promise<Task | undefined> {
    return this.#tasks.get(id)
  }

  async undelivered(limit: number, after = ''): Promise<readonly Task[]> {
    return Array.from(this.#tasks.values())
      .filter(({ id, deliveredAt }) => deliveredAt === null && id > after)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit)
  }

  async prune(time: number): Promise<void> {
    for (const [id, { deliveredAt }] of this.#tasks)
      if (deliveredAt !== null && deliveredAt < time) this.#tasks.delete(id)
  }
}
