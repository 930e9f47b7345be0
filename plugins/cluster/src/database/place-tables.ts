import type { ClusterPlace } from '@mynah/contract'
import { ownerName, type HostRow, type PlaceRow } from '../member/state.js'
import type { Identity } from './host-tables.js'
import type { Session } from './connect.js'
import { CHANNEL, FALLS_REST, FALLS_WITHIN, MAX_FALLS } from './tables.js'

/** When a place that rests can be taken again, in milliseconds since the epoch; else null. */
const REST = `CASE WHEN falls >= ${MAX_FALLS} AND fell_at >= now() - interval '${FALLS_REST}'
  THEN extract(epoch FROM fell_at + interval '${FALLS_REST}') * 1000 END`

/** Adds places that this host can run. Others that exist stay as they are. */
export async function addPlaces(session: Session, places: readonly string[]): Promise<void> {
  if (places.length > 0)
    await session.query('INSERT INTO cluster_place (id) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [places])
}

/** Says which places this host can run. */
export async function offer(session: Session, { id, epoch }: Identity, places: readonly string[]): Promise<void> {
  await session.query('UPDATE cluster_host SET offers = $3 WHERE id = $1 AND epoch = $2', [id, epoch, places])
  await session.query(`SELECT pg_notify('${CHANNEL}', '')`)
}

/** The result of {@link look}. */
export interface Seen {
  readonly others: readonly HostRow[]
  readonly places: readonly PlaceRow[]
  /** Whether this host shall give its places away. */
  readonly isDraining: boolean
  /** The other hosts by what they are called as owners. */
  readonly known: ReadonlyMap<string, { readonly name: string; readonly number: number; readonly epoch: number }>
  /** When the places that rest can be taken again, in milliseconds since the epoch. */
  readonly restsUntil: ReadonlyMap<string, number>
}

/** Returns the other hosts that are not gone, and all places. */
export async function look(session: Session, { id }: Identity): Promise<Seen> {
  const { rows } = await session.query<{
    id: string
    name: string
    number: number
    epoch: string
    beat: string
    drains: boolean
    offers: string[]
  }>(
    `SELECT id, name, number, epoch, beat, offers,
       drains OR state <> 'live' OR waits_for IS NOT NULL OR (config_problem IS NOT NULL AND id <> $1) AS drains
     FROM cluster_host WHERE state IN ('joining', 'live', 'leaving')`,
    [id],
  )
  const hosts = rows.filter((row) => row.id !== id)
  const places = await session.query<{ id: string; owner: string | null; wanted: string | null; rest: string | null }>(
    `SELECT id, host AS owner, wanted, ${REST} AS rest FROM cluster_place ORDER BY id`,
  )
  return {
    others: hosts.map(({ id: other, name, epoch, beat: seen, drains, offers }) => ({
      id: other,
      name,
      epoch: Number(epoch),
      beat: Number(seen),
      isDraining: drains,
      offers: new Set(offers),
    })),
    places: places.rows.map((row) => ({
      id: row.id,
      owner: row.owner,
      mayBeTaken: row.rest === null,
      wanted: row.wanted,
    })),
    isDraining: rows.find((row) => row.id === id)?.drains ?? false,
    known: new Map(
      hosts.map(({ id: other, name, number, epoch }) => [
        ownerName(other, Number(epoch)),
        { name, number: Number(number), epoch: Number(epoch) },
      ]),
    ),
    restsUntil: new Map(places.rows.flatMap(({ id, rest }) => (rest === null ? [] : [[id, Math.round(Number(rest))]]))),
  }
}

/** Returns all places, for people. */
export async function listPlaces(session: Session): Promise<readonly ClusterPlace[]> {
  const { rows } = await session.query<{
    id: string
    owner: string | null
    name: string | null
    since: string
    wanted: string | null
    falls: number
    rest: string | null
  }>(
    `SELECT p.id, h.id AS owner, h.name, extract(epoch FROM p.since) * 1000 AS since, p.wanted,
       CASE WHEN p.fell_at > now() - interval '${FALLS_WITHIN}' THEN p.falls ELSE 0 END AS falls, ${REST} AS rest
     FROM cluster_place p LEFT JOIN cluster_host h ON h.id = split_part(p.host, ':', 1) ORDER BY p.id`,
  )
  return rows.map(({ id, owner, name, since, wanted, falls, rest }) => ({
    id,
    owner: owner === null || name === null ? null : { id: owner, name },
    since: Math.round(Number(since)),
    wanted,
    falls,
    restsUntil: rest === null ? null : Math.round(Number(rest)),
  }))
}

/** Takes those of some places that are free. Of hosts that take a place at the same time one gets it. */
export async function take(session: Session, { id, epoch }: Identity, places: readonly string[]): Promise<void> {
  await session.query(
    `UPDATE cluster_place SET host = $1, epoch = epoch + 1, since = now(),
       wanted = CASE WHEN wanted = $3 THEN wanted END
     WHERE id IN (
       SELECT id FROM cluster_place WHERE host IS NULL AND id = ANY($2)
         AND (falls < ${MAX_FALLS} OR fell_at < now() - interval '${FALLS_REST}')
       ORDER BY id FOR UPDATE SKIP LOCKED)
     AND EXISTS (SELECT 1 FROM cluster_host WHERE id = $3 AND epoch = $4 AND state = 'live')`,
    [ownerName(id, epoch), places, id, epoch],
  )
}

/** Gives up a place of this host, whose work has ended. */
export async function release(session: Session, { id, epoch }: Identity, place: string): Promise<void> {
  await session.query('UPDATE cluster_place SET host = NULL, since = now() WHERE id = $1 AND host = $2', [
    place,
    ownerName(id, epoch),
  ])
  await session.query(`SELECT pg_notify('${CHANNEL}', '')`)
}

/**
 * Moves a place to a host, which keeps it while it lives, or takes that back.
 *
 * @returns whether there is such a place
 */
export async function move(session: Session, place: string, host: string | null): Promise<boolean> {
  const { rowCount } = await session.query('UPDATE cluster_place SET wanted = $2 WHERE id = $1', [place, host])
  await session.query(`SELECT pg_notify('${CHANNEL}', '')`)
  return rowCount === 1
}

/**
 * Lets a host give its places away until it is started again, or take places again.
 *
 * @returns whether there is such a host
 */
export async function drain(session: Session, host: string, drains: boolean): Promise<boolean> {
  const { rowCount } = await session.query(`UPDATE cluster_host SET drains = $2 WHERE id = $1 AND state = 'live'`, [
    host,
    drains,
  ])
  await session.query(`SELECT pg_notify('${CHANNEL}', '')`)
  return rowCount === 1
}
