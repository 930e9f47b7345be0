// What other plugins may know of the database: the service, how to contribute a table, the two stores. Loads no database.
import { hook, point, service, type Service } from '@mynah/kernel'
import type { Publication } from '@mynah/plugin-events/api'
import type { EntitySchemaOptions } from 'typeorm'

/** A step from an older form of a table to the one that its entity declares. */
export interface Migration {
  /** Unique within its table; migrations run in the order of the list, each once. */
  readonly name: string
  up(db: Statements): Promise<void>
}

/** A table that a plugin contributes; made with {@link entity}. */
export interface Entity<T extends object = object> {
  /** Name of the table and of the entity. */
  readonly table: string
  readonly schema: EntitySchemaOptions<object>
  readonly migrations: readonly Migration[]
  readonly created?: (db: Statements) => Promise<void>
  /** The package that the table belongs to; the console writes to no table of `@mynah/…` unless `database.consoleWrites` is `all`. */
  readonly package: string
  readonly '~row'?: T
}

/** What {@link entity} takes: the options of a TypeORM `EntitySchema` whose `name` is the table. */
export interface EntityDefinition<T extends object> extends Pick<
  EntitySchemaOptions<T>,
  'name' | 'columns' | 'indices' | 'uniques' | 'checks'
> {
  readonly package: string
  readonly migrations?: readonly Migration[]
  /** Runs in the transaction that makes the table, for what columns cannot say, such as triggers. Migrations do not run then. */
  readonly created?: (db: Statements) => Promise<void>
}

const NAME = /^[a-z][a-z0-9_]{0,62}$/

/**
 * Declares a table. Ids are `text`, times `bigint` milliseconds, so that SQLite and PostgreSQL hold the same; both know
 * `text`, `integer`, `bigint`, `real`, `boolean` and `simple-json`. A table that is missing is created as declared; columns
 * and indices that are missing are added; everything else is up to migrations. Nothing is ever dropped.
 *
 * @example
 * export const Rooms = entity<Room>({
 *   package: 'mynah-plugin-rooms', name: 'room',
 *   columns: { id: { type: 'text', primary: true }, opened: { type: 'bigint' } },
 * })
 */
export function entity<T extends object>(definition: EntityDefinition<T>): Entity<T> {
  const { package: owner, migrations = [], created, ...schema } = definition
  if (!NAME.test(schema.name))
    throw new Error(`The table name "${schema.name}" must be lower-case letters, digits and "_", at most 63`)
  return Object.freeze({
    table: schema.name,
    schema: schema as unknown as EntitySchemaOptions<object>,
    migrations,
    package: owner,
    ...(created ? { created } : {}),
  })
}

/** All tables of a host. Contribute before using a table; it is ready for whatever is asked of the service from then on. */
export const entities = point<Entity>({ id: 'database.entities', key: (declared) => declared.table })

/** A value in a condition. */
export type Scalar = string | number | boolean | null
/** Comparisons of one column; several hold together. `$like` ignores case, `%` and `_` stand for any characters. */
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
/** Column to value or comparisons; all of them hold. */
export type Where<T = Record<string, unknown>> = { readonly [K in keyof T]?: Scalar | Comparison }

/** Which rows, in which order. */
export interface Find<T> {
  readonly where?: Where<T>
  /** Column to direction, the first column first; by primary key unless said otherwise. */
  readonly order?: { readonly [K in keyof T]?: 'asc' | 'desc' }
  readonly limit?: number
  readonly offset?: number
}

/** Plain SQL; parameters are written `$1`, `$2`, … in both dialects. */
export interface Statements {
  readonly dialect: Dialect
  /** Rows of a query or of a `RETURNING` clause. */
  query<R = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]): Promise<R[]>
}

export type Dialect = 'sqlite' | 'postgres'

/** Reading. */
export interface Reads extends Statements {
  find<T extends object>(entity: Entity<T>, options?: Find<T>): Promise<T[]>
  findOne<T extends object>(entity: Entity<T>, where: Where<T>): Promise<T | undefined>
  count<T extends object>(entity: Entity<T>, where?: Where<T>): Promise<number>
}

/** Writing, inside of a transaction and ended with it. */
export interface Writes extends Reads {
  insert<T extends object>(entity: Entity<T>, rows: T | readonly T[]): Promise<void>
  /** Inserts what has no equal key yet; says of each row whether it was inserted. Rows carry their primary key. */
  insertNew<T extends object>(entity: Entity<T>, rows: readonly T[]): Promise<readonly boolean[]>
  /** Inserts, or changes the row whose columns `keys` are equal. */
  upsert<T extends object>(entity: Entity<T>, row: T, keys: readonly (keyof T & string)[]): Promise<void>
  /**
   * Changes the rows whose primary keys are given, in order; says of each whether it was there. Only the named columns change,
   * and only where `when` holds of the row as it is.
   */
  change<T extends object>(entity: Entity<T>, rows: readonly Partial<T>[], when?: Where<T>): Promise<readonly boolean[]>
  /** Changes rows and gives their number; an empty condition is refused. */
  update<T extends object>(entity: Entity<T>, where: Where<T>, changes: Partial<T>): Promise<number>
  /** Deletes rows and gives their number; an empty condition is refused. */
  delete<T extends object>(entity: Entity<T>, where: Where<T>): Promise<number>
  /** Rows that a statement changed. */
  run(sql: string, parameters?: readonly unknown[]): Promise<number>
  /**
   * Announces what this transaction does: the event is committed with it, and clients of the event stream are told after the
   * commit, in the order of commits. With a transaction or savepoint that is rolled back its events are forgotten.
   *
   * @throws Error where `data` cannot be written as JSON.
   */
  announce(publication: Publication): void
}

