// The service of the database: reading, writing, and stores that need no table.
import { hook, service, type Service } from '@mynah/kernel'
import type { Publication } from '@mynah/plugin-events/api'
import type { Dialect, Statements } from './statements.js'
import type { Entity } from './table.js'

/** A value in a condition. */
export type Scalar = string | number | boolean | null
/** Comparisons of one column, all of which must hold. `$like` ignores case; `%` and `_` match any characters. */
export interface Comparison {
  readonly $eq?: Scalar
  readonly $ne?: Scalar
  readonly $lt?: string | number
  readonly $lte?: string | number
  readonly $gt?: string | number
  readonly $gte?: string | number
  readonly $in?: readonly Scalar[]
  readonly $like?: string
}
/** Map from column to value or comparisons, all of which must hold. */
export type Where<T = Record<string, unknown>> = { readonly [K in keyof T]?: Scalar | Comparison }

/** Selection, order and range of rows. */
export interface Find<T> {
  readonly where?: Where<T>
  /** Map from column to direction, in order of priority; default: by primary key. */
  readonly order?: { readonly [K in keyof T]?: 'asc' | 'desc' }
  readonly limit?: number
  readonly offset?: number
}

/** Read operations. */
export interface Reads extends Statements {
  find<T extends object>(entity: Entity<T>, options?: Find<T>): Promise<T[]>
  findOne<T extends object>(entity: Entity<T>, where: Where<T>): Promise<T | undefined>
  count<T extends object>(entity: Entity<T>, where?: Where<T>): Promise<number>
}

/** Write operations inside a transaction. They are invalid after its end. */
export interface Writes extends Reads {
  insert<T extends object>(entity: Entity<T>, rows: T | readonly T[]): Promise<void>
  /**
   * Inserts rows whose key does not exist yet. Returns for each row whether it was inserted. Rows need a primary key.
   */
  insertNew<T extends object>(entity: Entity<T>, rows: readonly T[]): Promise<readonly boolean[]>
  /** Inserts a row, or updates the row with the same values in the columns `keys`. */
  upsert<T extends object>(entity: Entity<T>, row: T, keys: readonly (keyof T & string)[]): Promise<void>
  /**
   * Updates rows by primary key, in order. Only the given columns change, and only if `when` holds for the stored row.
   * Returns for each row whether it was updated.
   */
  change<T extends object>(entity: Entity<T>, rows: readonly Partial<T>[], when?: Where<T>): Promise<readonly boolean[]>
  /** Updates rows and returns their number. Rejects an empty condition. */
  update<T extends object>(entity: Entity<T>, where: Where<T>, changes: Partial<T>): Promise<number>
  /** Deletes rows and returns their number. Rejects an empty condition. */
  delete<T extends object>(entity: Entity<T>, where: Where<T>): Promise<number>
  /** Runs a statement and returns the number of rows that it changed. */
  run(sql: string, parameters?: readonly unknown[]): Promise<number>
  /**
   * Publishes an event with this transaction. The event is committed with it, and clients of the event stream receive
   * it after
   * the commit, in the order of commits. A rollback of the transaction or savepoint discards the event.
   *
   * @throws Error if `data` cannot be written as JSON
   */
  announce(publication: Publication): void
}

/** Events for rows, at the same index as the row. An event is published only if its row was written. */
export type RowEvents = readonly (Publication | undefined)[]

/** One step of {@link Database.write}, created with {@link step}. */
export interface Step {
  readonly kind: 'append' | 'appendNew' | 'change'
  readonly entity: Entity
  readonly rows: readonly object[]
  readonly events?: RowEvents | undefined
  readonly when?: Where | undefined
}

/**
 * Creates steps for {@link Database.write}.
 *
 * @example
 * await database.write([
 *   step.append(Answers, [answer], [event(wire.events, 'rooms:answered', answer)]),
 *   step.change(Questions, [{ id: question.id, state: 'answered' }]),
 * ])
 */
export const step = {
  /** Same as {@link Database.append}. */
  append: <T extends object>(entity: Entity<T>, rows: readonly T[], events?: RowEvents): Step => ({
    kind: 'append',
    entity: entity as unknown as Entity,
    rows,
    events,
  }),
  /** Same as {@link Database.appendNew}. */
  appendNew: <T extends object>(entity: Entity<T>, rows: readonly T[], events?: RowEvents): Step => ({
    kind: 'appendNew',
    entity: entity as unknown as Entity,
    rows,
    events,
  }),
  /** Same as {@link Database.change}. */
  change: <T extends object>(
    entity: Entity<T>,
    rows: readonly Partial<T>[],
    events?: RowEvents,
    when?: Where<T>,
  ): Step => ({ kind: 'change', entity: entity as unknown as Entity, rows, events, when: when as Where | undefined }),
} as const

