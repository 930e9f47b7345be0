import { AsyncLocalStorage } from 'node:async_hooks'
import type { QueryRunner } from 'typeorm'
import type { Dialect, Writes } from '../api.js'
import { assertConnected, execute, type Engine } from '../engine/engine.js'
import type { Publication } from '@mynah/plugin-events/api'
import { isAborted, isUnavailable, toWireError } from '../driver-errors.js'
import { toDraft, type Announcements, type Draft } from './announcements.js'
import type { Availability } from './availability.js'
import { SerialQueue } from '@mynah/kernel/util'
import { createWrites } from './rows.js'
import type { Schema } from './schema.js'
import type { RunJob, WriteQueue, WriteJob } from './write-queue.js'

/** Maximum duration of a transaction, because it blocks all other writers. */
const LIMIT_MS = 30_000

/** A running transaction or savepoint. */
class ActiveTransaction {
  open = true
  /** The first failure of a statement. */
  failure: unknown
  /** Runs nested savepoints one at a time. */
  readonly inner = new SerialQueue()
  /** Events to publish, including those of released savepoints. */
  readonly events: Draft[] = []
  readonly writes: Writes
  readonly runner: QueryRunner
  readonly depth: number

  constructor(runner: QueryRunner, depth: number, { engine, schema, availability, now }: TransactionContext) {
    this.runner = runner
    this.depth = depth
    this.writes = createWrites({
      dialect: engine.dialect,
      runner: () => {
        this.#assertOpen()
        assertConnected(runner)
        return runner
      },
      metadata: (entity) => schema.metadata(entity, engine.writer),
      failed: (error) => {
        this.failure ??= error
        availability.reportFailure(error)
        return toWireError(error)
      },
      announce: (publication: Publication) => this.announce(toDraft(publication, now())),
    })
  }

  announce(draft: Draft): void {
    this.#assertOpen()
    this.events.push(draft)
  }

  #assertOpen(): void {
    if (!this.open) throw new Error('This transaction has ended; await everything that it does')
  }
}

/** Services that transactions use. */
export interface TransactionContext {
  readonly engine: Engine
  readonly schema: Schema
  readonly availability: Availability
  readonly announcements: Announcements
  readonly now: () => number
  /** Maximum duration of a transaction in milliseconds. */
  readonly limit?: number | undefined
}

/** Runs transactions one at a time on the writing connection. A nested transaction is a savepoint. */
export class Transactions implements WriteQueue {
  readonly queue = new SerialQueue()
  /** An earlier rollback failed. The next transaction rolls back first, and no statement runs without a transaction. */
  #needsRollback = false
  readonly #context: TransactionContext
  readonly #current = new AsyncLocalStorage<ActiveTransaction>()
  readonly #limit: number

  constructor(context: TransactionContext) {
    this.#context = context
    this.#limit = context.limit ?? LIMIT_MS
  }

  /** The transaction of the caller, if there is one. */
  get current(): Pick<ActiveTransaction, 'writes' | 'announce'> | undefined {
    const running = this.#current.getStore()
    return running?.open ? running : undefined
  }

