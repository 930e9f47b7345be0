import { messageOf, type Clock, type Contribution, type HostControl, type Logger, type Reader } from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'
import type { CronMemoryRow } from '@mynah/contract/types'
import type { MemoryTask } from './api.js'
import { Attempt } from './engine/attempt.js'
import { onAnyAbort } from './engine/on-any-abort.js'
import type { EngineSettings } from './engine/options.js'
import { DueQueue } from './engine/due-queue.js'
import { Ticker } from './engine/ticker.js'
import { timetable, type Timetable } from './schedule/timetable.js'

interface MemoryTasksOptions {
  readonly clock: Clock
  readonly log: Logger
  readonly settings: Pick<EngineSettings, 'timezone' | 'runTimeoutMs'>
  readonly host: Pick<HostControl, 'report'>
}

interface TaskEntry {
  readonly task: MemoryTask
  readonly owner: string
  readonly timetable: Timetable
  readonly control: AbortController
  next: number | undefined
  last: number | undefined
  running: Promise<void> | undefined
}

/** Runs the periodic tasks of plugins, which exist while their plugin runs. */
export class MemoryTasks {
  readonly #options: MemoryTasksOptions
  readonly #entries = new Map<string, TaskEntry>()
  readonly #due = new DueQueue()
  readonly #ticker: Ticker

  constructor(options: MemoryTasksOptions) {
    this.#options = options
    this.#ticker = new Ticker(options.clock, {
      earliest: () => this.#due.earliest,
      takeDue: (now) => this.#runDue(now),
      clockSetBack: async (now) => {
        for (const entry of this.#entries.values()) this.#plan(entry, now)
      },
    })
  }

  /** Runs the tasks that plugins contribute, now and later. */
  follow(tasks: Reader<MemoryTask>): void {
    for (const task of tasks.all()) this.add(task)
    tasks.watch(({ added, removed }) => {
      for (const { key } of removed) this.remove(key)
      for (const task of added) this.add(task)
    })
  }

  /** @param ownTimetable replaces the one of the task's expression */
  add({ value: task, owner }: Pick<Contribution<MemoryTask>, 'value' | 'owner'>, ownTimetable?: Timetable): void {
    try {
      const schedule = omitUndefined({ cron: task.expression, timezone: task.timezone })
      const entry: TaskEntry = {
        task,
        owner,
        timetable: ownTimetable ?? timetable(schedule, this.#options.settings.timezone),
        control: new AbortController(),
        next: undefined,
        last: undefined,
        running: undefined,
      }
      this.#entries.set(task.id, entry)
      this.#plan(entry, this.#options.clock.now())
      this.#ticker.arm()
    } catch (error) {
      this.#options.host.report(owner, error)
    }
  }

  remove(id: string): void {
    this.#entries.get(id)?.control.abort()
    this.#entries.delete(id)
    this.#due.set(id, undefined)
  }

  rows(): CronMemoryRow[] {
    return Array.from(this.#entries.values(), ({ task, owner, next, last, running }) =>
      omitUndefined({
        id: task.id,
        expression: task.expression,
        plugin: owner,
        description: task.description,
        running: running !== undefined,
        nextRun: next ?? null,
        lastRun: last,
      }),
    )
  }

  /** Removes all tasks, and waits for the running ones. */
  async stop(): Promise<void> {
    await this.#ticker.stop()
    const running = Array.from(this.#entries.values(), ({ running }) => running)
    for (const id of Array.from(this.#entries.keys())) this.remove(id)
    await Promise.all(running)
  }

  #plan(entry: TaskEntry, now: number): void {
    entry.next = entry.timetable.next(now)
    this.#due.set(entry.task.id, entry.next)
  }

  #runDue(now: number): Promise<void> {
    for (const id of this.#due.take(now)) {
      const entry = this.#entries.get(id)
      if (!entry) continue
      if (entry.running) this.#options.log.debug(`the task "${id}" is still running and skips a slot`)
      else {
        const running = this.#run(entry, now)
        entry.running = running
        void running.then(() => {
          entry.running = undefined
        })
      }
      this.#plan(entry, now)
    }
    return Promise.resolve()
  }

  async #run(entry: TaskEntry, now: number): Promise<void> {
    entry.last = now
    try {
      const { clock, settings } = this.#options
      const attempt = new Attempt(clock, settings.runTimeoutMs, [])
      const control = new AbortController()
      // A removed task is waited for, one that takes too long is not.
      const stopListening = onAnyAbort([attempt.signal, entry.control.signal], (reason) => control.abort(reason))
      await attempt.run(() => entry.task.run(control.signal)).finally(stopListening)
    } catch (error) {
      if (!entry.control.signal.aborted)
        this.#options.host.report(
          entry.owner,
          new Error(`the task "${entry.task.id}" failed: ${messageOf(error)}`, { cause: error }),
        )
    }
  }
}
