import type { Origin } from '@mynah/plugin-ai/api'

export type TaskState = 'queued' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped' | 'interrupted'

/** A piece of work for a sub-agent. Times are milliseconds since the epoch. */
export interface Task {
  /** Derived from turn and call, so that a repeated call finds its task. */
  readonly id: string
  readonly session: string
  readonly turn: string
  readonly label: string
  readonly agent: string
  readonly prompt: string
  readonly origin: Origin
  readonly roles: readonly string[]
  readonly state: TaskState
  /** The result, or the reason of a failure. */
  readonly result: string | null
  /** Whether the turn waits for the task. */
  readonly waited: boolean
  /** Ids of the approval requests that the task has made. */
  readonly requests: readonly string[]
  readonly createdAt: number
  readonly endedAt: number | null
  readonly deliveredAt: number | null
}

/** Stores tasks, so that results survive a stop until they are delivered. */
export interface TaskStore {
  /** Adds a task unless its id exists. Returns the stored one. */
  add(task: Task): Promise<Task>
  change(id: string, changes: Partial<Task>): Promise<void>
  get(id: string): Promise<Task | undefined>
  /** Returns tasks that have not been delivered, oldest first. */
  undelivered(): Promise<readonly Task[]>
  /** Deletes tasks that were delivered before a time. */
  prune(time: number): Promise<void>
}
