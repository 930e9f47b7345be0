// Transactions: one at a time on the writing connection; one inside of another is a savepoint of it.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { QueryRunner } from 'typeorm'
import type { Dialect, Writes } from '../api.js'
import { execute, type Engine } from '../engine/engine.js'
import type { Publication } from '@mynah/plugin-events/api'
import { isAway, toRefusal } from '../failures.js'
import { draftOf, type Announcements, type Draft } from './announcements.js'
import type { Health } from './health.js'
import { Lane } from './lane.js'
import { writesOn } from './rows.js'
import type { Schema } from './schema.js'
import type { Perform, Turns, Work } from './turns.js'

/** Longer than this nobody may hold up all other writers. */
const LIMIT_MS = 30_000

/** A transaction or savepoint that runs. */
class Running {
  open = true
  /** Savepoints inside of it, one at a time. */
  readonly inner = new Lane()
  /** What it announces, savepoints that were kept included. */
  readonly events: Draft[] = []
  readonly writes: Writes
  readonly runner: QueryRunner
  readonly depth: number

  constructor(runner: QueryRunner, depth: number, { engine, schema, health, now }: Surroundings) {
    this.runner = runner
    this.depth = depth
    this.writes = writesOn({
      dialect: engine.dialect,
      runner: () => {
        this.#assertOpen()
        return runner
      },
      metadata: (entity) => schema.metadata(entity, engine.writer),
      failed: (error) => health.failed(error),
      announce: (publication: Publication) => this.announce(draftOf(publication, now())),
    })
  }

  announce(draft: Draft): void {
    this.#assertOpen()
    this.events.push(draft)
  }

  #assertOpen(): void {
    if (!this.open) throw new Error('This transaction has ended: await everything that it does')
  }
}

/** What transactions work with. */
export interface Surroundings {
  readonly engine: Engine
  readonly schema: Schema
  readonly health: Health
  readonly announcements: Announcements
  readonly now: () => number
  /** Time that a transaction may take, ms. */
  readonly limit?: number | undefined
}

