import pg, { type Client } from 'pg'

const CONNECT_TIMEOUT_MS = 3_000
/** Statements are short, but for one that waits 5 s for a lock. A longer silence is a broken connection. */
const QUERY_TIMEOUT_MS = 8_000
/** The server ends the session of a machine that has vanished, and with it its locks. */
const NOTICES_VANISHED_HOSTS =
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=10000 ' +
  '-c idle_in_transaction_session_timeout=10s'

/** An open connection. */
export type Session = Client

/**
 * Connects once.
 *
 * @param name shown by the server, see `connectionName`
 * @param ended called when the connection has ended, for whatever reason
 */
export async function connect(url: string, name: string, ended: () => void): Promise<Session> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    options: NOTICES_VANISHED_HOSTS,
  })
  // An error of an idle connection is followed by its end.
  client.on('error', () => {})
  client.on('end', ended)
  await client.connect()
  return client
}