  /** Runs `fn` in a savepoint of the transaction of the caller, or else in a new transaction. */
  async run<T>(fn: (db: Writes) => Promise<T>): Promise<T> {
    const outer = this.#current.getStore()
    return outer?.open ? outer.inner.run(() => this.#savepoint(outer, fn)) : this.alone(fn)
  }

  /** Runs `fn` in a new transaction after all earlier ones have ended. */
  alone<T>(fn: (db: Writes) => Promise<T>): Promise<T> {
    return this.enqueue((perform) => perform({ bare: false, run: fn }))
  }

  /** Disables the async storage. While it is enabled, each promise of the process carries a slot for it. */
  close(): void {
    this.#current.disable()
  }

  /** The job that was enqueued last. */
  get latest(): unknown {
    return this.queue.latest
  }

  /** Runs `job`, in one transaction or several, after all earlier jobs have ended. */
  async enqueue<T>(job: (perform: RunJob) => Promise<T>): Promise<T> {
    this.#context.availability.assertAvailable()
    return this.queue.run(() => job((work) => this.#perform(work)))
  }

  async #perform<T>({ bare, run }: WriteJob<T>): Promise<T> {
    this.#context.availability.assertAvailable()
    return bare && !this.#needsRollback
      ? this.#bare(run)
      : this.top(({ writes, announce }) => run(writes, announce), this.#limit)
  }

  async #bare<T>(run: WriteJob<T>['run']): Promise<T> {
    const runner = this.#context.engine.writer.createQueryRunner()
    const running = new ActiveTransaction(runner, 0, this.#context)
    try {
      return await run(running.writes, (draft) => running.announce(draft))
    } finally {
      running.open = false
      await runner.release()
    }
  }

  /** Runs a new transaction without waiting for the queue. For callers that are already in the queue. */
  async top<T>(
    fn: (transaction: {
      readonly writes: Writes
      readonly runner: QueryRunner
      announce(draft: Draft): void
    }) => Promise<T>,
    limit?: number,
  ): Promise<T> {
    const { engine, announcements } = this.#context
    const runner = engine.writer.createQueryRunner()
    const running = new ActiveTransaction(runner, 0, this.#context)
    try {
      await this.#statement(runner, () => begin(engine.dialect, runner, this.#needsRollback))
      this.#needsRollback = false
      await this.#statement(runner, () => announcements.catchUp(runner))
      const result = await this.#body(
        running,
        () => fn({ writes: running.writes, runner, announce: (draft) => running.announce(draft) }),
        limit,
      )
      // Delivers the events before anybody else commits, so that telling follows commits.
      await this.#statement(runner, () => announcements.commit(runner, running.events))
      // The transaction is committed. The next one delivers what cannot be read now.
      await announcements.catchUp(runner).catch((error: unknown) => this.#context.availability.reportFailure(error))
      return result
    } catch (error) {
      await this.#rollBack(runner, 'ROLLBACK')
      throw reasonOf(error, running)
    } finally {
      await runner.release()
    }
  }

  async #savepoint<T>(outer: ActiveTransaction, fn: (db: Writes) => Promise<T>): Promise<T> {
    const { runner } = outer
    if (!outer.open) throw new Error('The outer transaction has ended; await everything that it does')
    const running = new ActiveTransaction(runner, outer.depth + 1, this.#context)
    const name = `mynah_${running.depth}`
    await this.#statement(runner, () => runner.query(`SAVEPOINT ${name}`))
    try {
      const result = await this.#body(running, () => fn(running.writes), this.#limit)
      await this.#statement(runner, () => runner.query(`RELEASE SAVEPOINT ${name}`))
      outer.events.push(...running.events)
      return result
    } catch (error) {
      await this.#rollBack(runner, `ROLLBACK TO SAVEPOINT ${name}`, `RELEASE SAVEPOINT ${name}`)
      throw reasonOf(error, running)
    }
  }

  /** Runs the body, with an optional time limit. The transaction is invalid afterwards. */
  async #body<T>(running: ActiveTransaction, body: () => Promise<T>, limit: number | undefined): Promise<T> {
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

  async #statement<T>(runner: QueryRunner, statement: () => Promise<T>): Promise<T> {
    try {
      assertConnected(runner)
      return await statement()
    } catch (error) {
      this.#context.availability.reportFailure(error)
      throw toWireError(error)
    }
  }

  /**
   * Rolls back. A failure is not thrown, because the caller gets the original error. The next transaction rolls back
   * again.
   */
  async #rollBack(runner: QueryRunner, ...statements: string[]): Promise<void> {
    try {
      for (const sql of statements) await runner.query(sql)
    } catch (error) {
      this.#needsRollback = true
      // SQLite rolls back by itself after some failures, such as a full disk. A lost connection has nothing to roll
      // back.
      if (isUnavailable(error)) this.#context.availability.reportFailure(error)
    }
  }
}

/** PostgreSQL refuses all that follows a failed statement: the reason is that one. */
const reasonOf = (error: unknown, { failure }: ActiveTransaction): unknown =>
  isAborted(error) && failure !== undefined && !isAborted(failure) ? toWireError(failure) : error

async function begin(dialect: Dialect, runner: QueryRunner, needsRollback: boolean): Promise<void> {
  // PostgreSQL would only warn, and go on with what is left of the transaction before.
  if (needsRollback && dialect === 'postgres') await runner.query('ROLLBACK')
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
        reject(new Error(`A transaction was rolled back after ${limit / 1000} s; it must not wait for anything slow`)),
      limit,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
