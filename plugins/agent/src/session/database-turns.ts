import type { Database, Writes } from '@mynah/database-api'
import { placeFor, sessionGone, takeNumbers, type DatabaseEntries } from './database-entries.js'
import { inBatches } from './in-batches.js'
import { fromTurn, toSession, toTurn } from './records.js'
import { TurnRecords, type TurnRecord } from './tables.js'
import { TurnLost } from './turn-lost.js'
import {
  isClosed,
  REOPENED,
  type ClaimedTurn,
  type ClosedTurn,
  type NewEntry,
  type Turn,
  type TurnAppend,
  type WaitingFor,
} from './types.js'

/** The journal of turns in the database. Each change is a condition: who did not change the row must not act. */
export class DatabaseTurns {
  readonly #database: Database
  readonly #now: () => number
  readonly #entries: DatabaseEntries
  /** The columns of the process that works on a turn. */
  readonly #held: { readonly host?: string }

  constructor(database: Database, now: () => number, entries: DatabaseEntries, owner?: string) {
    this.#database = database
    this.#now = now
    this.#entries = entries
    this.#held = owner === undefined ? {} : { host: owner }
  }

  async createTurn(turn: Turn, handOver?: () => Promise<void>): Promise<void> {
    await this.#database.tx(async (db) => {
      await db.insert(TurnRecords, { ...fromTurn(turn), ...this.#held } as TurnRecord)
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
    const found = await this.#database.read((db) =>
      inBatches(rows, (batch) => db.find(TurnRecords, { where: { row: { $in: batch } } })),
    )
    return new Set(found.map(({ row }) => row as string))
  }

  async claimTurn(turn: Turn, changes: Partial<Turn> & Pick<Turn, 'claim'>): Promise<Turn | undefined> {
    const row = { ...fromTurn(changes), ...this.#held, id: turn.id }
    const [isTaken] = await this.#database.change(TurnRecords, [row], undefined, openAs(turn))
    return isTaken || (await this.#isOpenAs(turn.id, changes.claim)) ? { ...turn, ...changes } : undefined
  }

  /** Whether an earlier call has taken a turn under this claim: its answer may have been lost. */
  async #isOpenAs(id: string, claim: number): Promise<boolean> {
    const known = await this.turn(id)
    return known?.claim === claim && known.endedAt === null
  }

  async updateTurn(turn: ClaimedTurn, changes: Partial<Turn>, append?: TurnAppend): Promise<readonly number[]> {
    if (append) return this.#database.tx((db) => this.#appendToTurn(db, turn, changes, append))
    const row = { ...fromTurn(changes), id: turn.id }
    const [isMine] = await this.#database.change(TurnRecords, [row], undefined, openAs(turn))
    if (!isMine) throw new TurnLost(turn.id)
    return []
  }

  async #appendToTurn(
    db: Writes,
    turn: ClaimedTurn,
    changes: Partial<Turn>,
    { session, parent, entrySeqs, list, ends }: TurnAppend,
  ): Promise<readonly number[]> {
    const row = await takeNumbers(db, session, list.length)
    if (!row) throw sessionGone()
    const seqs = await this.#entries.insert(db, session, toSession(row).lastSeq, parent, list)
    await changeTurn(db, turn, { ...changes, entrySeqs: [...entrySeqs, ...seqs] })
    if (ends) await changeTurn(db, ends.turn, ends.changes)
    return seqs
  }

  async recordAnswer(turn: ClaimedTurn, waiting: WaitingFor | null, handOver?: () => Promise<void>): Promise<void> {
    await this.#database.tx(async (db) => {
      await changeTurn(db, turn, { waiting })
      await handOver?.()
    })
  }

  async closeTurn(
    turn: Turn,
    entries: readonly NewEntry[],
    parent: number | null,
    changes: Partial<Turn>,
    aside = false,
  ): Promise<ClosedTurn> {
    return this.#database.tx(async (db) => {
      const known = await db.findOne(TurnRecords, { id: turn.id })
      if (!known || Number(known.claim) !== turn.claim) throw new TurnLost(turn.id)
      if (isClosed(toTurn(known))) return { turn: toTurn(known), moved: false }
      const row = await takeNumbers(db, turn.session, entries.length)
      if (!row && entries.length) throw sessionGone()
      const added = await this.#entries.insert(db, turn.session, Number(row?.head ?? 0), parent, entries)
      const entrySeqs = [...turn.entrySeqs, ...added]
      const moved =
        !aside &&
        row !== undefined &&
        Number(row.branch) === turn.branchVersion &&
        row.state === 'active' &&
        entrySeqs.length > 0 &&
        (await this.#moveBelowLeaf(db, turn, entrySeqs, toSession(row).leaf))
      const closed = { ...changes, entrySeqs }
      // Of two closes at the same time the second finds another state, and is rolled back.
      await changeTurn(db, turn, closed, known.state)
      return { turn: { ...turn, ...closed }, moved }
    })
  }

  /** Hangs the entries of a turn below the leaf and makes the last one the leaf. Returns whether that is possible. */
  async #moveBelowLeaf(
    db: Writes,
    { session }: Turn,
    entrySeqs: readonly number[],
    leaf: number | null,
  ): Promise<boolean> {
    const { messages, fits } = await placeFor(db, session, entrySeqs, leaf)
    if (!fits) return false
    await db.run('UPDATE agent_entry SET parent = $1 WHERE session = $2 AND n = $3', [leaf, session, entrySeqs[0]])
    await db.run(
      'UPDATE agent_session SET leaf = $1, chosen = 0, active_at = $2, messages = messages + $3 WHERE id = $4',
      [entrySeqs.at(-1), this.#now(), messages, session],
    )
    return true
  }

  async reopenTurn(turn: Turn): Promise<Turn | undefined> {
    const { entrySeqs, session, baseSeq, branchVersion } = turn
    try {
      return await this.#database.tx(async (db) => {
        if (entrySeqs.length) {
          const { messages } = await placeFor(db, session, entrySeqs, null)
          const changed = await db.run(
            `UPDATE agent_session SET leaf = $1, messages = messages - $2
             WHERE id = $3 AND leaf = $4 AND branch = $5 AND state = 'active'`,
            [baseSeq, messages, session, entrySeqs.at(-1), branchVersion],
          )
          if (changed === 0) return undefined
        }
        const where = { id: turn.id, claim: turn.claim, ended_at: { $ne: null } } as const
        if ((await db.update(TurnRecords, where, fromTurn({ ...REOPENED, attempts: turn.attempts }))) === 0)
          throw new TurnLost(turn.id)
        return { ...turn, ...REOPENED }
      })
    } catch (error) {
      if (error instanceof TurnLost) return undefined
      throw error
    }
  }

  async turns({ open, limit }: { readonly open?: boolean; readonly limit: number }): Promise<readonly Turn[]> {
    const rows = await this.#database.read((db) =>
      db.query<TurnRecord>(
        `SELECT * FROM agent_turn${open ? ' WHERE ended_at IS NULL' : ''} ORDER BY id DESC LIMIT ${Number(limit)}`,
      ),
    )
    return rows.map(toTurn)
  }

  async openTurns({
    after = '',
    limit,
  }: {
    readonly after?: string
    readonly limit: number
  }): Promise<readonly Turn[]> {
    const rows = await this.#database.read((db) =>
      db.query<TurnRecord>(
        `SELECT * FROM agent_turn WHERE ended_at IS NULL AND id > $1 ORDER BY id LIMIT ${Number(limit)}`,
        [after],
      ),
    )
    return rows.map(toTurn)
  }
}

/** The condition under which the owner of a claim changes a turn. */
const openAs = ({ claim }: ClaimedTurn) => ({ claim, ended_at: null }) as const

/** @throws TurnLost where the turn has ended or another start has taken it */
async function changeTurn(
  db: Writes,
  turn: ClaimedTurn,
  changes: Partial<Turn>,
  state?: TurnRecord['state'],
): Promise<void> {
  const where = { id: turn.id, ...openAs(turn), ...(state === undefined ? {} : { state }) }
  const changed = await db.update(TurnRecords, where, fromTurn(changes))
  if (changed === 0) throw new TurnLost(turn.id)
}
