// The database service: lane, transactions, appends, reads, schema and stores around one open engine.
import type { Clock } from '@mynah/kernel'
import type { Database, DatabaseStatus, DocumentStore, Entity, KeyValueStore, Reads, StoreOptions, Writes } from '../api.js'
import type { Engine } from '../engine/engine.js'
import { Appends } from './appends.js'
import { documentStore } from './documents.js'
import { Health } from './health.js'
import { keyValueStore } from './key-values.js'
import { readsOn } from './rows.js'
import { Schema } from './schema.js'
import { Documents, KeyValues, Probes } from './tables.js'
import { Transactions } from './transactions.js'

/** Larger than what a nearly full disk still takes by chance. */
const PROBE_FILLER = 'x'.repeat(16 * 1024)

/** A store that was opened by name. */
export interface NamedStore { readonly name: string; readonly kind: 'document' | 'keyvalue'; readonly package?: string }

export interface StoreEvents {
  /** The database went away, for a reason, or came back. */
  changed(status: DatabaseStatus): void
  /** A contributed table cannot be used. */
  tableFailed(table: string, error: Error): void
  /** A contributed table can be used, perhaps after it could not. */
  tableReady?(table: string): void
}

export class Store implements Database {
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #schema: Schema
  readonly #health: Health
  readonly #transactions: Transactions
  readonly #appends: Appends
  readonly #events: StoreEvents
  readonly #stores = new Map<string, NamedStore>()
  #schemaWork: Promise<unknown> = Promise.resolve()

  constructor(engine: Engine, clock: Clock, events: StoreEvents, options: { readonly transactionLimit?: number } = {}) {
    this.#engine = engine
    this.#clock = clock
    this.#events = events
    this.#schema = new Schema(engine, () => clock.now())
    this.#health = new Health(clock, () => this.#probe(), () => this.#changed())
    this.#transactions = new Transactions(engine, this.#schema, this.#health, options.transactionLimit)
    this.#appends = new Appends((fn) => this.tx(fn))
  }

  get dialect(): Database['dialect'] {
    return this.#engine.dialect
  }

  get status(): DatabaseStatus {
    const { reason } = this.#health
    const { setAside } = this.#engine
    return { available: reason === undefined, ...(reason ? { reason } : {}), ...(setAside ? { setAside } : {}) }
  }

  tx<T>(fn: (db: Writes) => Promise<T>): Promise<T> {
    return this.#transactions.run(fn)
  }

  async read<T>(fn: (db: Reads) => Promise<T>): Promise<T> {
    const current = this.#transactions.current
    if (current) return fn(current)
    await this.settled()
    const runner = this.#engine.reader.createQueryRunner()
    try {
      return await fn(readsOn({
        dialect: this.dialect,
        runner: () => runner,
        metadata: (entity) => this.#schema.metadata(entity, this.#engine.reader),
        failed: (error) => this.#health.failed(error),
      }))
    } finally {
      await runner.release()
    }
  }

  async append<T extends object>(entity: Entity<T>, rows: readonly T[]): Promise<void> {
    const current = this.#transactions.current
    if (current) await current.insert(entity, rows)
    else await this.#appends.add(entity, rows, false)
  }

  async appendNew<T extends object>(entity: Entity<T>, rows: readonly T[]): Promise<readonly boolean[]> {
    const current = this.#transactions.current
    return current ? current.insertNew(entity, rows) : this.#appends.add(entity, rows, true)
  }

  documents<F extends object>(name: string, options: StoreOptions = {}): DocumentStore<F> {
    const open = (): void => this.#open({ name, kind: 'document', ...options })
    open()
    return documentStore<F>(this, name, open)
  }

  kv(name: string, options: StoreOptions = {}): KeyValueStore {
    const open = (): void => this.#open({ name, kind: 'keyvalue', ...options })
    open()
    return keyValueStore(this, name, () => this.#clock.now(), open)
  }

  #open(store: NamedStore): void {
    const other = this.#stores.get(store.name)
    if (other && other.kind !== store.kind) throw new Error(`"${store.name}" is a ${other.kind} store already`)
    if (!/^[\w.:-]{1,128}$/.test(store.name)) throw new Error(`The store name ${JSON.stringify(store.name)} must be letters, digits and "_.:-", at most 128`)
    this.#stores.set(store.name, store)
  }

  /** Stores that were opened and not dropped since. */
  get stores(): readonly NamedStore[] {
    return Array.from(this.#stores.values())
  }

  /** Brings the tables of entities up to date, before anything that is asked of the store from now on. */
  contribute(entities: readonly Entity[]): Promise<void> {
    const work = this.#transactions.lane.run(async () => {
      const failures = await this.#schema.add(entities, (fn) => this.#transactions.top((_db, runner) => fn(runner)))
      for (const { table } of entities) {
        const error = failures.get(table)
        if (error) this.#events.tableFailed(table, error)
        else this.#events.tableReady?.(table)
      }
    })
    this.#schemaWork = Promise.allSettled([this.#schemaWork, work])
    return work
  }

  /** Makes the tables of the store itself. */
  async open(): Promise<this> {
    const failures = await this.#schema.add([Documents, KeyValues, Probes], (fn) => this.#transactions.top((_db, runner) => fn(runner)))
    for (const error of failures.values()) throw error
    return this
  }

  /** Resolves when the tables contributed so far are ready, or refused. */
  async settled(): Promise<void> {
    await this.#schemaWork
  }

  isReady(table: string): boolean {
    return this.#schema.isReady(table)
  }

  /** Column types and keys of a ready table. */
  columns(entity: Entity) {
    return this.#schema.metadata(entity, this.#engine.reader).columns
  }

  async dropTable(table: string): Promise<void> {
    this.#health.assertAvailable()
    await this.#transactions.lane.run(() => this.#transactions.top((_db, runner) => this.#schema.drop(table, runner)))
  }

  /** Deletes all that a named store holds; it is listed again when something is written to it. */
  async dropStore({ name, kind }: NamedStore): Promise<void> {
    await this.tx((db) => (kind === 'document' ? db.delete(Documents, { store: name }) : db.delete(KeyValues, { store: name })))
    this.#stores.delete(name)
  }

  /** Looks whether the open file is still the one under its name; what is written to another one would be lost. */
  async verify(): Promise<void> {
    await this.#engine.verify().catch((error: unknown) => this.#health.failed(error))
  }

  async #probe(): Promise<void> {
    await this.#engine.verify()
    await this.#transactions.lane.run(() => this.#transactions.top((db) => db.upsert(Probes, { id: 'probe', filler: PROBE_FILLER }, ['id'])))
    await this.read((db) => db.count(Probes))
    const waiting = this.#schema.waiting()
    if (waiting.length) await this.contribute(waiting)
  }

  #changed(): void {
    this.#events.changed(this.status)
  }

  /** Refuses what comes from now on. */
  refuse(): void {
    this.#health.close()
  }

  /** Waits for what was begun, and closes the database. */
  async close(): Promise<void> {
    this.refuse()
    await this.#transactions.lane.idle()
    await this.#engine.close()
  }
}

