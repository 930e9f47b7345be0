import type { Usage } from '@mynah/plugin-ai/api'
import { newId } from '@mynah/kernel/util'
import type { Database } from '@mynah/database-api'
import { DatabaseEntries } from './database-entries.js'
import { firstMessages, searchSaid } from './database-search.js'
import { DatabaseTurns } from './database-turns.js'
import { inBatches } from './in-batches.js'
import { stored, toEntry, toSession } from './records.js'
import { atPlaces } from './session-places.js'
import { Entries, Sessions, type EntryRecord, type SessionRecord } from './tables.js'
import type {
  Entry,
  MendedRing,
  NewEntry,
  OpenedSession,
  SaidPage,
  SaidQuery,
  Session,
  SessionChoice,
  SessionQuery,
  SessionStore,
  SessionTarget,
} from './types.js'

/**
 * Stores sessions in the database. The row of a session is its lock: a transaction takes the numbers of its entries
 * from it.
 */
export class DatabaseSessions extends DatabaseTurns implements SessionStore {
  readonly durable = true
  readonly #database: Database
  readonly #now: () => number
  readonly #entries: DatabaseEntries

  /**
   * @param onMended called for each ring that was found and opened
   * @param owner name of this process in the rows of its turns, in a cluster
   */
  constructor(
    database: Database,
    now: () => number,
    onMended: (mended: MendedRing) => void = () => {},
    owner?: string,
  ) {
    const entries = new DatabaseEntries(database, now, onMended)
    super(database, now, entries, owner)
    this.#database = database
    this.#now = now
    this.#entries = entries
  }

  async activeByKey(key: string): Promise<Session | undefined> {
    const row = await this.#database.read((db) => db.findOne(Sessions, { session_key: key, state: 'active' }))
    return row && toSession(row)
  }

  async byId(id: string): Promise<Session | undefined> {
    const row = await this.#database.read((db) => db.findOne(Sessions, { id }))
    return row && toSession(row)
  }

