import type { ClusterHostView } from '@mynah/kernel'
import { ownerName, type HostRow, type PlaceRow } from '../member/state.js'
import type { Session } from './connect.js'
import {
  CHANNEL,
  connectionName,
  FALLS_REST,
  FALLS_WITHIN,
  LOCKS,
  MAX_FALLS,
  TABLES,
  type HostStatus,
} from './tables.js'

/** The identity of a host for one run of its process. */
export interface Identity {
  readonly id: string
  readonly name: string
  /** Small and never given to another host: a key of its lock. */
  readonly number: number
  /** Raised with each start. */
  readonly epoch: number
}

/** Thrown when a live process has the identity of this one: a copy of its folder. */
export class IdentityInUse extends Error {}

const LOCK_TRIES = 50
const LOCK_RETRY_MS = 100
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Creates the tables where they are missing. Hosts that start at once wait for each other. */
export async function createTables(session: Session): Promise<void> {
  await session.query('SELECT pg_advisory_lock($1, 0)', [LOCKS])
  try {
    await session.query(TABLES)
  } finally {
    await session.query('SELECT pg_advisory_unlock($1, 0)', [LOCKS])
  }
}

/**
 * Makes this process the host with an id: ends what its former process has left, and begins a new epoch. Its former
 * places are its own at once, since that process is known to be dead.
 *
 * @param observeMs how long a beat is watched where another process seems to live
 * @throws IdentityInUse where one does
 */