/** Events that announce rows, one a row at the same index; an event goes only with a row that was written. */
export type RowEvents = readonly (Publication | undefined)[]

/** One step of what {@link Database.write} does; made with {@link step}. */
export interface Step {
  readonly kind: 'append' | 'appendNew' | 'change'
  readonly entity: Entity
  readonly rows: readonly object[]
  readonly events?: RowEvents | undefined
  readonly when?: Where | undefined
}

/**
 * Makes the steps of {@link Database.write}.
 *
 * @example
 * await database.write([
 *   step.append(Answers, [answer], [event(wire.events, 'rooms:answered', answer)]),
 *   step.change(Questions, [{ id: question.id, state: 'answered' }]),
 * ])
 */
export const step = {
  /** As {@link Database.append}. */
  append: <T extends object>(entity: Entity<T>, rows: readonly T[], events?: RowEvents): Step => ({
    kind: 'append',
    entity: entity as unknown as Entity,
    rows,
    events,
  }),
  /** As {@link Database.appendNew}. */
  appendNew: <T extends object>(entity: Entity<T>, rows: readonly T[], events?: RowEvents): Step => ({
    kind: 'appendNew',
    entity: entity as unknown as Entity,
    rows,
    events,
  }),
  /** As {@link Database.change}. */
  change: <T extends object>(
    entity: Entity<T>,
    rows: readonly Partial<T>[],
    events?: RowEvents,
    when?: Where<T>,
  ): Step => ({ kind: 'change', entity: entity as unknown as Entity, rows, events, when: when as Where | undefined }),
} as const

/** A document: fields that need no table. */
export type Fields = Readonly<Record<string, unknown>>
export type Document<F extends object = Fields> = { readonly id: string } & F

/** Documents of one name. */
export interface DocumentStore<F extends object = Fields> {
  get(id: string): Promise<Document<F> | undefined>
  /** Adds a document under a new id that sorts after the earlier ones, or under the given one (`conflict` when it is taken). */
  add(fields: F, id?: string): Promise<Document<F>>
  /** Puts a whole document in place of whatever is there. */
  put(id: string, fields: F): Promise<Document<F>>
  /** Changes the given fields of the matching documents. */
  update(where: Where, changes: Partial<F>): Promise<number>
  remove(id: string): Promise<boolean>
  /** Documents by id; conditions are on `id` and on top-level fields. */
  find(options?: { readonly where?: Where; readonly limit?: number; readonly offset?: number }): Promise<Document<F>[]>
  count(where?: Where): Promise<number>
}

/** One value of a key-value store. */
export interface KeyValueEntry {
  readonly key: string
  readonly value: unknown
  readonly expiresAt?: number
}

/** JSON values by key. */
export interface KeyValueStore {
  get<T = unknown>(key: string): Promise<T | undefined>
  /** Sets a value, for `ttl` seconds where given. */
  set(key: string, value: unknown, options?: { readonly ttl?: number }): Promise<void>
  delete(key: string): Promise<boolean>
  entries(options?: { readonly limit?: number; readonly offset?: number }): Promise<KeyValueEntry[]>
  count(): Promise<number>
}

/** Whose a store is; see {@link Entity.package}. */
export interface StoreOptions {
  readonly package?: string
}

/** Whether the database answers, and why not. */
export interface DatabaseStatus {
  readonly available: boolean
  /** Why it is not available. */
  readonly reason?: string
  /** Name of the file that a damaged database was moved to at this start. */
  readonly setAside?: string
}

/**
 * The database. Everything that writes goes through one lane, so that transactions never mix. While the disk is full or the
 * server is away everything rejects with a `WireError` `not_ready` within a second, and works again by itself.
 */
export interface Database {
  readonly dialect: Dialect
  readonly status: DatabaseStatus
  /**
   * Runs `fn` in a transaction: all that it writes is kept when it resolves and nothing when it throws. A `tx` inside is a
   * savepoint. It may take 30 s and must not wait for another transaction that began outside of it.
   */
  tx<T>(fn: (db: Writes) => Promise<T>): Promise<T>
  /** Reads committed rows, beside the writers; inside a transaction what it wrote itself. */
  read<T>(fn: (db: Reads) => Promise<T>): Promise<T>
  /**
   * Inserts rows, in one commit with others that arrive while the last commit runs; inside a transaction, as part of it. So do
   * the three that follow. `events` announce the rows.
   */
  append<T extends object>(entity: Entity<T>, rows: readonly T[], events?: RowEvents): Promise<void>
  /** As {@link Database.append}, but skips what has an equal key; says of each row whether it was added. */
  appendNew<T extends object>(entity: Entity<T>, rows: readonly T[], events?: RowEvents): Promise<readonly boolean[]>
  /**
   * Changes the rows whose primary keys are given; says of each whether it was there and `when` held of it. Several changes of
   * one row are made in the order of the calls; a transaction that begins before one has resolved may be committed before it.
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
  /** Takes several {@link step}s, all of them or none; says of each step and row what the step alone would say. */
  write(unit: readonly Step[]): Promise<readonly (readonly boolean[])[]>
  documents<F extends object = Fields>(name: string, options?: StoreOptions): DocumentStore<F>
  kv(name: string, options?: StoreOptions): KeyValueStore
}
export const Database: Service<Database> = service<Database>('database')

/** Emitted when the database went away or came back. */
export const databaseChanged = hook<DatabaseStatus>('database.changed')

export { newId } from './new-id.js'
