// Tables of plugins.
import { point } from '@mynah/kernel'
import type { Statements } from './statements.js'

/** A change of an existing table, from an older form to the declared one. */
export interface Migration {
  /** Unique name within the table. Migrations run in the order of the list, each once. */
  readonly name: string
  /**
   * Whether versions before it cannot work with the table any more. Where several hosts share the database, it waits
   * until none of an older version works, and these are refused from then on.
   */
  readonly breaking?: boolean
  up(db: Statements): Promise<void>
}

/** A table of a plugin, created with {@link entity}. */
export interface Entity<T extends object = object> {
  /** Name of the table and of the entity. */
  readonly table: string
  readonly schema: TableSchema
  readonly migrations: readonly Migration[]
  readonly created?: (db: Statements) => Promise<void>
  /** Package of the table. The console may write to tables of `@mynah/…` only if `database.consoleWrites` is `all`. */
  readonly package: string
  readonly '~row'?: T
}

/** Types of columns. SQLite and PostgreSQL hold the first six alike; one of them may not know the others. */
export type ColumnType =
  | ('text' | 'integer' | 'bigint' | 'real' | 'boolean' | 'simple-json')
  | ('varchar' | 'int' | 'smallint' | 'float' | 'double precision' | 'numeric' | 'decimal' | 'simple-array')
  | ('date' | 'time' | 'datetime' | 'timestamp' | 'timestamptz' | 'json' | 'jsonb' | 'uuid' | 'blob' | 'bytea')

/** A column of a table. */
export interface Column {
  readonly type: ColumnType
  /** Name in the database; default: the name of the field. */
  readonly name?: string
  readonly primary?: boolean
  readonly unique?: boolean
  readonly nullable?: boolean
  /** Value of rows that name none: a JSON value, or a function that returns SQL. */
  readonly default?: unknown
  readonly length?: string | number
  readonly precision?: number
  readonly scale?: number
  readonly collation?: string
  /** Whether clients of the console see a mask in place of its values. */
  readonly secret?: boolean
  /** PostgreSQL: many values of the type. */
  readonly array?: boolean
}

/** Columns, indices and conditions of a table, as TypeORM takes them. */
export interface TableSchema<T extends object = object> {
  readonly name: string
  /** One for each field of a row. */
  readonly columns: { readonly [K in keyof T]-?: Column }
  readonly indices?: readonly {
    readonly name?: string
    readonly columns: readonly string[]
    readonly unique?: boolean
    /** SQL: only rows that match are in the index. */
    readonly where?: string
  }[]
  readonly uniques?: readonly { readonly name?: string; readonly columns: readonly string[] }[]
  readonly checks?: readonly { readonly name?: string; readonly expression: string }[]
}

/** Options of {@link entity}; `name` is the table. */
export interface EntityDefinition<T extends object> extends TableSchema<T> {
  readonly package: string
  readonly migrations?: readonly Migration[]
  /**
   * Runs in the transaction that creates the table, for example to add triggers. Migrations do not run on a new table.
   */
  readonly created?: (db: Statements) => Promise<void>
}

const NAME = /^[a-z][a-z0-9_]{0,62}$/

/**
 * Declares a table. Ids are `text`, times `bigint` milliseconds, so that SQLite and PostgreSQL hold the same; both know
 * `text`, `integer`, `bigint`, `real`, `boolean` and `simple-json`. A missing table is created as declared.
 * Missing columns and indices are added. Other changes need a migration. Nothing is ever dropped.
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
    schema,
    migrations,
    package: owner,
    ...(created ? { created } : {}),
  })
}

/** All tables of a host. A table can be used as soon as it was contributed: later calls of the service wait for it. */
export const entities = point<Entity>({ id: 'database.entities', key: (declared) => declared.table })
