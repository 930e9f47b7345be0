import type { ClusterHostView } from '@mynah/kernel'
import { ownerName, type HostRow } from '../member/state.js'
import type { Session } from './connect.js'
import { admit } from './upgrade.js'
import { CHANNEL, connectionName, CONTROL_LOCKS, FALLS_WITHIN, LOCKS, TABLES, type HostStatus } from './tables.js'

/** The identity of a host for one run of its process. */
export interface Identity {
  readonly id: string
  readonly name: string
  /** Small and never given to another host: a key of its lock. */
  readonly number: number
  /** Raised with each start. */
  readonly epoch: number
}

/** A process that becomes a host. */
interface Joining {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly now: number
}

/** Thrown when a live process has the identity of this one: a copy of its folder. */
export class IdentityInUse extends Error {}

/** Timeline of the server as a number. Epochs that begin in it have it as their upper half. */
const TIMELINE = `('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint`
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
 * @throws VersionRefused where the database was changed for hosts of a later version
 */
export async function join(session: Session, host: Joining, observeMs: number): Promise<Identity> {
  const { id, name } = host
  let begun: Begun | undefined
  while (!begun) {
    let seen = await observe(session, id)
    const { beat: before } = seen
    const end = performance.now() + observeMs
    while (seen.lives && performance.now() < end) {
      await pause(LOCK_RETRY_MS)
      seen = await observe(session, id)
      if (seen.lives && seen.beat !== before)
        throw new IdentityInUse('another host with the identity of this one is running: its folder was copied')
    }
    const { beat: found } = seen
    begun = await admit(session, host.version, () => beginEpoch(session, host, found))
  }
  const identity = { id, name, number: begun.number, epoch: Number(begun.epoch) }
  await session.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
     AND usename = current_user AND pid <> pg_backend_pid() AND application_name LIKE 'mynah ' || $1 || ' %'`,
    [id],
  )
  await provenEnded(session, identity.number)
  await session.query('SELECT pg_advisory_lock($1, $2)', [CONTROL_LOCKS, identity.number])
  await session.query(`SELECT set_config('application_name', $1, false)`, [connectionName(id, identity.epoch)])
  await session.query(
    `WITH live AS (UPDATE cluster_host SET state = 'live', beat = beat + 1 WHERE id = $1 AND epoch = $2 RETURNING id)
     UPDATE cluster_place SET host = $3, epoch = epoch + 1 FROM live WHERE split_part(host, ':', 1) = live.id`,
    [id, identity.epoch, ownerName(id, identity.epoch)],
  )
  return identity
}

interface Begun {
  readonly number: number
  readonly epoch: string
}

/** Returns the beat of a host, and whether a process seems to live that has its identity. */
async function observe(session: Session, id: string): Promise<{ readonly beat: string; readonly lives: boolean }> {
  const { rows } = await session.query<{ beat: string; lives: boolean }>(
    `SELECT epoch || '/' || beat AS beat, state IN ('live', 'leaving') AND EXISTS (SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'mynah ' || id || ' ' || epoch) AS lives
     FROM cluster_host WHERE id = $1`,
    [id],
  )
  return rows[0] ?? { beat: '', lives: false }
}

/**
 * Begins a new epoch of a host. Returns `undefined` where its row is not as it was seen: another process with its
 * identity has begun in the meantime.
 */
async function beginEpoch(
  session: Session,
  { id, name, version, now }: Joining,
  seen: string,
): Promise<Begun | undefined> {
  // Epochs never repeat, also where a standby that lacks the last ones was promoted: its timeline is higher.
  const { rows } = await session.query<Begun>(
    `INSERT INTO cluster_host (id, name, epoch, state, version, started_at)
     VALUES ($1, $2, 1 + (${TIMELINE} << 32), 'joining', $3, $4)
     ON CONFLICT (id) DO UPDATE SET name = $2, state = 'joining', version = $3, started_at = $4,
       offers = '{}', drains = false, waits_for = NULL, config = NULL, config_problem = NULL, packages = NULL,
       epoch = greatest(cluster_host.epoch + 1, EXCLUDED.epoch)
       WHERE cluster_host.epoch || '/' || cluster_host.beat = $5
     RETURNING number, epoch`,
    [id, name, version, now, seen],
  )
  return rows[0]
}

/**
 * Makes a new connection the one that beats and looks, and ends the former one of this process: no statement of that
 * runs any more.
 *
 * @returns whether a standby server was promoted since this process has joined: it may lack what was read and written
 * @throws Error if the server is the former one
 */
export async function takeControl(session: Session, { number, epoch }: Identity): Promise<boolean> {
  const { rows } = await session.query<{ timeline: string }>(`SELECT ${TIMELINE} AS timeline`)
  const ahead = Number(rows[0]?.timeline) - Math.floor(epoch / 2 ** 32)
  if (ahead > 0) return true
  if (ahead < 0) throw new Error('this database server is the former one: another was promoted')
  await session.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND classid = $1 AND objid = $2 AND objsubid = 2 AND pid <> pg_backend_pid()`,
    [CONTROL_LOCKS, number],
  )
  await session.query('SELECT pg_advisory_lock($1, $2)', [CONTROL_LOCKS, number])
  return false
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
        // Those of former epochs too: a process that died while it joined has not ended them.
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name LIKE 'mynah ' || $1 || ' %'`,
        [id],
      )
      for (const locks of [LOCKS, CONTROL_LOCKS])
        await session.query('SELECT pg_advisory_xact_lock($1, $2)', [locks, found.number])
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

/** Returns those of some owners whose process may still work. */
export async function stillWork(session: Session, owners: readonly string[]): Promise<readonly string[]> {
  const { rows } = await session.query<{ owner: string }>(
    `SELECT id || ':' || epoch AS owner FROM cluster_host
     WHERE state IN ('joining', 'live', 'leaving') AND id || ':' || epoch = ANY($1)`,
    [owners],
  )
  return rows.map(({ owner }) => owner)
}

/** Says which packages the plugins of a host come from, as JSON. */
export async function reportPackages(session: Session, { id, epoch }: Identity, packages: string): Promise<void> {
  await session.query('UPDATE cluster_host SET packages = $3 WHERE id = $1 AND epoch = $2', [id, epoch, packages])
}

/** Returns all hosts that were seen within a month, with their places. */
export async function listHosts(session: Session): Promise<readonly ClusterHostView[]> {
  const { rows } = await session.query<{
    id: string
    name: string
    state: HostStatus
    version: string
    started_at: string
    drains: boolean
    config: string | null
    config_problem: string | null
    waits_for: string | null
    packages: Record<string, string> | null
    places: string[] | null
  }>(
    `SELECT id, name, state, version, started_at, drains, config, config_problem, waits_for, packages,
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
    drains: row.drains,
    ...(row.config === null ? {} : { revision: Number(row.config) }),
    ...(row.waits_for === null ? {} : { waitsFor: row.waits_for }),
    ...(row.packages === null ? {} : { packages: row.packages }),
    ...(row.config_problem === null ? {} : { revisionProblem: row.config_problem }),
  }))
}
