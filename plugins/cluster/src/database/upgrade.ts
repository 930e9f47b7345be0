// Hosts of several versions: which may work, while the database is changed from one to the next.
import semver from 'semver'
import type { StatementRunner } from '@mynah/kernel'
import type { Session } from './connect.js'
import { CHANNEL, LOCKS } from './tables.js'

/** Thrown when the database was changed for hosts of a later version. */
export class VersionRefused extends Error {}

/** Whether a version is before another one. One that cannot be read is. */
const isOlder = (version: string, other: string): boolean =>
  version !== other && (semver.valid(version) === null || semver.lt(version, other))

/**
 * Adds a host while no other one changes what it would work with.
 *
 * @throws VersionRefused where that was changed already
 */
export async function admit<T>(session: Session, version: string, add: () => Promise<T>): Promise<T> {
  await session.query('SELECT pg_advisory_lock_shared($1, 0)', [LOCKS])
  try {
    const { rows } = await session.query<{ version: string }>('SELECT version FROM cluster_upgrade')
    const least = rows.map((row) => row.version).find((needed) => isOlder(version, needed))
    if (least !== undefined)
      throw new VersionRefused(
        `this host has version ${version}, and the database was changed for version ${least} by another host`,
      )
    return await add()
  } finally {
    await session.query('SELECT pg_advisory_unlock_shared($1, 0)', [LOCKS])
  }
}

/**
 * Refuses hosts of versions before `version`, from the end of a transaction on.
 *
 * @param query runs a statement in that transaction
 * @returns names and versions of those that still work: the transaction must not be committed then
 */
export async function refuseOlder(query: StatementRunner, version: string, now: number): Promise<readonly string[]> {
  // No host joins until the transaction has ended.
  await query('SELECT pg_advisory_xact_lock($1, 0)', [LOCKS])
  await query('INSERT INTO cluster_upgrade (version, at) VALUES ($1, $2) ON CONFLICT DO NOTHING', [version, now])
  const rows = (await query(
    `SELECT name, version FROM cluster_host WHERE state IN ('joining', 'live', 'leaving') ORDER BY name, id`,
    [],
  )) as readonly { readonly name: string; readonly version: string }[]
  return rows.filter((row) => isOlder(row.version, version)).map((row) => `${row.name} (${row.version})`)
}

/** Stores the reason why a host takes no places yet, or that there is none. */
export async function reportWait(
  session: Session,
  { id, epoch }: { readonly id: string; readonly epoch: number },
  reason: string | undefined,
): Promise<void> {
  await session.query('UPDATE cluster_host SET waits_for = $3 WHERE id = $1 AND epoch = $2', [
    id,
    epoch,
    reason ?? null,
  ])
  await session.query(`SELECT pg_notify('${CHANNEL}', '')`)
}
