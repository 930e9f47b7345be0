import type { Origin } from '@mynah/plugin-ai/api'

export type TaskState = 'queued' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped' | 'interrupted'

/** How a sub-agent works on a task. */
export interface WorkerOptions {
  readonly tools: readonly string[]
  readonly system: string
  readonly maxSteps: number
  /** The tool call that asks for the task. Absent in tasks of a version that did not store it. */
  readonly parent?: { readonly turn: string; readonly call: string }
}

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
  /** Ids of those that it waits for now; empty while it works. */
  readonly asked: readonly string[]
  /** Number of the round that it is in, from 1. Each answer of the owner begins another. */
  readonly round: number
  /** `null` for a task of a version that did not store it. */
  readonly worker: WorkerOptions | null
  readonly createdAt: number
  readonly endedAt: number | null
  readonly deliveredAt: number | null
  /** The process that works on it, in a cluster. */
  readonly host?: string | null
}

/** A condition for the change of a task. */
export type TaskCondition = 'not ended' | 'not delivered'

/** Stores tasks, so that results survive a stop until they are delivered. */
export interface TaskStore {
  /** Adds a task unless its id exists. Returns the stored one. */
  add(task: Task): Promise<Task>
  /** Changes a task for which `when` holds. Returns it, or `undefined`: who did not change it must not act. */
  change(id: string, when: TaskCondition, changes: Partial<Task>): Promise<Task | undefined>
  get(id: string): Promise<Task | undefined>
  /** Returns at most `limit` tasks that have not been delivered, by id, after the one with the id `after`. */
  undelivered(limit: number, after?: string): Promise<readonly Task[]>
  /** Deletes tasks that were delivered before a time. */
  prune(time: number): Promise<void>
}
