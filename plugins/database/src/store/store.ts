import { randomBytes } from 'node:crypto'
import { WireError } from '@mynah/contract'
import type { Clock } from '@mynah/kernel'
import { isReadOnly, toWireError } from '../driver-errors.js'
import {
  step,
  type Database,
  type DatabaseStatus,
  type DocumentStore,
  type Entity,
  type KeyValueStore,
  type Reads,
  type RowEvents,
  type Step,
  type StoreOptions,
  type Where,
  type Writes,
} from '../api.js'
import { assertConnected, type Engine } from '../engine/engine.js'
import { Announcements, toDraft, type Draft, type Listener } from './announcements.js'
import { documentStore } from './documents.js'
import { Availability } from './availability.js'
import { keyValueStore } from './key-values.js'
import { createReads } from './rows.js'
import { Schema } from './schema.js'
import { planSteps } from './plan.js'
import { Documents, KeyValues, Probes, STREAM_ROW, StreamEvents, StreamHead } from './tables.js'
import { StreamFollower } from './stream-follower.js'
import { Transactions } from './transactions.js'
import type { WriteJob } from './write-queue.js'
import { announceWritten, hasNoEvents, GroupCommitter, type Unit, type Written } from './group-committer.js'

/** Larger than the space that a nearly full disk may still have. */
const PROBE_FILLER = 'x'.repeat(16 * 1024)

/** A store that was opened by its name. */
export interface NamedStore {
  readonly name: string
  readonly kind: 'document' | 'keyvalue'
  readonly package?: string
}

export interface StoreEvents {
  /** Notes that the database became unavailable or available again. */
  changed(status: DatabaseStatus): void
  /** A contributed table cannot be used. */
  tableFailed(table: string, error: Error): void
  /** A contributed table can be used, possibly after a failure. */
  tableReady?(table: string): void
  /** A listener of the events of commits threw an error. */
  listenerFailed?(error: unknown): void
}

/** The database service on top of one open engine. */
export class Store implements Database {
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #schema: Schema
  readonly #availability: Availability
  readonly #transactions: Transactions
  readonly #announcements: Announcements
  readonly #units: GroupCommitter
  readonly #events: StoreEvents
  readonly #stores = new Map<string, NamedStore>()
  #schemaWork: Promise<unknown> = Promise.resolve()
  readonly #follower: StreamFollower
  #logEpoch = ''