  async open(key: string, target: SessionTarget): Promise<OpenedSession> {
    const known = await this.activeByKey(key)
    if (known) return { session: known, created: false }
    return this.#database.tx(async (db) => {
      const [last] = await db.find(Sessions, {
        where: { session_key: key },
        order: { created_at: 'desc', id: 'desc' },
        limit: 1,
      })
      if (last?.state === 'active') return { session: toSession(last), created: false }
      const now = this.#now()
      const row: SessionRecord = {
        id: newId(),
        session_key: key,
        state: 'active',
        title: target.title ?? null,
        adapter: target.adapter,
        endpoint: target.endpoint,
        channel: target.channel === null ? null : stored(target.channel),
        head: 0,
        leaf: null,
        chosen: 0,
        branch: 0,
        messages: 0,
        input: 0,
        cached: 0,
        output: 0,
        cost: null,
        model: null,
        thinking: null,
        created_at: now,
        active_at: now,
      }
      await db.insert(Sessions, row)
      return { session: toSession(row), created: true, ...(last ? { previous: last.id } : {}) }
    })
  }

  async archive(id: string, { seenAt }: { readonly seenAt?: number } = {}): Promise<boolean> {
    const unchanged = seenAt === undefined ? '' : ` AND active_at = ${Number(seenAt)}`
    const changed = await this.#database.tx((db) =>
      db.run(
        `UPDATE agent_session SET state = 'archived', branch = branch + 1
         WHERE id = $1 AND state = 'active'${unchanged}`,
        [id],
      ),
    )
    return changed > 0
  }

  async list({
    filter,
    state,
    at: places,
    limit,
    before,
  }: SessionQuery): Promise<{ readonly rows: readonly Session[]; readonly total: number }> {
    const parameters: (string | number)[] = []
    const conditions = ['1 = 1']
    if (state) conditions.push(`state = $${parameters.push(state)}`)
    if (places) conditions.push(atPlaces(places, (value) => `$${parameters.push(value)}`))
    if (filter) {
      const at = parameters.push(filter.toLowerCase())
      const within = (column: string): string =>
        this.#database.dialect === 'sqlite'
          ? `instr(lower(${column}), $${at}) > 0`
          : `strpos(lower(${column}), $${at}) > 0`
      conditions.push(`(${within('session_key')} OR ${within("coalesce(title, '')")})`)
    }
    return this.#database.read(async (db) => {
      const [count] = await db.query<{ total: number }>(
        `SELECT count(*) AS total FROM agent_session WHERE ${conditions.join(' AND ')}`,
        parameters,
      )
      const anchor = before === undefined ? undefined : await db.findOne(Sessions, { id: before })
      if (anchor) {
        const at = parameters.push(Number(anchor.active_at))
        conditions.push(`(active_at < $${at} OR (active_at = $${at} AND id < $${parameters.push(anchor.id)}))`)
      }
      const rows = await db.query<SessionRecord>(
        `SELECT * FROM agent_session WHERE ${conditions.join(' AND ')} ORDER BY active_at DESC, id DESC LIMIT ${limit}`,
        parameters,
      )
      return { rows: rows.map(toSession), total: Number(count?.total ?? 0) }
    })
  }

  async path(session: string, leaf: number | null): Promise<readonly Entry[]> {
    return leaf === null ? [] : this.#entries.path(session, leaf)
  }

  async page(
    session: string,
    leaf: number | null,
    options: { readonly limit: number; readonly before?: number },
  ): Promise<readonly Entry[]> {
    return leaf === null ? [] : this.#entries.page(session, leaf, options)
  }

  async entry(session: string, seq: number): Promise<Entry | undefined> {
    const row = await this.#database.read((db) => db.findOne(Entries, { session, n: seq }))
    return row && toEntry(row)
  }

  entries(session: string, seqs: readonly number[]): Promise<readonly Entry[]> {
    return this.#entries.all(session, seqs)
  }

  async firstMessages(sessions: readonly string[]): Promise<ReadonlyMap<string, Entry>> {
    const rows = await this.#database.read((db) => inBatches(sessions, (batch) => firstMessages(db, batch)))
    return new Map(rows.map((row) => [row.session, toEntry(row)]))
  }

  search(query: SaidQuery): Promise<SaidPage> {
    return this.#database.read((db) => searchSaid(db, query))
  }

  async leaves(session: string): Promise<readonly Entry[]> {
    const rows = await this.#database.read((db) =>
      db.query<EntryRecord>(
        `SELECT * FROM agent_entry e WHERE session = $1
         AND NOT EXISTS (SELECT 1 FROM agent_entry c WHERE c.session = e.session AND c.parent = e.n)
         ORDER BY n DESC LIMIT 500`,
        [session],
      ),
    )
    return rows.map(toEntry)
  }

  async append(
    session: string,
    branchVersion: number,
    entries: readonly NewEntry[],
  ): Promise<readonly number[] | undefined> {
    return this.#database.tx(async (db) => {
      const [row] = await db.query<SessionRecord>(
        'UPDATE agent_session SET head = head + $1 WHERE id = $2 AND branch = $3 RETURNING *',
        [entries.length, session, branchVersion],
      )
      if (!row) return undefined
      const { lastSeq, leaf } = toSession(row)
      const seqs = await this.#entries.insert(db, session, lastSeq, leaf, entries)
      if (seqs.length) await db.run('UPDATE agent_session SET leaf = $1 WHERE id = $2', [seqs.at(-1), session])
      return seqs
    })
  }

  async setLeaf(session: string, leaf: number | null): Promise<boolean> {
    const changed = await this.#database.tx((db) =>
      db.run("UPDATE agent_session SET leaf = $1, chosen = 1, branch = branch + 1 WHERE id = $2 AND state = 'active'", [
        leaf,
        session,
      ]),
    )
    return changed > 0
  }

  async addUsage(session: string, { input, cachedInput, output, cost }: Usage): Promise<void> {
    const addedCost = cost === undefined ? '' : `, cost = coalesce(cost, 0) + ${Number(cost)}`
    await this.#database.tx((db) =>
      db.run(
        `UPDATE agent_session SET input = input + $1, cached = cached + $2, output = output + $3${addedCost}
         WHERE id = $4`,
        [input, cachedInput, output, session],
      ),
    )
  }

  async choose(session: string, choice: SessionChoice, was?: string): Promise<boolean> {
    const where = { id: session, state: 'active', ...(was === undefined ? {} : { model: was }) } as const
    return (await this.#database.tx((db) => db.update(Sessions, where, choice))) > 0
  }

  async prune(archivedBefore: number, turnsBefore: number): Promise<void> {
    await this.#database.tx(async (db) => {
      await db.run(
        `DELETE FROM agent_entry WHERE session IN
         (SELECT id FROM agent_session WHERE state = 'archived' AND active_at < $1)`,
        [archivedBefore],
      )
      await db.run("DELETE FROM agent_session WHERE state = 'archived' AND active_at < $1", [archivedBefore])
      await db.run('DELETE FROM agent_turn WHERE ended_at IS NOT NULL AND ended_at < $1', [turnsBefore])
    })
  }

  async idleSince(before: number): Promise<readonly Session[]> {
    return (
      await this.#database.read((db) =>
        db.find(Sessions, { where: { state: 'active', active_at: { $lt: before } }, limit: 500 }),
      )
    ).map(toSession)
  }
}