export async function join(
  session: Session,
  host: { readonly id: string; readonly name: string; readonly version: string; readonly now: number },
  observeMs: number,
): Promise<Identity> {
  const { id, name, version, now } = host
  const beatOf = async (): Promise<string | undefined> =>
    (
      await session.query<{ beat: string }>(
        `SELECT epoch || '/' || beat AS beat FROM cluster_host WHERE id = $1 AND state IN ('live', 'leaving')
         AND EXISTS (SELECT 1 FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'mynah ' || id || ' ' || epoch)`,
        [id],
      )
    ).rows[0]?.beat
  const before = await beatOf()
  if (before !== undefined) {
    await pause(observeMs)
    const after = await beatOf()
    if (after !== undefined && after !== before)
      throw new IdentityInUse('another host with the identity of this one is running: its folder was copied')
  }
  // Epochs never repeat, also where a standby that lacks the last ones was promoted: its timeline is higher.
  const { rows } = await session.query<{ number: number; epoch: string }>(
    `INSERT INTO cluster_host (id, name, epoch, state, version, started_at)
     VALUES ($1, $2, 1 + (('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint << 32), 'joining', $3, $4)
     ON CONFLICT (id) DO UPDATE SET name = $2, state = 'joining', version = $3, started_at = $4,
       epoch = greatest(cluster_host.epoch + 1, EXCLUDED.epoch)
     RETURNING number, epoch`,
    [id, name, version, now],
  )
  const identity = { id, name, number: Number(rows[0]?.number), epoch: Number(rows[0]?.epoch) }
  await session.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
     AND usename = current_user AND pid <> pg_backend_pid() AND application_name LIKE 'mynah ' || $1 || ' %'`,
    [id],
  )
  await provenEnded(session, identity.number)
  await session.query(`SELECT set_config('application_name', $1, false)`, [connectionName(id, identity.epoch)])
  await session.query(
    `WITH live AS (UPDATE cluster_host SET state = 'live', beat = beat + 1 WHERE id = $1 AND epoch = $2 RETURNING id)
     UPDATE cluster_place SET host = $3, epoch = epoch + 1 FROM live WHERE split_part(host, ':', 1) = live.id`,
    [id, identity.epoch, ownerName(id, identity.epoch)],
  )
  return identity
}

/** Takes and gives back the lock that each writing connection of a host holds: none is left. */
async function provenEnded(session: Session, number: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { rows } = await session.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [
      LOCKS,
      number,
    ])
    if (rows[0]?.taken) break
    if (tries === LOCK_TRIES) throw new Error('a connection of the former process of this host does not end')
    await pause(LOCK_RETRY_MS)
  }
  await session.query('SELECT pg_advisory_unlock($1, $2)', [LOCKS, number])
}

/** Raises the beat. Returns false where the row is no longer that of this process: others have called it dead. */
export async function beat(session: Session, { id, epoch }: Identity): Promise<boolean> {
  const { rowCount } = await session.query(
    `UPDATE cluster_host SET beat = beat + 1 WHERE id = $1 AND epoch = $2 AND state IN ('live', 'leaving')`,
    [id, epoch],
  )
  return rowCount === 1
}

/** Adds places that this host can run. Others that exist stay as they are. */
export async function addPlaces(session: Session, places: readonly string[]): Promise<void> {
  if (places.length > 0)
    await session.query('INSERT INTO cluster_place (id) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [places])
}

/** The result of {@link look}. */
interface Seen {
  readonly others: readonly HostRow[]
  readonly places: readonly PlaceRow[]
  /** Names of the other hosts by what they are called as owners. */
  readonly names: ReadonlyMap<string, string>
  /** When the places that rest can be taken again, in milliseconds since the epoch. */
  readonly restsUntil: ReadonlyMap<string, number>
}

/** Returns the other hosts that are not gone, and all places. */
export async function look(session: Session, { id }: Identity): Promise<Seen> {
  const hosts = await session.query<{ id: string; name: string; epoch: string; beat: string }>(
    `SELECT id, name, epoch, beat FROM cluster_host WHERE id <> $1 AND state IN ('joining', 'live', 'leaving')`,
    [id],
  )
  const places = await session.query<{ id: string; owner: string | null; rest: string | null }>(
    `SELECT id, host AS owner, CASE WHEN falls >= ${MAX_FALLS} AND fell_at >= now() - interval '${FALLS_REST}'
       THEN extract(epoch FROM fell_at + interval '${FALLS_REST}') * 1000 END AS rest
     FROM cluster_place ORDER BY id`,
  )
  return {
    others: hosts.rows.map((row) => ({ id: row.id, epoch: Number(row.epoch), beat: Number(row.beat) })),
    places: places.rows.map((row) => ({ id: row.id, owner: row.owner, mayBeTaken: row.rest === null })),
    names: new Map(hosts.rows.map((row) => [ownerName(row.id, Number(row.epoch)), row.name])),
    restsUntil: new Map(places.rows.flatMap(({ id, rest }) => (rest === null ? [] : [[id, Math.round(Number(rest))]]))),
  }
}

/** Takes free places of a list, at most `count`. Other hosts that take at the same time get others. */
export async function take(
  session: Session,
  { id, epoch }: Identity,
  places: readonly string[],
  count: number,
): Promise<void> {
  await session.query(
    `UPDATE cluster_place SET host = $1, epoch = epoch + 1, since = now() WHERE id IN (
       SELECT id FROM cluster_place WHERE host IS NULL AND id = ANY($2)
         AND (falls < ${MAX_FALLS} OR fell_at < now() - interval '${FALLS_REST}')
       ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED)
     AND EXISTS (SELECT 1 FROM cluster_host WHERE id = $4 AND epoch = $5 AND state = 'live')`,
    [ownerName(id, epoch), places, count, id, epoch],
  )
}

/**
 * Declares a host dead whose beat has not changed, ends its connections first, and frees its places. A
 * connection that the dead host opens later finds its row dead and writes nothing.
 *
 * @param session a connection of its own, since it waits for a lock
 * @returns whether it was declared dead, by this call
 */
export async function declareDead(session: Session, { id, epoch, beat: seen }: HostRow): Promise<boolean> {
  await session.query('BEGIN')
  try {
    await session.query(`SET LOCAL lock_timeout = '5s'`)
    const { rows } = await session.query<{ number: number }>(
      `SELECT number FROM cluster_host WHERE id = $1 AND epoch = $2 AND beat = $3
       AND state IN ('joining', 'live', 'leaving') FOR UPDATE SKIP LOCKED`,
      [id, epoch, seen],
    )
    const [found] = rows
    if (found) {
      await session.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = $1`,
        [connectionName(id, epoch)],
      )
      await session.query('SELECT pg_advisory_xact_lock($1, $2)', [LOCKS, found.number])
      await session.query(`UPDATE cluster_host SET state = 'dead' WHERE id = $1`, [id])
      await session.query(
        `UPDATE cluster_place SET host = NULL, fell_at = now(), since = now(),
           falls = CASE WHEN fell_at > now() - interval '${FALLS_WITHIN}' THEN falls + 1 ELSE 1 END
         WHERE split_part(host, ':', 1) = $1`,
        [id],
      )
      await session.query(`SELECT pg_notify('${CHANNEL}', '')`)
    }
    await session.query('COMMIT')
    return found !== undefined
  } catch (error) {
    await session.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** Says that this host stops, and takes no places any more. */
export async function leave(session: Session, { id, epoch }: Identity): Promise<void> {
  await session.query(`UPDATE cluster_host SET state = 'leaving' WHERE id = $1 AND epoch = $2 AND state = 'live'`, [
    id,
    epoch,
  ])
}

/** Gives up the places of this host, whose work has ended, and its row. */
export async function go(session: Session, { id, epoch }: Identity): Promise<void> {
  await session.query(`UPDATE cluster_place SET host = NULL, since = now() WHERE host = $1`, [ownerName(id, epoch)])
  await session.query(`UPDATE cluster_host SET state = 'gone' WHERE id = $1 AND epoch = $2`, [id, epoch])
  await session.query(`SELECT pg_notify('${CHANNEL}', '')`)
}

/** Returns all hosts that were seen within a month, with their places. */
export async function listHosts(session: Session): Promise<readonly ClusterHostView[]> {
  const { rows } = await session.query<{
    id: string
    name: string
    state: HostStatus
    version: string
    started_at: string
    places: string[] | null
  }>(
    `SELECT id, name, state, version, started_at,
       (SELECT array_agg(p.id ORDER BY p.id) FROM cluster_place p WHERE split_part(p.host, ':', 1) = h.id) AS places
     FROM cluster_host h ORDER BY name, id`,
  )
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    state: row.state,
    version: row.version,
    startedAt: Number(row.started_at),
    places: row.places ?? [],
  }))
}
