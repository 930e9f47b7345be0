import { expect } from 'chai'
import { join } from 'node:path'
import { loadSqlite, type SqliteConnection } from './binding.js'
import { PreparedStatements } from './prepared-statements.js'
import { failureOf, folder, item, Items, onEverySystem } from '../testing/fixture.js'

describe('PreparedStatements', () => {
  let connection: SqliteConnection
  let statements: PreparedStatements
  let remove: () => Promise<void>
  let open: () => Promise<SqliteConnection>
  const exec = (on: SqliteConnection, sql: string): Promise<void> =>
    new Promise((resolve, reject) => on.run(sql, (error) => (error ? reject(error) : resolve())))
  beforeEach(async () => {
    const sqlite = await loadSqlite()
    const made = await folder()
    remove = made.remove
    open = () =>
      new Promise((resolve, reject) => {
        const opened = new sqlite.Database(join(made.path, 'one.sqlite'), (error) =>
          error ? reject(error) : resolve(opened),
        )
      })
    connection = await open()
    statements = new PreparedStatements(sqlite, connection)
    await new Promise<void>((resolve) => connection.run('CREATE TABLE t (a INTEGER UNIQUE)', () => resolve()))
  })
  afterEach(async () => {
    await statements.close()
    const error = await new Promise((resolve) => connection.close(resolve))
    await remove()
    expect(error, 'nothing keeps the connection open').to.equal(null)
  })

  it('returns rows or the number of changed rows', async () => {
    expect(await statements.run('INSERT INTO t VALUES (?1), (?2)', [1, 2])).to.deep.equal({ rows: [], affected: 2 })
    expect(await statements.run('INSERT INTO t VALUES (?1) RETURNING a', [3])).to.deep.equal({
      rows: [{ a: 3 }],
      affected: 1,
    })
    expect((await statements.run('UPDATE t SET a = a + 10 WHERE a > ?1', [1])).affected).to.equal(2)
    expect((await statements.run('SELECT a FROM t ORDER BY a', [])).rows).to.deep.equal([
      { a: 1 },
      { a: 12 },
      { a: 13 },
    ])
  })

  it('rejects for all callers if a statement is invalid, and prepares it again later', async () => {
    const failures = await Promise.all([1, 2, 3].map(() => failureOf(statements.run('SELECT b FROM later', []))))
    for (const { message } of failures) expect(message).to.match(/no such table: later/)
    await new Promise<void>((resolve) => connection.run('CREATE TABLE later (b)', () => resolve()))
    expect((await statements.run('SELECT b FROM later', [])).rows).to.deep.equal([])
  })

  it('ends a write that another connection kept from running, so that later ones are committed', async () => {
    const other = await open()
    const refused = async (lock: string): Promise<void> => {
      await exec(other, lock)
      expect(await failureOf(statements.run('INSERT INTO t VALUES (1)', []))).to.have.property('code', 'SQLITE_BUSY')
      await exec(other, 'COMMIT')
      for (const sql of ['BEGIN', 'INSERT INTO t VALUES (2)', 'DELETE FROM t', 'COMMIT']) await statements.run(sql, [])
    }
    await refused('BEGIN IMMEDIATE')
    await refused('BEGIN EXCLUSIVE')
    await new Promise((resolve) => other.close(resolve))
  })

  it('finalizes a statement after its last use', async () => {
    const reads = [1, 2, 3].map(() => statements.run('SELECT 1 AS one', []))
    await statements.close()
    for (const { rows } of await Promise.all(reads)) expect(rows).to.deep.equal([{ one: 1 }])
  })

  it('reuses a statement after a failure and after a change of its table', async () => {
    const insert = (value: number) => statements.run('INSERT INTO t VALUES (?1)', [value])
    await insert(1)
    expect(await failureOf(insert(1))).to.have.property('code', 'SQLITE_CONSTRAINT')
    expect((await insert(2)).affected).to.equal(1)
    const all = () => statements.run('SELECT * FROM t WHERE a = ?1', [2])
    expect((await all()).rows).to.deep.equal([{ a: 2 }])
    await new Promise<void>((resolve) =>
      connection.run("ALTER TABLE t ADD COLUMN c TEXT DEFAULT 'new'", () => resolve()),
    )
    expect((await all()).rows).to.deep.equal([{ a: 2, c: 'new' }])
  })

  it('evicts statements, even while they are in use', async () => {
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, index) => statements.run(`SELECT ?1 + ${index % 300} AS sum`, [1])),
    )
    expect(answers.map(({ rows }) => (rows[0] as { sum: number }).sum)).to.deep.equal(
      Array.from({ length: 500 }, (_, index) => 1 + (index % 300)),
    )
  })
})

onEverySystem('statement without transaction', (open) => {
  it('is committed after a failed rollback', async () => {
    const { store } = await open()
    // Ends the transaction under the store's feet: its own end fails then.
    await store
      .tx(async (db) => {
        await db.run('COMMIT')
      })
      .catch(() => undefined)
    await failureOf(
      store.tx(async (db) => {
        await db.run('ROLLBACK')
        throw new Error('no')
      }),
    )
    await store.append(Items, [item('kept')])
    await failureOf(
      store.tx(async (db) => {
        await db.insert(Items, item('undone'))
        throw new Error('no')
      }),
    )
    expect((await store.read((db) => db.find(Items))).map(({ id }) => id)).to.deep.equal(['kept'])
  })
})
