// What a failure of the driver means: a conflict, a bad value, a database that is away, or a mistake in the code.
import { WireError } from '@mynah/contract'

interface DriverError {
  readonly code?: unknown
  readonly errno?: unknown
  readonly message?: unknown
}

/** Result codes of SQLite after which the file cannot be used for now. */
const SQLITE_AWAY = /^SQLITE_(GONE|FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB|BUSY|LOCKED|PROTOCOL|NOMEM)/
const SQLITE_DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/
/** Connection trouble, no resources, operator intervention, crash, I/O error. */
const POSTGRES_AWAY = /^(080|53|57P|58|XX00[12])/
/** The file system, where a file is made before SQLite opens it. */
const FILE_AWAY = /^(ENOSPC|EDQUOT|EIO|EROFS)$/
const SOCKET_AWAY = /^(ECONN|ENOTFOUND|EPIPE|ETIMEDOUT|EHOST|ENET|EAI_|ENOENT)/
const CONNECTION_TEXT =
  /Connection terminated|timeout expired|Client has encountered a connection error|Query read timeout|timeout exceeded when trying to connect|Driver not Connected|client was closed/i

function driverErrorOf(error: unknown): DriverError {
  const outer = (error ?? {}) as DriverError & { driverError?: DriverError }
  return outer.driverError ?? outer
}

/** Whether the database, and not the statement, is what failed. */
export function isAway(error: unknown): boolean {
  const { code, message } = driverErrorOf(error)
  if (isInUse(error)) return true
  if (
    typeof code === 'string' &&
    (SQLITE_AWAY.test(code) || POSTGRES_AWAY.test(code) || SOCKET_AWAY.test(code) || FILE_AWAY.test(code))
  )
    return true
  return typeof message === 'string' && CONNECTION_TEXT.test(message)
}

/** Whether another host works with the database. */
export function isInUse(error: unknown): boolean {
  return driverErrorOf(error).code === 'MYNAH_LOCKED'
}

/** Whether the file is no longer a sound SQLite database. */
export function isDamaged(error: unknown): boolean {
  const { code } = driverErrorOf(error)
  return typeof code === 'string' && SQLITE_DAMAGED.test(code)
}

/** What an operator reads when the database is away: no path, no address. */
export function reasonOf(error: unknown): string {
  const { code } = driverErrorOf(error)
  if (code === 'SQLITE_FULL' || code === '53100' || code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full'
  if (code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED') return 'another process holds the database file'
  if (code === 'SQLITE_GONE')
    return 'the database file was moved or removed; put it back, or restart with what is there'
  if (isInUse(error)) return 'another host has taken it over'
  if (isDamaged(error)) return 'the database file is damaged; a restart sets it aside'
  if (typeof code === 'string' && (code.startsWith('SQLITE_') || FILE_AWAY.test(code)))
    return `the database file cannot be used (${code})`
  return `the database server does not answer${typeof code === 'string' ? ` (${code})` : ''}`
}

function isConstraint(error: unknown): 'conflict' | 'invalid' | undefined {
  const { code, message } = driverErrorOf(error)
  if (code === '23505' || code === '23503') return 'conflict'
  if (typeof code !== 'string') return undefined
  if (/^(23|22)/.test(code)) return 'invalid'
  if (!code.startsWith('SQLITE_CONSTRAINT')) return code === 'SQLITE_MISMATCH' ? 'invalid' : undefined
  return /UNIQUE|PRIMARY KEY|FOREIGN KEY/.test(String(message)) ? 'conflict' : 'invalid'
}

/** The refusal that callers see for a failed statement. The driver's error, which holds values, is only its cause. */
export function toRefusal(error: unknown): unknown {
  if (isAway(error))
    return new WireError('not_ready', `The database is not available: ${reasonOf(error)}`, { cause: error })
  const kind = isConstraint(error)
  if (kind === 'conflict')
    return new WireError('conflict', 'A row with this key exists already, or one that it refers to does not', {
      cause: error,
    })
  if (kind === 'invalid')
    return new WireError('invalid_request', 'A value is missing or does not fit its column', { cause: error })
  return error
}
