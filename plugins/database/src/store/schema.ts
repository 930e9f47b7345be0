import { WireError } from '@mynah/contract'
import type { DataSource, EntityMetadata, EntitySchemaOptions, QueryRunner } from 'typeorm'
import { EntitySchema, Table } from 'typeorm'
import type { Cluster } from '@mynah/kernel'
import type { Entity, Statements } from '../api.js'
import { execute, setEntities, type Engine } from '../engine/engine.js'
import { isUnavailable, unavailableReason } from '../driver-errors.js'
import type { MovedRows } from '../move/moved-rows.js'

const MIGRATIONS = 'CREATE TABLE IF NOT EXISTS mynah_migration (id text PRIMARY KEY, at bigint NOT NULL)'

/** "mynt": key of the lock under which hosts of a cluster change tables. */
const SCHEMA_LOCK = 0x6d796e74

interface TableState {
  readonly entity: Entity
  readonly schema: EntitySchema
  state: 'new' | 'ready' | 'dropped' | 'failed'
  error?: Error
}

/** Thrown while a table cannot be changed because of hosts of older versions. */
export class OlderHostsWork extends WireError {
  constructor(table: string, hosts: readonly string[]) {
    super('not_ready', `The table "${table}" changes when no host of an older version works: ${hosts.join(', ')}`)
  }
}

/** Runs a callback in its own transaction. */
export type InTransaction = <T>(fn: (runner: QueryRunner) => Promise<T>) => Promise<T>

function tableError(table: string, error: unknown): Error {
  if (isUnavailable(error))
    return new WireError('not_ready', `The database is not available: ${unavailableReason(error)}`, { cause: error })
  if (error instanceof WireError && error.code === 'not_ready') return error
  return new Error(`The table "${table}" cannot be used: ${(error as Error).message}`, { cause: error })
}

/**
 * The tables of contributed entities. Missing tables are created, existing ones migrated and extended. None is ever
 * dropped.
 */
export class Schema {
  readonly #engine: Engine
  readonly #tables = new Map<string, TableState>()
  readonly #now: () => number
  readonly #moved: MovedRows | undefined
  readonly #cluster: Pick<Cluster, 'refuseOlder'> | undefined

  /**
   * @param parts.moved rows that new tables get
   * @param parts.cluster the hosts that use the tables too
   */
  constructor(
    engine: Engine,
    now: () => number,
    {
      moved,
      cluster,
    }: { readonly moved?: MovedRows | undefined; readonly cluster?: Pick<Cluster, 'refuseOlder'> | undefined } = {},
  ) {
    this.#engine = engine
    this.#now = now
    this.#moved = moved
    this.#cluster = cluster
  }

  /** Returns the metadata of a table on one of the two data sources. Throws if the table is not ready. */
  metadata(entity: Entity, source: DataSource): EntityMetadata {
    const known = this.#tables.get(entity.table)
    if (!known || known.state === 'new')
      throw new Error(`The table "${entity.table}" is not contributed to the point database.entities`)
    if (known.state === 'failed') throw known.error
    if (known.state === 'dropped')
      throw new WireError(
        'not_found',
        `The table "${entity.table}" was dropped; it is created again when its plugin restarts`,
      )
    return source.getMetadata(entity.table)
  }

  /** Returns whether a table can be used. */
  isReady(table: string): boolean {
    return this.#tables.get(table)?.state === 'ready'
  }

  /** Returns the tables that wait for the database to become available. */
  waiting(): Entity[] {
    return Array.from(this.#tables.values())
      .filter(({ state, error }) => state === 'failed' && error instanceof WireError)
      .map(({ entity }) => entity)
  }

  /**
   * Adds entities and updates their tables. No other write may run at the same time.
   *
   * @returns the errors by table
   */
  async add(added: readonly Entity[], alone: InTransaction): Promise<Map<string, Error>> {
    const failures = new Map<string, Error>()
    const fresh = added.filter(
      (entity) => this.#tables.get(entity.table)?.entity !== entity || !this.isReady(entity.table),
    )
    for (const entity of fresh) {
      this.#tables.set(entity.table, {
        entity,
        schema: new EntitySchema({ ...entity.schema, tableName: entity.table } as EntitySchemaOptions<object>),
        state: 'new',
      })
    }
    if (fresh.length === 0) return failures
    await this.#rebuild(fresh, failures)
    for (const { table } of fresh) {
      const known = this.#tables.get(table) as TableState
      if (failures.has(table)) continue
      try {
        const hasMoved = await alone((runner) => this.#migrate(known, runner))
        if (hasMoved) this.#moved?.moved(table)
        known.state = 'ready'
      } catch (error) {
        this.#fail(known, error, failures)
      }
    }
    return failures
  }