/** Fields of a document, which need no table. */
export type Fields = Readonly<Record<string, unknown>>
export type Document<F extends object = Fields> = { readonly id: string } & F

/** A named store of documents. */
export interface DocumentStore<F extends object = Fields> {
  get(id: string): Promise<Document<F> | undefined>
  /**
   * Adds a document under a new id that sorts after earlier ones, or under the given id. Rejects with `conflict` if it
   * exists.
   */
  add(fields: F, id?: string): Promise<Document<F>>
  /** Stores a document and replaces an existing one. */
  put(id: string, fields: F): Promise<Document<F>>
  /** Updates the given fields of the matching documents and returns their number. */
  update(where: Where, changes: Partial<F>): Promise<number>
  remove(id: string): Promise<boolean>
  /** Returns documents in the order of their ids. Conditions apply to `id` and to top-level fields. */
  find(options?: { readonly where?: Where; readonly limit?: number; readonly offset?: number }): Promise<Document<F>[]>
  count(where?: Where): Promise<number>
}

/** One entry of a key-value store. */
export interface KeyValueEntry {
  readonly key: string
  readonly value: unknown
  readonly expiresAt?: number
}

/** A named store of JSON values by key. */
export interface KeyValueStore {
  get<T = unknown>(key: string): Promise<T | undefined>
  /** Sets a value, which expires after `ttl` seconds if given. */
  set(key: string, value: unknown, options?: { readonly ttl?: number }): Promise<void>
  delete(key: string): Promise<boolean>
  entries(options?: { readonly limit?: number; readonly offset?: number }): Promise<KeyValueEntry[]>
  count(): Promise<number>
}

/** Owner of a store; see {@link Entity.package}. */
export interface StoreOptions {
  readonly package?: string
}

/** Availability of the database. */
export interface DatabaseStatus {
  readonly available: boolean
  /** Reason why the database is not available. */
  readonly reason?: string
  /** Name of the file to which a damaged database was moved at this start. */
  readonly setAside?: string
}

/**
 * The database. All writes go through one queue, so that transactions never mix. While the disk is full or the server
 * is
 * unavailable, all calls reject with a `WireError` `not_ready` within a second. They work again without a restart.
 */
export interface Database {
  readonly dialect: Dialect
  readonly status: DatabaseStatus
  /**
   * Runs `fn` in a transaction, which is committed when `fn` resolves and rolled back when it throws. A nested `tx` is
   * a
   * savepoint. A transaction may take 30 s and must not wait for another transaction that started outside of it.
   */
  tx<T>(fn: (db: Writes) => Promise<T>): Promise<T>
  /** Reads committed rows concurrently with writers. Inside a transaction, reads its own writes. */
  read<T>(fn: (db: Reads) => Promise<T>): Promise<T>
  /**
   * Inserts rows. Calls that arrive during a commit are committed together. Inside a transaction the rows become part
   * of it.
   * Both also hold for `appendNew`, `change` and `write`. `events` are published with the rows.
   */
  append<T extends object>(entity: Entity<T>, rows: readonly T[], events?: RowEvents): Promise<void>
  /**
   * Same as {@link Database.append}, but skips rows with an existing key. Returns for each row whether it was inserted.
   */
  appendNew<T extends object>(entity: Entity<T>, rows: readonly T[], events?: RowEvents): Promise<readonly boolean[]>
  /**
   * Updates rows by primary key. Returns for each row whether it existed and `when` held. Several changes of one row
   * are made
   * in the order of the calls. A transaction that starts before a change has resolved may be committed before it.
   *
   * @example
   * const [begun] = await database.change(Jobs, [{ id, state: 'running' }], undefined, { state: 'waiting' })
   */
  change<T extends object>(
    entity: Entity<T>,
    rows: readonly Partial<T>[],
    events?: RowEvents,
    when?: Where<T>,
  ): Promise<readonly boolean[]>
  /** Runs several {@link step}s, all or none. Returns the result of each step for each row. */
  write(unit: readonly Step[]): Promise<readonly (readonly boolean[])[]>
  documents<F extends object = Fields>(name: string, options?: StoreOptions): DocumentStore<F>
  kv(name: string, options?: StoreOptions): KeyValueStore
}
export const Database: Service<Database> = service<Database>('database', { plugin: 'database' })

/** Emitted when the database became unavailable or available again. */
export const databaseChanged = hook<DatabaseStatus>('database.changed')
