import type { LoggedEvent } from '@mynah/plugin-events/api'
import type { QueryRunner } from 'typeorm'
import type { Dialect } from '../api.js'
import { execute, type Engine } from '../engine/engine.js'
import { STREAM_ROW } from './tables.js'
import { valuesClause } from './values.js'

/** An event without an id, its payload serialized. */
export type Draft = Omit<LoggedEvent, 'id'>

const MAX_EVENTS = 50_000
/** Old events are deleted in batches of at least this size, so that most commits delete none. */
const PRUNE_BATCH = 1_000
/** Rows of one statement. */
const MAX_ROWS = 500

/** Thrown when the answer to a commit is missing, so that the database may contain the transaction. */
export class CommitUnanswered extends Error {
  constructor(cause: unknown) {
    super('The commit had no answer', { cause })
  }
}

/** Commits the open transaction and gives ids to its events. Ids have no gaps and follow the order of commits. */
export type Commit = (runner: QueryRunner, drafts: readonly Draft[]) => Promise<readonly LoggedEvent[]>

/** The part of a client of the module `pg` that sends several statements at once. */
interface SimpleClient {
  query(sql: string): Promise<readonly { readonly rows: readonly { readonly head: string | number }[] }[]>
}

/** The part of such a client that tells which command was done. */
interface CommandClient {
  query(sql: string): Promise<{ readonly command: string }>
}

const withIds = (drafts: readonly Draft[], last: number): LoggedEvent[] =>
  drafts.map(({ type, json, timestamp }, index) => ({ id: last - drafts.length + 1 + index, type, json, timestamp }))

/** Takes ids, which locks the row of the counter until the commit, writes the events, and commits. */
async function commitInSteps(runner: QueryRunner, drafts: readonly Draft[]): Promise<readonly LoggedEvent[]> {
  const run = (sql: string, parameters: readonly unknown[]) => execute('sqlite', runner, sql, parameters)
  const {
    rows: [row],
  } = await run('UPDATE stream_head SET head = head + $1 WHERE id = $2 RETURNING head', [drafts.length, STREAM_ROW])
  if (row === undefined) throw new Error('The row of the event log is missing')
  const last = Number((row as { head: number }).head)
  const logged = withIds(drafts, last)
  for (let start = 0; start < logged.length; start += MAX_ROWS) {
    const rows = logged
      .slice(start, start + MAX_ROWS)
      .map(({ id, type, json, timestamp }) => [id, type, json, timestamp])
    const { sql, parameters } = valuesClause(rows, { json: true })
    await run(`INSERT INTO stream_event (id, type, data, timestamp) ${sql}`, parameters)
  }
  if (Math.floor(last / PRUNE_BATCH) > Math.floor((last - drafts.length) / PRUNE_BATCH))
    await run('DELETE FROM stream_event WHERE id <= $1', [last - MAX_EVENTS])
  await commitAlone('sqlite', runner)
  return logged
}

async function commitAlone(dialect: Dialect, runner: QueryRunner): Promise<void> {
  const unanswered = (error: unknown): never => {
    throw new CommitUnanswered(error)
  }
  if (dialect === 'sqlite') return void (await execute(dialect, runner, 'COMMIT').catch(unanswered))
  const client = (await runner.connect()) as CommandClient
  const { command } = await client.query('COMMIT').catch(unanswered)
  // PostgreSQL answers so, without an error, where a statement of the transaction has failed.
  if (command === 'ROLLBACK')
    throw Object.assign(new Error('A statement of this transaction has failed, so nothing of it was written'), {
      code: '25P02',
    })
}

/** Returns a text as a literal of PostgreSQL. Statements that are sent together take no parameters. */
function literal(text: string): string {
  // A zero byte would end the packet within the literal.
  if (text.includes('\0')) throw new Error('An event must not contain a zero byte')
  return `E'${text.replace(/['\\]/g, (character) => character + character)}'`
}

/**
 * Takes ids, writes the events and commits in one packet. The row of the counter is locked for no round trip, so that a
 * host that pauses at this moment holds up no other host.
 */
class PacketCommitter {
  readonly #taken: string
  /** The newest id that this host has taken. */
  #last = 0
  /** Number of the batch after which old events were deleted. */
  #prunedBatch = -1

  /** @param channel notified with the newest id, under the lock of the counter: alone it would halve the rate */
  constructor(channel: string | undefined) {
    this.#taken =
      channel === undefined ? 'SELECT head FROM h' : `SELECT head, pg_notify('${channel}', head::text) FROM h`
  }

  async commit(runner: QueryRunner, drafts: readonly Draft[]): Promise<readonly LoggedEvent[]> {
    const count = drafts.length
    const values = drafts.map(
      ({ type, json, timestamp }, index) => `(${index + 1}, ${literal(type)}, ${literal(json)}, ${timestamp}::bigint)`,
    )
    const batch = Math.floor((this.#last + count) / PRUNE_BATCH)
    const prune = `DELETE FROM stream_event WHERE id <= (SELECT head - ${MAX_EVENTS} FROM stream_head);`
    // Without the row of the counter the ids are null, which prevents the commit.
    const packet = `
      WITH h AS (UPDATE stream_head SET head = head + ${count} WHERE id = '${STREAM_ROW}' RETURNING head),
      e AS (INSERT INTO stream_event (id, type, data, timestamp)
        SELECT (SELECT head FROM h) - ${count} + n, type, data, timestamp
        FROM (VALUES ${values.join(', ')}) AS v (n, type, data, timestamp))
      ${this.#taken};
      ${batch > this.#prunedBatch ? prune : ''}
      COMMIT`
    const client = (await runner.connect()) as SimpleClient
    const [taken] = await client.query(packet).catch((error: unknown) => {
      throw new CommitUnanswered(error)
    })
    this.#last = Number(taken?.rows[0]?.head)
    this.#prunedBatch = Math.max(this.#prunedBatch, batch)
    return withIds(drafts, this.#last)
  }
}

/**
 * Returns how a database system commits.
 *
 * @param channel for hosts that share the database, see {@link Engine.streamChannel}
 */
export function commitOf({ dialect, streamChannel }: Pick<Engine, 'dialect' | 'streamChannel'>): Commit {
  const packets = new PacketCommitter(streamChannel)
  const withEvents: Commit = dialect === 'postgres' ? (runner, drafts) => packets.commit(runner, drafts) : commitInSteps
  return async (runner, drafts) => {
    if (drafts.length > 0) return withEvents(runner, drafts)
    await commitAlone(dialect, runner)
    return []
  }
}
