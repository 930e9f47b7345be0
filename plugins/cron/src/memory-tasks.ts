// Plugins' own tasks: not stored, there while their plugin runs.
import { messageOf, type Clock, type Contribution, type Logger } from '@mynah/kernel'
import type { CronMemoryRow } from '@mynah/contract/types'
import type { MemoryTask } from './api.js'
import { DueQueue } from './engine/due-queue.js'
import { Ticker } from './engine/ticker.js'
import { timetable, type Timetable } from './schedule/next.js'

interface Deps {
  readonly clock: Clock
  readonly log: Logger
  readonly zone: () => string | undefined
  /** Tells the owner of a task that it failed. */
  readonly report: (plugin: string, error: unknown) => void
}

interface Held {
  readonly task: MemoryTask
  readonly owner: string
  readonly table: Timetable
  readonly control: AbortController
  next: number | undefined
  last: number | undefined
  running: Promise<void> | undefined
}

export class MemoryTasks {
  readonly #deps: Deps
  readonly #held = new Map<string, Held>()
  readonly #due = new DueQueue()
  readonly #ticker: Ticker

  constructor(deps: Deps) {
    this.#deps = deps
    this.#ticker = new Ticker({
      clock: deps.clock,
      earliest: () => this.#due.earliest,
      due: (now) => this.#take(now),
      setBack: async (now) => {
        for (const held of this.#held.values()) this.#plan(held, now)
      },
    })
  }

  add({ value: task, owner }: Pick<Contribution<MemoryTask>, 'value' | 'owner'>, given?: Timetable): void {
    try {
      const table =
        given ??
        timetable(
          { cron: task.expression, ...(task.timezone === undefined ? {} : { timezone: task.timezone }) },
          this.#deps.zone(),
        )
      const held: Held = {
        task,
        owner,
        table,
        control: new AbortController(),
        next: undefined,
        last: undefined,
        running: undefined,
      }
      this.#held.set(task.id, held)
      this.#plan(held, this.#deps.clock.now())
      this.#ticker.arm()
    } catch (error) {
      this.#deps.report(owner, error)
    }
  }

  remove(id: string): void {
    this.#held.get(id)?.control.abort()
    this.#held.delete(id)
    this.#due.set(id, undefined)
  }

  rows(): CronMemoryRow[] {
    return Array.from(this.#held.values(), ({ task, owner, next, last, running }) => ({
      id: task.id,
      expression: task.expression,
      plugin: owner,
      ...(task.description === undefined ? {} : { description: task.description }),
      running: running !== undefined,
      nextRun: next ?? null,
      ...(last === undefined ? {} : { lastRun: last }),
    }))
  }

  /** Ends all, and waits for those that run. */
  async end(): Promise<void> {
    await this.#ticker.end()
    const running = Array.from(this.#held.values(), ({ running }) => running)
    for (const id of Array.from(this.#held.keys())) this.remove(id)
    await Promise.all(running)
  }

  #plan(held: Held, now: number): void {
    held.next = held.table.next(now)
    this.#due.set(held.task.id, held.next)
  }

  #take(now: number): Promise<void> {
    for (const id of this.#due.take(now)) {
      const held = this.#held.get(id)
      if (!held) continue
      if (held.running) this.#deps.log.debug(`the task "${id}" is not begun beside itself`)
      else {
        const running = this.#run(held, now)
        held.running = running
        void running.then(() => {
          held.running = undefined
        })
      }
      this.#plan(held, now)
    }
    return Promise.resolve()
  }

  async #run(held: Held, now: number): Promise<void> {
    held.last = now
    try {
      await held.task.run(held.control.signal)
    } catch (error) {
      if (!held.control.signal.aborted)
        this.#deps.report(
          held.owner,
          new Error(`the task "${held.task.id}" failed: ${messageOf(error)}`, { cause: error }),
        )
    }
  }
}
