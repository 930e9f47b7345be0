// Stores and hosts for tests, on every database system that can run here, with nothing left behind.
import { channel } from 'node:diagnostics_channel'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import { entity, type DatabaseStatus, type Dialect } from '../api.js'
import { openPostgres } from '../engine/postgres.js'
import { openSqlite } from '../engine/sqlite.js'
import { Store } from '../store/store.js'
import { startPostgres, needPostgres, type TestServer } from './postgres-server.js'

export { until }

export interface Item {
  readonly id: string
  readonly value: string | null
  readonly size: number
  readonly flag: boolean
  readonly detail: unknown
}

/** A table with a column of every kind. */
export const Items = entity<Item>({
  package: 'mynah-plugin-items',
  name: 'item',
  columns: {
    id: { type: 'text', primary: true },
    value: { type: 'text', nullable: true, unique: true },
    size: { type: 'bigint', default: 0 },
    flag: { type: 'boolean', default: false },
    detail: { type: 'simple-json', nullable: true },
  },
})

/** Returns a row of {@link Items}. */
export function item(id: string, rest: Partial<Item> = {}): Item {
  return { id, value: null, size: 0, flag: false, detail: null, ...rest }
}

export interface Opened {
  readonly store: Store
  readonly changes: DatabaseStatus[]
  /** Errors that listeners of commits threw. */
  readonly failures: unknown[]
  close(): Promise<void>
}

let server: Promise<TestServer> | undefined
/** Tells tools/suites.mjs that the current test file uses a process that another one has started. */
const uses = channel('mynah:test-uses')

/** Returns the PostgreSQL server of this process. */
export function postgres(): Promise<TestServer> {
  uses.publish('PostgreSQL')
  return (server ??= startPostgres())
}

/** Creates a folder for a test. */
export async function folder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'mynah-database-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** Opens an empty store with the table of {@link Items}. */
export async function openStore(dialect: Dialect, options: { transactionLimit?: number } = {}): Promise<Opened> {
  const changes: DatabaseStatus[] = []
  const failures: unknown[] = []
  const events = {
    changed: (status: DatabaseStatus) => void changes.push(status),
    tableFailed: (_table: string, error: Error) => {
      throw error
    },
    listenerFailed: (error: unknown) => void failures.push(error),
  }
  if (dialect === 'postgres') {
    const running = await postgres()
    const url = await running.create()
    const store = await new Store(await openPostgres(url), systemClock, events, options).open()
    await store.contribute([Items])
    return {
      store,
      changes,
      failures,
      close: async () => {
        await store.close()
        await running.drop(url)
      },
    }
  }
  const { path, remove } = await folder()
  const store = await new Store(
    await openSqlite(join(path, 'test.sqlite'), Date.now()),
    systemClock,
    events,
    options,
  ).open()
  await store.contribute([Items])
  return {
    store,
    changes,
    failures,
    close: async () => {
      await store.close()
      await remove()
    },
  }
}

/** Declares the same tests for every system; where one cannot run they are pending with the reason. */
export function onEverySystem(
  title: string,
  tests: (open: (options?: { transactionLimit?: number }) => Promise<Opened>, dialect: Dialect) => void,
): void {
  for (const dialect of ['sqlite', 'postgres'] as const) {
    describe(`${title} (${dialect})`, () => {
      const opened: Opened[] = []
      before(async function () {
        this.timeout(60_000)
        if (dialect === 'sqlite') return
        await needPostgres(this)
        await postgres()
      })
      afterEach(async () => {
        for (const { close } of opened.splice(0)) await close()
      })
      tests(async (options) => {
        const one = await openStore(dialect, options)
        opened.push(one)
        return one
      }, dialect)
    })
  }
}

/** Returns the failure of a promise that must not succeed. */
export async function failureOf(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  try {
    await promise
  } catch (error) {
    return error as Error
  }
  throw new Error('this should have failed')
}

/** Waits for `work`; where failures are measured (see `faults/`) it must not take longer than `limit` ms. */
export async function within<T>(limit: number, work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await work()
  const took = performance.now() - began
  if (process.env.MYNAH_MEASURE_FAULTS && took > limit) throw new Error(`took ${Math.round(took)} ms, not ${limit}`)
  return result
}