  #fail(known: TableState, error: unknown, failures: Map<string, Error>): void {
    known.state = 'failed'
    known.error = tableError(known.entity.table, error)
    failures.set(known.entity.table, known.error)
  }

  /**
   * Registers the entities. If the ORM rejects one of them, they are registered one by one, so that only that one
   * fails.
   */
  async #rebuild(fresh: readonly Entity[], failures: Map<string, Error>): Promise<void> {
    const set = async (): Promise<void> => {
      const schemas = Array.from(this.#tables.values())
        .filter(({ entity, state }) => state !== 'failed' && !failures.has(entity.table))
        .map(({ schema }) => schema)
      for (const source of [this.#engine.writer, this.#engine.reader]) await setEntities(source, schemas)
    }
    try {
      await set()
    } catch {
      const all = new Map(this.#tables)
      for (const { table } of fresh) this.#tables.delete(table)
      for (const { table } of fresh) {
        const known = all.get(table) as TableState
        this.#tables.set(table, known)
        await set().catch((error: unknown) => this.#fail(known, error, failures))
      }
      await set()
    }
  }

  /** Returns whether the table has its rows of {@link MovedRows}, from now or from an earlier start. */
  async #migrate({ entity }: TableState, runner: QueryRunner): Promise<boolean> {
    const wanted = Table.create(runner.connection.getMetadata(entity.table), runner.connection.driver)
    // Hosts that start at the same time would each create the table.
    if (this.#engine.streamChannel !== undefined) await runner.query(`SELECT pg_advisory_xact_lock(${SCHEMA_LOCK}, 0)`)
    await runner.query(MIGRATIONS)
    const statements = this.#statements(runner)
    if (!(await runner.hasTable(entity.table))) {
      await runner.createTable(wanted, true)
      await entity.created?.(statements)
      for (const { name } of entity.migrations) await this.#record(statements, entity, name)
      await this.#moved?.fill(
        wanted,
        entity.migrations.map(({ name }) => name),
        statements,
      )
      if (this.#moved) await this.#record(statements, entity, this.#moved.id)
      return true
    }
    const done = new Set((await statements.query<{ id: string }>('SELECT id FROM mynah_migration')).map(({ id }) => id))
    const missing = entity.migrations.filter(({ name }) => !done.has(`${entity.table}/${name}`))
    if (missing.some(({ breaking }) => breaking)) await this.#assertNoneOlder(entity, statements)
    for (const migration of missing) {
      await migration.up(statements)
      await this.#record(statements, entity, migration.name)
    }
    await this.#extend(wanted, runner)
    return done.has(`${entity.table}/${this.#moved?.id}`)
  }

  /** @throws OlderHostsWork where hosts work that could not go on after the change */
  async #assertNoneOlder({ table }: Entity, statements: Statements): Promise<void> {
    const older = (await this.#cluster?.refuseOlder((sql, parameters) => statements.query(sql, parameters))) ?? []
    if (older.length > 0) throw new OlderHostsWork(table, older)
  }

  #statements(runner: QueryRunner): Statements {
    const { dialect } = this.#engine
    return {
      dialect,
      query: async <R>(sql: string, parameters?: readonly unknown[]) =>
        (await execute(dialect, runner, sql, parameters)).rows as R[],
    }
  }

  async #record(statements: Statements, { table }: Entity, name: string): Promise<void> {
    await statements.query('INSERT INTO mynah_migration (id, at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id', [
      `${table}/${name}`,
      this.#now(),
    ])
  }

  /** Adds the columns and indices that an existing table lacks. */
  async #extend(wanted: Table, runner: QueryRunner): Promise<void> {
    const { driver } = runner.connection
    const present = await runner.getTable(wanted.name)
    if (!present) throw new Error('it disappeared')
    for (const column of wanted.columns) {
      if (present.columns.some(({ name }) => name === column.name)) continue
      const value = column.default === undefined || column.default === null ? undefined : String(column.default)
      if (!column.isNullable && value === undefined)
        throw new Error(`its new column "${column.name}" may not be null and has no default: add a migration`)
      const constraints = (column.isNullable ? '' : ' NOT NULL') + (value === undefined ? '' : ` DEFAULT ${value}`)
      await runner.query(
        `ALTER TABLE ${driver.escape(wanted.name)} ` +
          `ADD COLUMN ${driver.escape(column.name)} ${driver.createFullType(column)}${constraints}`,
      )
    }
    for (const index of wanted.indices) {
      if (!present.indices.some(({ name }) => name === index.name)) await runner.createIndex(present, index)
    }
  }

  /** Drops a table for the database browser. */
  async drop(table: string, runner: QueryRunner): Promise<void> {
    const known = this.#tables.get(table)
    if (known?.state !== 'ready') throw new WireError('not_found', `There is no table "${table}"`)
    await runner.query(`DROP TABLE ${runner.connection.driver.escape(table)}`)
    if (known.entity.migrations.length)
      await this.#statements(runner).query('DELETE FROM mynah_migration WHERE id LIKE $1 RETURNING id', [`${table}/%`])
    known.state = 'dropped'
  }
}
