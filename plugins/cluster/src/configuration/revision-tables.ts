import { createHash } from 'node:crypto'
import type { Session } from '../database/connect.js'
import type { Identity } from '../database/host-tables.js'
import { CHANNEL, CONFIGURATION } from '../database/tables.js'

/** Older revisions are removed. */
const KEPT = 100

/** A text of the configuration that hosts share. */
export interface Revision {
  readonly rev: number
  readonly body: string
  /** Name of the host that made it. */
  readonly author: string
  /** In milliseconds since the epoch, by the clock of that host. */
  readonly at: number
}

export const shaOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Returns the newest revision, or `undefined` before the first one. */
export async function newestRevision(session: Session): Promise<Revision | undefined> {
  const { rows } = await session.query<{ rev: string; body: string; author: string; at: string }>(
    'SELECT rev, body, author, at FROM config_revision ORDER BY rev DESC LIMIT 1',
  )
  return rows.map(({ rev, body, author, at }) => ({ rev: Number(rev), body, author, at: Number(at) }))[0]
}

/**
 * Adds a revision that follows the newest one, and announces it in the same transaction: no process that dies can part
 * the two.
 *
 * @param parent number of the revision that it was made from, 0 for the first
 * @returns its number, or `undefined` where another host has added one meanwhile
 */
export async function addRevision(
  session: Session,
  { parent, body, author, at }: Omit<Revision, 'rev'> & { readonly parent: number },
): Promise<number | undefined> {
  const { rows } = await session.query<{ rev: string }>(
    `WITH added AS (
       INSERT INTO config_revision (rev, parent, sha, body, author, at)
       SELECT $1::bigint + 1, $1, $2, $3, $4, $5
       WHERE $1 = (SELECT coalesce(max(rev), 0) FROM config_revision)
       ON CONFLICT DO NOTHING RETURNING rev),
     removed AS (DELETE FROM config_revision WHERE rev <= (SELECT rev - ${KEPT} FROM added))
     SELECT rev, pg_notify('${CONFIGURATION}', rev::text) FROM added`,
    [parent, shaOf(body), body, author, at],
  )
  return rows.map(({ rev }) => Number(rev))[0]
}

/** The revision of the shared configuration that a host runs. */
export interface RevisionState {
  readonly revision: number
  /** Why it cannot run the newest one. */
  readonly problem?: string | undefined
}

/** Says which revision a host runs. The others do not count on one that cannot run the newest. */
export async function reportRevision(
  session: Session,
  { id, epoch }: Identity,
  { revision, problem }: RevisionState,
): Promise<void> {
  await session.query('UPDATE cluster_host SET config = $3, config_problem = $4 WHERE id = $1 AND epoch = $2', [
    id,
    epoch,
    revision,
    problem ?? null,
  ])
  await session.query(`SELECT pg_notify('${CHANNEL}', '')`)
}
