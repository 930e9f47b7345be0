import { WireError } from '@mynah/contract'
import type { Usage } from '@mynah/plugin-ai/api'
import { newId, type Database, type Writes } from '@mynah/plugin-database/api'
import { fromEntry, fromTurn, messagesIn, stored, toEntry, toSession, toTurn } from './records.js'
import { Entries, Sessions, TurnRecords, type EntryRecord, type SessionRecord, type TurnRecord } from './tables.js'
import {
  REOPENED,
  type Entry,
  type NewEntry,
  type OpenedSession,
  type Session,
  type SessionQuery,
  type SessionStore,
  type SessionTarget,
  type Turn,
  type TurnAppend,
  type WaitingFor,
} from './types.js'

/** Walks up from $2 to the root of session $1, or to the first summary unless $3 is 1. */
const WALK = `WITH RECURSIVE walk(session, n, parent, kind, role, content, meta, at, stop) AS (
  SELECT session, n, parent, kind, role, content, meta, at, CASE WHEN kind = 'summary' THEN 1 ELSE 0 END
  FROM agent_entry WHERE session = $1 AND n = $2
  UNION ALL
  SELECT e.session, e.n, e.parent, e.kind, e.role, e.content, e.meta, e.at,
    CASE WHEN e.kind = 'summary' THEN 1 ELSE 0 END
  FROM walk w JOIN agent_entry e ON e.session = w.session AND e.n = w.parent WHERE w.stop = 0 OR $3 = 1
) SELECT session, n, parent, kind, role, content, meta, at FROM walk`

/**
 * Stores sessions in the database. The row of a session is its lock: a transaction takes the numbers of its entries
 * from it.
 */
export class DatabaseSessions implements SessionStore {
  readonly durable = true
  readonly #database: Database
  readonly #now: () => number

  constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
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
        created_at: now,
        active_at: now,
      }
      await db.insert(Sessions, row)
      return { session: toSession(row), created: true, ...(last ? { previous: last.id } : {}) }
    })
  }

  async archive(id: string): Promise<void> {
    await this.#database.tx((db) =>
      db.run("UPDATE agent_session SET state = 'archived', branch = branch + 1 WHERE id = $1", [id]),
    )
  }

  async list({
    filter,
    state,
    limit,
    before,
  }: SessionQuery): Promise<{ readonly rows: readonly Session[]; readonly total: number }> {
    const parameters: (string | number)[] = []
    const conditions = ['1 = 1']
    if (state) conditions.push(`state = $${parameters.push(state)}`)
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
    if (leaf === null) return []
    return this.#database.read(async (db) => {
      const found = (await db.query<EntryRecord>(WALK, [session, leaf, 0])).map(toEntry).reverse()
      const first = found[0]
      if (first?.kind !== 'summary' || first.content.kept.length === 0) return found
      const kept = await db.find(Entries, { where: { session, n: { $in: first.content.kept } }, order: { n: 'asc' } })
      return [first, ...kept.map(toEntry), ...found.slice(1)]
    })
  }

  async page(
    session: string,
    leaf: number | null,
    { limit, before }: { readonly limit: number; readonly before?: number },
  ): Promise<readonly Entry[]> {
    if (leaf === null) return []
    const older = before === undefined ? '' : ` WHERE n < ${Number(before)}`
    return this.#database.read(async (db) =>
      (await db.query<EntryRecord>(`${WALK}${older} LIMIT ${Number(limit)}`, [session, leaf, 1])).map(toEntry),
    )
  }

  async entry(session: string, seq: number): Promise<Entry | undefined> {
    const row = await this.#database.read((db) => db.findOne(Entries, { session, n: seq }))
    return row && toEntry(row)
  }

  async entries(session: string, seqs: readonly number[]): Promise<readonly Entry[]> {
    if (seqs.length === 0) return []
    return (
      await this.#database.read((db) => db.find(Entries, { where: { session, n: { $in: seqs } }, order: { n: 'asc' } }))
    ).map(toEntry)
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

  /** Numbers the entries, and writes each below the one before it. */
  async #write(db: Writes, session: string, parent: number | null, list: readonly NewEntry[]): Promise<number[]> {
    if (list.length === 0) return []
    const [row] = await db.query<{ head: number }>(
      'UPDATE agent_session SET head = head + $1 WHERE id = $2 RETURNING head',
      [list.length, session],
    )
    if (!row) throw new WireError('not_found', 'The session is gone')
    const first = Number(row.head) - list.length + 1
    const now = this.#now()
    await db.insert(
      Entries,
      list.map((entry, index) =>
        fromEntry(session, first + index, index === 0 ? parent : first + index - 1, entry, now),
      ),
    )
    return list.map((_, index) => first + index)
  }

  async append(
    session: string,
    branchVersion: number,
    entries: readonly NewEntry[],
  ): Promise<readonly number[] | undefined> {
    return this.#database.tx(async (db) => {
      const row = await db.findOne(Sessions, { id: session })
      if (!row || Number(row.branch) !== branchVersion) return undefined
      const seqs = await this.#write(db, session, row.leaf === null ? null : Number(row.leaf), entries)
      if (seqs.length) await db.run('UPDATE agent_session SET leaf = $1 WHERE id = $2', [seqs.at(-1), session])
      return seqs
    })
  }

  async setLeaf(session: string, leaf: number | null): Promise<void> {
    await this.#database.tx((db) =>
      db.run('UPDATE agent_session SET leaf = $1, chosen = 1, branch = branch + 1 WHERE id = $2', [leaf, session]),
    )
  }

  async createTurn(turn: Turn, handOver?: () => Promise<void>): Promise<void> {
    await this.#database.tx(async (db) => {
      await db.insert(TurnRecords, fromTurn(turn) as TurnRecord)
      await handOver?.()
    })
  }

  async turn(id: string): Promise<Turn | undefined> {
    const row = await this.#database.read((db) => db.findOne(TurnRecords, { id }))
    return row && toTurn(row)
  }

  async turnByKey(key: string): Promise<Turn | undefined> {
    const row = await this.#database.read((db) => db.findOne(TurnRecords, { ask_key: key }))
    return row && toTurn(row)
  }

  async answeredRows(rows: readonly string[]): Promise<ReadonlySet<string>> {
    if (rows.length === 0) return new Set()
    return new Set(
      (await this.#database.read((db) => db.find(TurnRecords, { where: { row: { $in: rows } } }))).map(
        ({ row }) => row as string,
      ),
    )
  }

  async updateTurn(turn: string, changes: Partial<Turn>, append?: TurnAppend): Promise<readonly number[]> {
    if (!append?.list.length) {
      await this.#database.change(TurnRecords, [{ ...fromTurn(changes), id: turn }])
      return []
    }
    return this.#database.tx(async (db) => {
      const seqs = await this.#write(db, append.session, append.parent, append.list)
      await db.update(TurnRecords, { id: turn }, fromTurn({ ...changes, entrySeqs: [...append.entrySeqs, ...seqs] }))
      return seqs
    })
  }

  async recordAnswer(turn: string, waiting: WaitingFor | null, handOver?: () => Promise<void>): Promise<void> {
    await this.#database.tx(async (db) => {
      await db.update(TurnRecords, { id: turn }, fromTurn({ waiting }))
      await handOver?.()
    })
  }

  async closeTurn(
    turn: Turn,
    entries: readonly NewEntry[],
    parent: number | null,
    changes: Partial<Turn>,
    aside = false,
  ): Promise<{ readonly entrySeqs: readonly number[]; readonly moved: boolean }> {
    return this.#database.tx(async (db) => {
      const entrySeqs = [...turn.entrySeqs, ...(await this.#write(db, turn.session, parent, entries))]
      const [row] = await db.query<SessionRecord>('SELECT * FROM agent_session WHERE id = $1', [turn.session])
      const moved =
        !aside &&
        row !== undefined &&
        Number(row.branch) === turn.branchVersion &&
        row.state === 'active' &&
        entrySeqs.length > 0
      if (moved) {
        await db.run('UPDATE agent_entry SET parent = $1 WHERE session = $2 AND n = $3', [
          row.leaf === null ? null : Number(row.leaf),
          turn.session,
          entrySeqs[0],
        ])
        const written = await db.find(Entries, { where: { session: turn.session, n: { $in: entrySeqs } } })
        await db.run(
          'UPDATE agent_session SET leaf = $1, chosen = 0, active_at = $2, messages = messages + $3 WHERE id = $4',
          [entrySeqs.at(-1), this.#now(), messagesIn(written.map(toEntry)), turn.session],
        )
      }
      await db.update(TurnRecords, { id: turn.id }, fromTurn({ ...changes, entrySeqs }))
      return { entrySeqs, moved }
    })
  }

  async reopenTurn(turn: Turn): Promise<Turn | undefined> {
    const { entrySeqs, session, baseSeq, branchVersion } = turn
    return this.#database.tx(async (db) => {
      if (entrySeqs.length) {
        const written = await db.find(Entries, { where: { session, n: { $in: entrySeqs } } })
        const changed = await db.run(
          `UPDATE agent_session SET leaf = $1, messages = messages - $2
           WHERE id = $3 AND leaf = $4 AND branch = $5 AND state = 'active'`,
          [baseSeq, messagesIn(written.map(toEntry)), session, entrySeqs.at(-1), branchVersion],
        )
        if (changed === 0) return undefined
      }
      await db.update(TurnRecords, { id: turn.id }, fromTurn(REOPENED))
      return { ...turn, ...REOPENED }
    })
  }

  async turns({ open, limit }: { readonly open?: boolean; readonly limit: number }): Promise<readonly Turn[]> {
    const rows = await this.#database.read((db) =>
      db.query<TurnRecord>(
        `SELECT * FROM agent_turn${open ? ' WHERE ended_at IS NULL' : ''} ORDER BY id DESC LIMIT ${Number(limit)}`,
      ),
    )
    return rows.map(toTurn)
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
