import type { DataSource } from 'typeorm'

type Connected = (error: Error | undefined, client?: unknown, release?: unknown) => void

/** The used part of a pool of the module `pg`. */
interface Pool {
  readonly options: { max: number }
  /** How many connections are open, or being opened. */
  readonly totalCount: number
  connect(done: Connected): void
  on(event: 'remove', listener: () => void): void
}

/** Returns whether a statement may wait for a connection that others use now. */
function canWait(error: Error): boolean {
  // The server allows no more connections, or all that the pool may open are in use.
  return (error as { code?: unknown }).code === '53300' || error.message === 'timeout exceeded when trying to connect'
}

/**
 * Lets statements wait for a connection of a pool, where the server allows no more than it has or all are in use.
 * Otherwise they would fail, and the database would count as unavailable.
 *
 * @param patience how long they wait, in milliseconds
 */
export function makePatient({ driver }: DataSource, patience: number): void {
  const pool = (driver as unknown as { readonly master: Pool }).master
  const connect = pool.connect.bind(pool)
  const { max } = pool.options
  // The server may allow more again.
  pool.on('remove', () => void (pool.options.max = max))
  pool.connect = (done) => {
    const end = performance.now() + patience
    const attempt = (): void =>
      connect((error, client, release) => {
        if (!error || !canWait(error) || pool.totalCount === 0 || performance.now() > end)
          return done(error, client, release)
        // Waits for one of those, instead of asking for more.
        pool.options.max = pool.totalCount
        attempt()
      })
    attempt()
  }
}
