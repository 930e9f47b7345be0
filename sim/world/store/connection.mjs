// The module `sqlite3` as one life of the host sees it: each statement is a call to the outside that may be late, be
// refused, or be taken without an answer. A connection of a dead life never answers.

/** The error of SQLite for a disk that fails. The plugin takes the database for unavailable then. */
const ioError = () => Object.assign(new Error('SQLITE_IOERR: disk I/O error'), { code: 'SQLITE_IOERR' })

/** As the plugin sets it. */
const BUSY_TIMEOUT_MS = 5_000

const busyError = (reason) => Object.assign(new Error(`SQLITE_BUSY: ${reason}`), { code: 'SQLITE_BUSY' })

const descriptions = new Map()

/** Returns the verb and the table of a statement, such as `UPDATE message`. */
export function describe(sql) {
  let found = descriptions.get(sql)
  if (found === undefined) {
    const verb = /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? ''
    const table = /\b(?:FROM|INTO|UPDATE)\s+"?(\w+)"?/i.exec(sql)?.[1] ?? ''
    descriptions.set(sql, (found = { verb, table, label: `${verb} ${table}`.trim() }))
  }
  return found
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE'])
const BOUNDS = new Set(['BEGIN', 'COMMIT', 'ROLLBACK', 'SAVEPOINT', 'RELEASE'])

export class SimulatedConnection {
  #world
  #connection
  #side
  #life
  /** Prepared statements that were refused and not reset. No write of the connection is committed meanwhile. */
  #inProgress = new Set()
  /** Whether the open transaction has written, so that no other process can hold the file. */
  #hasWritten = false

  /** @param side `writer` or `reader` */
  constructor(world, side) {
    this.#world = world
    this.#side = side
    this.#connection = world.file[side]
    this.#life = world.scheduler.life
  }

  get #isDead() {
    return this.#life !== this.#world.scheduler.life
  }

  run(sql, ...rest) {
    this.#call(sql, rest)
  }

  all(sql, ...rest) {
    this.#call(sql, rest)
  }

  /** Runs a prepared statement. Binding parameters resets it. */
  runPrepared(statement, sql, parameters, done) {
    if (parameters.length > 0) this.reset(statement)
    this.#call(sql, [parameters, done], statement)
  }

  reset(statement) {
    this.#inProgress.delete(statement)
  }

  close(closed) {
    closed(null)
  }

  #call(sql, rest, statement) {
    if (this.#isDead) return
    const done = rest.at(-1)
    const parameters = Array.isArray(rest[0]) ? rest[0] : []
    const { verb, label } = describe(sql)
    const isWrite = this.#side === 'writer'
    const isInner = isWrite && this.#connection.began && !BOUNDS.has(verb)
    const boundary = boundaryOf(isWrite, isInner, verb)
    const { delay, fault, isInstant } = this.#world.boundaries.decide(boundary)
    const heldFor = this.#heldFor(verb)
    const refusal = this.#refusalOf(verb, fault, heldFor)
    if (refusal)
      return this.#answer(`${label} refused`, refusal.after ?? delay, () => {
        if (refusal.staysInProgress && statement) this.#inProgress.add(statement)
        done.call({ changes: 0 }, refusal.error)
      })
    if (isInner && isInstant && fault === undefined && heldFor === 0) {
      const outcome = this.#execute(sql, parameters)
      return queueMicrotask(() => this.#isDead || settle(done, outcome))
    }
    const perform = () => {
      const outcome = this.#execute(sql, parameters)
      if (fault === 'crash') this.#world.crashSoon(`after ${label}`)
      this.#answer(label, delay, () =>
        fault === 'taken' ? done.call({ changes: 0 }, ioError()) : settle(done, outcome),
      )
    }
    if (heldFor > 0) return this.#world.scheduler.add(`${label} waits`, heldFor, perform, this.#life)
    // A read sees what was committed when it runs, not when it is answered.
    if (isWrite || fault === 'stale') return perform()
    this.#world.scheduler.add(`${label} runs`, delay / 4, perform)
  }

  /** Returns for how long another process still holds what a statement needs. */
  #heldFor(verb) {
    return this.#side === 'writer' && CHANGES.has(verb) && !this.#hasWritten ? this.#world.storeIsHeldFor : 0
  }

  /** Returns how a statement is refused, if it is. */
  #refusalOf(verb, fault, heldFor) {
    if (this.#world.storeIsAway || fault === 'refuse') return { error: ioError() }
    const commits = verb === 'COMMIT' || (CHANGES.has(verb) && !this.#connection.began)
    if (commits && this.#inProgress.size > 0)
      return { error: busyError('cannot commit transaction - SQL statements in progress') }
    if (heldFor <= BUSY_TIMEOUT_MS) return undefined
    return { error: busyError('database is locked'), after: BUSY_TIMEOUT_MS, staysInProgress: true }
  }

  #answer(label, delay, run) {
    this.#world.scheduler.add(label, delay, run, this.#life, true)
  }

  #execute(sql, parameters) {
    try {
      const outcome = this.#connection.run(sql, parameters)
      const described = describe(sql)
      this.#hasWritten = this.#connection.began && (this.#hasWritten || CHANGES.has(described.verb))
      this.#world.executed(described, this.#side, sql, parameters)
      return outcome
    } catch (error) {
      return { error }
    }
  }
}

function boundaryOf(isWrite, isInner, verb) {
  if (!isWrite) return 'read'
  if (isInner) return 'statement'
  return verb === 'COMMIT' ? 'commit' : 'write'
}

function settle(done, { error, rows, changes }) {
  if (error) done.call({ changes: 0 }, error)
  else done.call({ changes }, null, rows)
}

/** A prepared statement of such a connection. */
export class SimulatedStatement {
  #connection
  #sql

  constructor(connection, sql, prepared) {
    this.#connection = connection
    this.#sql = sql
    queueMicrotask(() => prepared(null))
  }

  run(parameters, done) {
    this.#connection.runPrepared(this, this.#sql, parameters, done)
  }

  all(parameters, done) {
    this.#connection.runPrepared(this, this.#sql, parameters, done)
  }

  reset(done) {
    this.#connection.reset(this)
    queueMicrotask(done)
  }

  finalize() {
    this.#connection.reset(this)
  }
}
