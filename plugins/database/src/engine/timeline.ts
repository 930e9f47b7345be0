/** The part of a client of the module `pg` that asks. */
interface Asking {
  query(sql: string): Promise<{ readonly rows: Record<string, unknown>[] }>
}

/** "undefined function", "not allowed", "not supported": servers that resemble PostgreSQL and do not tell. */
const DOES_NOT_TELL = new Set(['42883', '42501', '0A000'])

/**
 * Returns the timeline of the server, which is higher after a standby server was promoted. The former server may have
 * committed what the promoted one lacks.
 *
 * @throws StandbyServer while the server is a standby
 */
export async function timelineOf(client: Asking): Promise<number | undefined> {
  try {
    const { rows } = await client.query(
      'SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_lsn()) END AS file',
    )
    const file = rows[0]?.file
    if (typeof file !== 'string') throw new StandbyServer('The database server is a standby, which takes no writes')
    return Number.parseInt(file.slice(0, 8), 16)
  } catch (error) {
    if (DOES_NOT_TELL.has(String((error as { readonly code?: unknown }).code))) return undefined
    throw error
  }
}

/** Thrown while a server takes no writes, because it may be promoted soon. */
class StandbyServer extends Error {
  readonly code = 'MYNAH_STANDBY'
}

/** Thrown when a new connection leads to a server with another history than the one that this host has worked with. */
export class AnotherTimeline extends Error {
  readonly code = 'MYNAH_TIMELINE'
}