  /** @param options.schema tables that are known already; default: none */
  constructor(
    engine: Engine,
    clock: Clock,
    events: StoreEvents,
    options: { readonly transactionLimit?: number; readonly schema?: Schema } = {},
  ) {
    this.#engine = engine
    this.#clock = clock
    this.#events = events
    this.#schema = options.schema ?? new Schema(engine, () => clock.now())
    this.#availability = new Availability(
      clock,
      () => this.#probe(),
      () => this.#changed(),
    )
    this.#announcements = new Announcements(engine, (error) => events.listenerFailed?.(error))
    this.#transactions = new Transactions({
      engine,
      schema: this.#schema,
      availability: this.#availability,
      announcements: this.#announcements,
      now: () => clock.now(),
      limit: options.transactionLimit,
    })
    this.#follower = new StreamFollower({
      announcements: this.#announcements,
      availability: this.#availability,
      transactions: this.#transactions,
    })
    this.#units = new GroupCommitter(this.#transactions, (units) => this.#workOf(units))
  }

  get dialect(): Database['dialect'] {
    return this.#engine.dialect
  }

  get status(): DatabaseStatus {
    const { reason } = this.#availability
    const { setAside } = this.#engine
    return { available: reason === undefined, ...(reason ? { reason } : {}), ...(setAside ? { setAside } : {}) }
  }

  tx<T>(fn: (db: Writes) => Promise<T>): Promise<T> {
    return this.#transactions.run(fn)
  }

  async read<T>(fn: (db: Reads) => Promise<T>): Promise<T> {
    const current = this.#transactions.current
    if (current) return fn(current.writes)
    await this.settled()
    this.#availability.assertUsed()
    const runner = this.#engine.reader.createQueryRunner()
    let isOver = false
    try {
      return await fn(
        createReads({
          dialect: this.dialect,
          runner: () => {
            if (!isOver) assertConnected(runner)
            return runner
          },
          metadata: (entity) => this.#schema.metadata(entity, this.#engine.reader),
          failed: (error) => {
            // No reader can write, so that this says nothing of the server.
            if (isReadOnly(error)) return new WireError('invalid_request', 'A read cannot write', { cause: error })
            this.#availability.reportFailure(error)
            return toWireError(error)
          },
        }),
      )
    } finally {
      isOver = true
      await runner.release()
    }
  }

  async append<T extends object>(entity: Entity<T>, rows: readonly T[], events?: RowEvents): Promise<void> {
    await this.#write([step.append(entity, rows, events)])
  }

  async appendNew<T extends object>(
    entity: Entity<T>,
    rows: readonly T[],
    events?: RowEvents,
  ): Promise<readonly boolean[]> {
    return (await this.#write([step.appendNew(entity, rows, events)]))[0] as readonly boolean[]
  }

  async change<T extends object>(
    entity: Entity<T>,
    rows: readonly Partial<T>[],
    events?: RowEvents,
    when?: Where<T>,
  ): Promise<readonly boolean[]> {
    return (await this.#write([step.change(entity, rows, events, when)]))[0] as readonly boolean[]
  }

  async write(unit: readonly Step[]): Promise<Written> {
    // Inside a transaction a savepoint makes several steps atomic.
    return this.#transactions.current && unit.length > 1 ? this.tx(() => this.#write(unit)) : this.#write(unit)
  }

  async #write(steps: readonly Step[]): Promise<Written> {
    const now = this.#clock.now()
    const unit: Unit = {
      steps,
      events: steps.map(({ events = [] }) => events.map((event) => event && toDraft(event, now))),
      published: [],
    }
    const current = this.#transactions.current
    if (!current) return this.#units.add(unit)
    const [written] = await this.#workOf([unit]).run(current.writes, (draft) => current.announce(draft))
    return written as Written
  }

  #workOf(units: readonly Unit[]): WriteJob<readonly Written[]> {
    const plan = planSteps(
      units.flatMap(({ steps }) => steps),
      (entity) => this.#schema.metadata(entity, this.#engine.writer),
    )
    return {
      bare: plan.single && units.every(hasNoEvents),
      run: async (db, announce) => {
        const flags = await plan.run(db)
        let at = 0
        const written = units.map(({ steps }) => flags.slice(at, (at += steps.length)))
        announceWritten(units, written, announce)
        return written
      },
    }
  }

  /** Commits events without rows. */
  async log(events: readonly Draft[]): Promise<void> {
    if (events.length) await this.#units.add({ steps: [], events: [], published: events })
  }

  /**
   * Adds a listener that receives the events of each commit before the next commit. Returns a function that removes it.
   */
  listen(listener: Listener): () => void {
    return this.#announcements.listen(listener)
  }

  /**
   * Delivers what other hosts have announced.
   *
   * @param newest the newest id of theirs, where it is known
   */
  follow(newest?: number): void {
    this.#follower.follow(newest)
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
    if (!/^[\w.:-]{1,128}$/.test(store.name))
      throw new Error(`The store name ${JSON.stringify(store.name)} must be letters, digits and "_.:-", at most 128`)
    this.#stores.set(store.name, store)
  }

  /** Stores that were opened and not dropped. */
  get stores(): readonly NamedStore[] {
    return Array.from(this.#stores.values())
  }

  /** Updates the tables of entities. Later calls of the store wait for it. */
  contribute(entities: readonly Entity[]): Promise<void> {
    const work = this.#transactions.queue.run(async () => {
      const failures = await this.#schema.add(entities, (fn) => this.#transactions.top(({ runner }) => fn(runner)))
      for (const { table } of entities) {
        const error = failures.get(table)
        if (error) this.#events.tableFailed(table, error)
        else this.#events.tableReady?.(table)
      }
    })
    this.#schemaWork = Promise.allSettled([this.#schemaWork, work])
    return work
  }

  /** Creates the tables of the store itself. */
  async open(): Promise<this> {
    const failures = await this.#schema.add([Documents, KeyValues, Probes, StreamHead, StreamEvents], (fn) =>
      this.#transactions.top(({ runner }) => fn(runner)),
    )
    for (const error of failures.values()) throw error
    await this.#openLog()
    return this
  }

  /**
   * Makes the row of the event log. It gets a new epoch if the server continues another history than the log: ids may
   * have been used before then, for events that are lost.
   */
  async #openLog(): Promise<void> {
    const row = { id: STREAM_ROW }
    const epoch = randomBytes(6).toString('hex')
    const timeline = this.#engine.timeline ?? null
    await this.appendNew(StreamHead, [{ ...row, epoch, head: 0, timeline }])
    const head = await this.read((db) => db.findOne(StreamHead, row))
    if (!head) throw new Error('The row of the event log is missing')
    this.#announcements.begin(Number(head.head))
    this.#logEpoch = head.epoch
    if (timeline === null || timeline === head.timeline) return
    if (head.timeline !== null) this.#logEpoch = epoch
    await this.change(StreamHead, [{ ...row, timeline, epoch: this.#logEpoch }])
  }

  /** Name of the event log. Ids of another epoch are invalid. */
  get logEpoch(): string {
    return this.#logEpoch
  }

  /** Resolves when all contributed tables are ready or have failed. */
  async settled(): Promise<void> {
    await this.#schemaWork
  }

  isReady(table: string): boolean {
    return this.#schema.isReady(table)
  }

  /** Returns the columns of a ready table. */
  columns(entity: Entity) {
    return this.#schema.metadata(entity, this.#engine.reader).columns
  }

  async dropTable(table: string): Promise<void> {
    this.#availability.assertAvailable()
    await this.#transactions.queue.run(() => this.#transactions.top(({ runner }) => this.#schema.drop(table, runner)))
  }

  /** Deletes the contents of a named store. The store is listed again after the next write to it. */
  async dropStore({ name, kind }: NamedStore): Promise<void> {
    await this.tx((db) =>
      kind === 'document' ? db.delete(Documents, { store: name }) : db.delete(KeyValues, { store: name }),
    )
    this.#stores.delete(name)
  }

  /** Tries again to change tables that wait for hosts of older versions. */
  async retryTables(): Promise<void> {
    const waiting = this.#schema.waiting()
    if (waiting.length > 0 && this.status.available) await this.contribute(waiting)
  }

  /**
   * Checks that the open file was not moved or replaced, because writes to it would be lost. A server must
   * answer.
   */
  async verify(): Promise<void> {
    await this.#engine.verify().catch((error: unknown) => this.#availability.reportFailure(error))
  }

  async #probe(): Promise<void> {
    try {
      await this.#tryToWrite()
    } catch (error) {
      // A connection can be the cause itself. A failure to replace it has the same reason as that of the probe.
      await this.#transactions.queue.run(() => this.#engine.renew()).catch(() => {})
      throw error
    }
  }

  async #tryToWrite(): Promise<void> {
    await this.#engine.verify()
    await this.#transactions.queue.run(() =>
      this.#transactions.top(({ writes }) => writes.upsert(Probes, { id: 'probe', filler: PROBE_FILLER }, ['id'])),
    )
    await this.read((db) => db.count(Probes))
    const waiting = this.#schema.waiting()
    if (waiting.length) await this.contribute(waiting)
  }

  #changed(): void {
    if (this.#availability.reason !== undefined) this.#engine.discard()
    this.#events.changed(this.status)
  }

  /** Rejects all later calls. With a reason, the database counts as not available because of that. */
  refuse(reason?: string): void {
    this.#availability.close(reason)
    if (reason !== undefined) this.#events.changed(this.status)
  }

  /** Waits for running transactions and closes the database. */
  async close(): Promise<void> {
    this.refuse()
    await this.#transactions.queue.idle()
    this.#transactions.close()
    await this.#engine.close()
  }
}