export class Transactions implements Turns {
  readonly lane = new Lane()
  /** An earlier transaction could not be ended: the next one does, and nothing runs without one. */
  #unended = false
  readonly #surroundings: Surroundings
  readonly #current = new AsyncLocalStorage<Running>()
  readonly #limit: number

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
    this.#limit = surroundings.limit ?? LIMIT_MS
  }

  /** The caller's transaction, where it is in one. */
  get current(): Pick<Running, 'writes' | 'announce'> | undefined {
    const running = this.#current.getStore()
    return running?.open ? running : undefined
  }

  /** Runs `fn` in a transaction: a savepoint of the caller's, or one of its own. */
  async run<T>(fn: (db: Writes) => Promise<T>): Promise<T> {
    const outer = this.#current.getStore()
    return outer?.open ? outer.inner.run(() => this.#savepoint(outer, fn)) : this.alone(fn)
  }

  /** Runs `fn` in a transaction of its own, when all earlier ones have ended. */
  alone<T>(fn: (db: Writes) => Promise<T>): Promise<T> {
    return this.inTurn((perform) => perform({ bare: false, run: fn }))
  }

  /** Forgets whose transaction it is that runs, for good: as long as one is remembered, each promise of the process carries a slot for it. */
  close(): void {
    this.#current.disable()
  }

  /** The turn that was asked for last. */
  get latest(): unknown {
    return this.lane.latest
  }

  /** Has `job` do its work, in one transaction or several, when all that came earlier has ended. */
  async inTurn<T>(job: (perform: Perform) => Promise<T>): Promise<T> {
    this.#surroundings.health.assertAvailable()
    return this.lane.run(() => job((work) => this.#perform(work)))
  }

  async #perform<T>({ bare, run }: Work<T>): Promise<T> {
    this.#surroundings.health.assertAvailable()
    return bare && !this.#unended
      ? this.#bare(run)
      : this.top(({ writes, announce }) => run(writes, announce), this.#limit)
  }

  async #bare<T>(run: Work<T>['run']): Promise<T> {
    const runner = this.#surroundings.engine.writer.createQueryRunner()
    const running = new Running(runner, 0, this.#surroundings)
    try {
      return await run(running.writes, (draft) => running.announce(draft))
    } finally {
      running.open = false
      await runner.release()
    }
  }

  /** A transaction of its own, without waiting for the lane: only for who runs on it. Changes of tables may take their time. */
  async top<T>(
    fn: (transaction: {
      readonly writes: Writes
      readonly runner: QueryRunner
      announce(draft: Draft): void
    }) => Promise<T>,
    limit?: number,
  ): Promise<T> {
    const { engine, announcements } = this.#surroundings
    const runner = engine.writer.createQueryRunner()
    const running = new Running(runner, 0, this.#surroundings)
    try {
      await this.#statement(() => begin(engine.dialect, runner))
      this.#unended = false
      const result = await this.#body(
        running,
        () => fn({ writes: running.writes, runner, announce: (draft) => running.announce(draft) }),
        limit,
      )
      const events = await this.#statement(() => announcements.write(engine.dialect, runner, running.events))
      await this.#statement(() => execute(engine.dialect, runner, 'COMMIT'))
      // Before anybody else commits, so that telling follows commits.
      announcements.tell(events)
      return result
    } catch (error) {
      await this.#rollBack(runner, 'ROLLBACK')
      throw error
    } finally {
      await runner.release()
    }
  }

  async #savepoint<T>(outer: Running, fn: (db: Writes) => Promise<T>): Promise<T> {
    const { runner } = outer
    if (!outer.open) throw new Error('The transaction around this one has ended: await everything that it does')
    const running = new Running(runner, outer.depth + 1, this.#surroundings)
    const name = `mynah_${running.depth}`
    await this.#statement(() => runner.query(`SAVEPOINT ${name}`))
    try {
      const result = await this.#body(running, () => fn(running.writes), this.#limit)
      await this.#statement(() => runner.query(`RELEASE SAVEPOINT ${name}`))
      outer.events.push(...running.events)
      return result
    } catch (error) {
      await this.#rollBack(runner, `ROLLBACK TO SAVEPOINT ${name}`, `RELEASE SAVEPOINT ${name}`)
      throw error
    }
  }

  /** Runs the body, within a time limit or not; nothing can be done in its name afterwards. */
  async #body<T>(running: Running, body: () => Promise<T>, limit: number | undefined): Promise<T> {
    const work = async (): Promise<T> => {
      const result = await this.#current.run(running, body)
      await running.inner.idle()
      return result
    }
    try {
      return await (limit === undefined ? work() : within(limit, work()))
    } finally {
      running.open = false
    }
  }

  async #statement<T>(statement: () => Promise<T>): Promise<T> {
    try {
      return await statement()
    } catch (error) {
      this.#surroundings.health.failed(error)
      throw toRefusal(error)
    }
  }

  /** The failure that led here is what the caller learns; one of rolling back matters to the next transaction only, which clears up. */
  async #rollBack(runner: QueryRunner, ...statements: string[]): Promise<void> {
    try {
      for (const sql of statements) await runner.query(sql)
    } catch (error) {
      this.#unended = true
      // SQLite has rolled back by itself after some failures, such as a full disk; a lost connection has nothing to roll back.
      if (isAway(error)) this.#surroundings.health.failed(error)
    }
  }
}

async function begin(dialect: Dialect, runner: QueryRunner): Promise<void> {
  try {
    await execute(dialect, runner, 'BEGIN')
  } catch (error) {
    if (!/within a transaction/.test((error as Error).message)) throw error
    await runner.query('ROLLBACK')
    await execute(dialect, runner, 'BEGIN')
  }
}

async function within<T>(limit: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new Error(`A transaction was rolled back after ${limit / 1000} s; it must not wait for what may not come`),
        ),
      limit,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
