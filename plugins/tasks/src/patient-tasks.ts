import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '@mynah/kernel'
import { untilStored } from '@mynah/plugin-agent/api'
import type { Task, TaskCondition, TaskStore } from './types.js'

/**
 * A store whose calls wait while the database is unavailable: no step of a task is forgotten because the database
 * refused it.
 */
export class PatientTasks implements TaskStore {
  readonly #store: TaskStore
  readonly #clock: Clock
  readonly #signal: AbortSignal

  /** @param signal aborts all waits: the calls reject with the failure of the last try then */
  constructor(store: TaskStore, clock: Clock, signal: AbortSignal) {
    this.#store = store
    this.#clock = clock
    this.#signal = signal
  }

  add(task: Task): Promise<Task> {
    return this.#wait(() => this.#store.add(task))
  }

  change(id: string, when: TaskCondition, changes: Partial<Task>): Promise<Task | undefined> {
    let isTried = false
    return this.#wait(async () => {
      // A try without an answer may have made the change, after which its condition holds no more.
      const known = isTried ? await this.#store.get(id) : undefined
      if (known && hasAll(known, changes)) return known
      isTried = true
      return this.#store.change(id, when, changes)
    })
  }

  get(id: string): Promise<Task | undefined> {
    return this.#wait(() => this.#store.get(id))
  }

  undelivered(limit: number, after?: string): Promise<readonly Task[]> {
    return this.#wait(() => this.#store.undelivered(limit, after))
  }

  prune(time: number): Promise<void> {
    return this.#wait(() => this.#store.prune(time))
  }

  #wait<T>(call: () => Promise<T>): Promise<T> {
    return untilStored(call, this.#clock, this.#signal)
  }
}

const hasAll = (task: Task, changes: Partial<Task>): boolean => isDeepStrictEqual({ ...task, ...changes }, task)
