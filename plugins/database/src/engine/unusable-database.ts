import { FatalError } from '@mynah/kernel'

/** Same exit code as for a wrong configuration: a restart would not help. */
const EXIT_CODE = 2

/** Thrown when a PostgreSQL database cannot hold what the host writes, however long it waits. */
export class UnusableDatabase extends FatalError {
  readonly code = 'database/unusable'

  constructor(message: string, hint: string) {
    super(message, { exitCode: EXIT_CODE, hint })
  }
}

/** The part of a client of the module `pg` that asks. */
interface Asking {
  query(sql: string): Promise<{ readonly rows: Record<string, unknown>[] }>
}

/**
 * Checks that a database takes every character and has a schema for the tables.
 *
 * @throws UnusableDatabase where it does not
 */
export async function assertUsable(client: Asking): Promise<void> {
  const {
    rows: [row],
  } = await client.query(
    `SELECT current_setting('server_encoding') AS encoding, current_schema() AS schema,
      current_setting('search_path') AS path, current_user AS role, current_database() AS name`,
  )
  const { encoding, schema, path, role, name } = row ?? {}
  if (encoding !== 'UTF8')
    throw new UnusableDatabase(
      `The database "${name}" is encoded in ${encoding}, which has no place for most characters`,
      'Set database.url to a database in UTF8: createdb --encoding=UTF8 --template=template0 <name>',
    )
  if (schema === null)
    throw new UnusableDatabase(
      `No schema of the search path ${path} exists in the database "${name}", or "${role}" may not use it`,
      `Create one, such as: CREATE SCHEMA mynah AUTHORIZATION "${role}"; ALTER ROLE "${role}" SET search_path TO mynah`,
    )
}

/** Returns the error for a pooler that gives one process of the server to several connections. */
export const pooledByTransaction = (): UnusableDatabase =>
  new UnusableDatabase(
    'A pooler between this host and PostgreSQL shares connections by transaction, so that no lock of the host holds',
    'Set pool_mode = session for this database in pgbouncer, or set database.url to PostgreSQL itself',
  )
