import { WireError } from '@mynah/contract'

interface DriverError {
  readonly code?: unknown
  readonly errno?: unknown
  readonly message?: unknown
}

/** Result codes of SQLite after which the file is temporarily unusable. */
const SQLITE_UNAVAILABLE = /^SQLITE_(GONE|FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB|BUSY|LOCKED|PROTOCOL|NOMEM)/
const SQLITE_DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/
/**
 * Connection trouble, also with a pooler, a server that takes no writes, a transaction that idled too long, no
 * resources, crash, I/O error.
 */
const POSTGRES_UNAVAILABLE = /^(08|25006|25P0[34]|53|57P|58|XX00[12])/
/** The server ended this statement and works: cancelled, waited for a lock too long, deadlock. It can be repeated. */
const POSTGRES_CANCELLED = /^(57014|55P03|40001|40P01)$/
/** Errors of the file system while a file is created before SQLite opens it. */
const FILE_UNAVAILABLE = /^(ENOSPC|EDQUOT|EIO|EROFS)$/
const SOCKET_UNAVAILABLE = /^(ECONN|ENOTFOUND|EPIPE|ETIMEDOUT|EHOST|ENET|EAI_|ENOENT)/
/** Codes of this package: another host has the database; the server has another history, takes no writes or hung up. */
const OWN_UNAVAILABLE = /^MYNAH_(LOCKED|TIMELINE|STANDBY|CLOSED)$/
/** Reasons for operators, by code. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ...['SQLITE_FULL', '53100', 'ENOSPC', 'EDQUOT'].map((code) => [code, 'the disk is full'] as const),
  ['SQLITE_BUSY', 'another process holds the database file'],
  ['SQLITE_LOCKED', 'another process holds the database file'],
  ['SQLITE_GONE', 'the database file was moved or removed; restore it, or restart with the current file'],
  ...['MYNAH_CLOSED', '57P01', '57P05', '25P03', '25P04'].map(
    (code) => [code, 'the database server has closed a connection, which is opened again'] as const,
  ),
  [
    '53300',
    'the database server allows no more connections to this role; database.connections says how many are opened',
  ],
  ['25006', 'the database server takes no writes at the moment: it is read-only'],
  ['MYNAH_LOCKED', 'another host has taken it over'],
  ['MYNAH_STANDBY', 'the database server is a standby, which takes no writes until it is promoted'],
  ['MYNAH_TIMELINE', 'a standby server was promoted, or a former one is back; restart the host to use it'],
])
const CONNECTION_TEXT = new RegExp(
  [
    'Connection terminated',
    'timeout expired',
    'Client has encountered a connection error',
    'Query read timeout',
    'timeout exceeded when trying to connect',
    'Driver not Connected',
    'client was closed',
  ].join('|'),
  'i',
)

function driverErrorOf(error: unknown): DriverError {
  const outer = (error ?? {}) as DriverError & { driverError?: DriverError }
  return outer.driverError ?? outer
}

/** Returns whether the database is unavailable, as opposed to a faulty statement. */
export function isUnavailable(error: unknown): boolean {
  const { code, message } = driverErrorOf(error)
  if (
    typeof code === 'string' &&
    (OWN_UNAVAILABLE.test(code) ||
      SQLITE_UNAVAILABLE.test(code) ||
      POSTGRES_UNAVAILABLE.test(code) ||
      SOCKET_UNAVAILABLE.test(code) ||
      FILE_UNAVAILABLE.test(code))
  )
    return true
  return typeof message === 'string' && CONNECTION_TEXT.test(message)
}

/** Returns whether a statement was refused because an earlier one of its transaction had failed. */
export function isAborted(error: unknown): boolean {
  return driverErrorOf(error).code === '25P02'
}

/** Returns whether a statement would have written where nothing can be. */
export function isReadOnly(error: unknown): boolean {
  const { code } = driverErrorOf(error)
  return code === '25006' || code === 'SQLITE_READONLY'
}

function isCancelled(error: unknown): boolean {
  return POSTGRES_CANCELLED.test(String(driverErrorOf(error).code))
}

/** Returns whether another host uses the database. */
export function isInUse(error: unknown): boolean {
  return driverErrorOf(error).code === 'MYNAH_LOCKED'
}

/** Returns whether the file is damaged. */
export function isDamaged(error: unknown): boolean {
  const { code } = driverErrorOf(error)
  return typeof code === 'string' && SQLITE_DAMAGED.test(code)
}

/** Returns the reason for operators why the database is unavailable, without path and address. */
export function unavailableReason(error: unknown): string {
  const { code, message } = driverErrorOf(error)
  if (typeof code !== 'string') return 'the database server does not answer'
  if (code === 'SQLITE_BUSY' && /in progress/.test(String(message)))
    return 'an earlier statement of this host has not ended; its connection is opened again'
  const known = REASONS.get(code)
  if (known !== undefined) return known
  if (isDamaged(error)) return 'the database file is damaged; a restart sets it aside'
  return code.startsWith('SQLITE_') || FILE_UNAVAILABLE.test(code)
    ? `the database file cannot be used (${code})`
    : `the database server does not answer (${code})`
}

function isConstraint(error: unknown): 'conflict' | 'invalid' | undefined {
  const { code, message } = driverErrorOf(error)
  if (code === '23505' || code === '23503') return 'conflict'
  if (typeof code !== 'string') return undefined
  if (/^(23|22)/.test(code)) return 'invalid'
  if (!code.startsWith('SQLITE_CONSTRAINT')) return code === 'SQLITE_MISMATCH' ? 'invalid' : undefined
  return /UNIQUE|PRIMARY KEY|FOREIGN KEY/.test(String(message)) ? 'conflict' : 'invalid'
}

/**
 * Returns the error that callers see for a failed statement. The error of the driver, which contains values, is only
 * its cause.
 */
export function toWireError(error: unknown): unknown {
  if (isUnavailable(error))
    return new WireError('not_ready', `The database is not available: ${unavailableReason(error)}`, { cause: error })
  if (isCancelled(error))
    return new WireError('not_ready', 'The database server has cancelled the statement; it can be repeated', {
      cause: error,
    })
  const kind = isConstraint(error)
  if (kind === 'conflict')
    return new WireError('conflict', 'A row with this key already exists, or a row that it refers to does not exist', {
      cause: error,
    })
  if (kind === 'invalid')
    return new WireError('invalid_request', 'A value is missing or does not match the type of its column', {
      cause: error,
    })
  return error
}
