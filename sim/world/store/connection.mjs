// The module `sqlite3` as one life of the host sees it: each statement is a call to the outside that may be late, be
// refused, or be taken without an answer. A connection of a dead life never answers.

/** The error of SQLite for a disk that fails. The plugin takes the database for unavailable then. */
const ioError = () => Object.assign(new Error('SQLITE_IOERR: disk I/O error'), { code: 'SQLITE_IOERR' })

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

const BOUNDS = new Set(['BEGIN', 'COMMIT', 'ROLLBACK', 'SAVEPOINT', 'RELEASE'])

export class SimulatedConnection {
  #world
  #connection
  #side
  #life

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

  close(closed) {
    closed(null)
  }

  #call(sql, rest) {
    if (this.#isDead) return
    const done = rest.at(-1)
    const parameters = Array.isArray(rest[0]) ? rest[0] : []
    const { verb, label } = describe(sql)
    const isWrite = this.#side === 'writer'
    const isInner = isWrite && this.#connection.began && !BOUNDS.has(verb)
    const boundary = boundaryOf(isWrite, isInner, verb)
    const { delay, fault, isInstant } = this.#world.boundaries.decide(boundary)
    if (this.#world.storeIsAway || fault === 'refuse')
      return this.#answer(`${label} refused`, delay, () => done.call({ changes: 0 }, ioError()))
    if (isInner && isInstant && fault === undefined) {
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
    // A read sees what was committed when it runs, not when it is answered.
    if (isWrite || fault === 'stale') return perform()
    this.#world.scheduler.add(`${label} runs`, delay / 4, perform)
  }

  #answer(label, delay, run) {
    this.#world.scheduler.add(label, delay, run, this.#life, true)
  }

  #execute(sql, parameters) {
    try {
      const outcome = this.#connection.run(sql, parameters)
      this.#world.executed(describe(sql), this.#side, sql, parameters)
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
    this.#connection.run(this.#sql, parameters, done)
  }

  all(parameters, done) {
    this.#connection.all(this.#sql, parameters, done)
  }

  /** A refused statement of this store leaves nothing in progress. */
  reset(done) {
    queueMicrotask(done)
  }

  finalize() {}
}
