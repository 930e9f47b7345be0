// Transactions: one at a time on the writing connection; one inside of another is a savepoint of it.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { QueryRunner } from 'typeorm'
import type { Writes } from '../api.js'
import type { Engine } from '../engine/engine.js'
import { isAway, toRefusal } from '../failures.js'
import type { Health } from './health.js'
import { Lane } from './lane.js'
import { writesOn } from './rows.js'
import type { Schema } from './schema.js'

/** Longer than this nobody may hold up all other writers. */
const LIMIT_MS = 30_000

/** A transaction or savepoint that runs. */
class Running {
  open = true
  /** Savepoints inside of it, one at a time. */
  readonly inner = new Lane()
  readonly writes: Writes
  readonly runner: QueryRunner
  readonly depth: number

  constructor(runner: QueryRunner, depth: number, engine: Engine, schema: Schema, health: Health) {
    this.runner = runner
    this.depth = depth
    this.writes = writesOn({
      dialect: engine.dialect,
      runner: () => {
        if (!this.open) throw new Error('This transaction has ended: await everything that it does')
        return runner
      },
      metadata: (entity) => schema.metadata(entity, engine.writer),
      failed: (error) => health.failed(error),
    })
  }
}

export class Transactions {
  readonly lane = new Lane()
  readonly #engine: Engine
  readonly #schema: Schema
  readonly #health: Health
  readonly #current = new AsyncLocalStorage<Running>()
  readonly #limit: number

  constructor(engine: Engine, schema: Schema, health: Health, limit = LIMIT_MS) {
    this.#engine = engine
    this.#schema = schema
    this.#health = health
    this.#limit = limit
  }

  /** What the caller's transaction writes with, where it is in one. */
  get current(): Writes | undefined {
    const running = this.#current.getStore()
    return running?.open ? running.writes : undefined
  }

  async run<T>(fn: (db: Writes) => Promise<T>): Promise<T> {
    const outer = this.#current.getStore()
    if (outer?.open) return outer.inner.run(() => this.#savepoint(outer, fn))
    this.#health.assertAvailable()
    return this.lane.run(() => {
      this.#health.assertAvailable()
      return this.top(fn, this.#limit)
    })
  }

  /** A transaction of its own, without waiting for the lane: only for who runs on it. Changes of tables may take their time. */
  async top<T>(fn: (db: Writes, runner: QueryRunner) => Promise<T>, limit?: number): Promise<T> {
    const runner = this.#engine.writer.createQueryRunner()
    const running = new Running(runner, 0, this.#engine, this.#schema, this.#health)
    try {
      await this.#statement(() => begin(runner))
      const result = await this.#body(running, () => fn(running.writes, runner), limit)
      await this.#statement(() => runner.query('COMMIT'))
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
    const running = new Running(runner, outer.depth + 1, this.#engine, this.#schema, this.#health)
    const name = `mynah_${running.depth}`
    await this.#statement(() => runner.query(`SAVEPOINT ${name}`))
    try {
      const result = await this.#body(running, () => fn(running.writes), this.#limit)
      await this.#statement(() => runner.query(`RELEASE SAVEPOINT ${name}`))
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

  async #statement(statement: () => Promise<unknown>): Promise<void> {
    try {
      await statement()
    } catch (error) {
      this.#health.failed(error)
      throw toRefusal(error)
    }
  }

  /** The failure that led here is what the caller learns; one of rolling back matters to the next transaction only, which clears up. */
  async #rollBack(runner: QueryRunner, ...statements: string[]): Promise<void> {
    try {
      for (const sql of statements) await runner.query(sql)
    } catch (error) {
      // SQLite has rolled back by itself after some failures, such as a full disk; a lost connection has nothing to roll back.
      if (isAway(error)) this.#health.failed(error)
    }
  }
}

async function begin(runner: QueryRunner): Promise<void> {
  try {
    await runner.query('BEGIN')
  } catch (error) {
    if (!/within a transaction/.test((error as Error).message)) throw error
    await runner.query('ROLLBACK')
    await runner.query('BEGIN')
  }
}

async function within<T>(limit: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`A transaction was rolled back after ${limit / 1000} s; it must not wait for what may not come`)), limit)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
