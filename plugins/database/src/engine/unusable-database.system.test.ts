import { expect } from 'chai'
import { DataSource } from 'typeorm'
import { FatalError } from '@mynah/kernel'
import { Database } from '../api.js'
import { run } from '../test/host.js'
import { openPostgres } from './postgres.js'
import { failureOf, item, Items, until } from '../testing/fixture.js'
import { needPostgres, startPostgres, type TestServer } from '../testing/postgres-server.js'

describe('a PostgreSQL database that does not take what the host writes', () => {
  let server: TestServer
  before(async function () {
    await needPostgres(this, { own: true })
    server = await startPostgres()
  })

  /** Runs statements as the administrator, outside a transaction. */
  async function administer(url: string, ...statements: string[]): Promise<void> {
    const source = await new DataSource({ type: 'postgres', url, poolSize: 1, installExtensions: false }).initialize()
    try {
      for (const sql of statements) await source.query(sql)
    } finally {
      await source.destroy()
    }
  }

  for (const encoding of ['LATIN1', 'SQL_ASCII', 'EUC_JP'])
    it(`ends the start where it is encoded in ${encoding}, and says how to make one that does`, async () => {
      const url = await server.create()
      const name = `in_${encoding.toLowerCase()}`
      const made = `CREATE DATABASE ${name} ENCODING ${encoding} LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`
      await administer(url, made)
      const other = new URL(url)
      other.pathname = `/${name}`
      const error = (await failureOf(openPostgres(other.href))) as FatalError
      expect(error.message).to.equal(
        `The database "${name}" is encoded in ${encoding}, which has no place for most characters`,
      )
      expect(error).to.have.property('exitCode', 2)
      expect(error.hint).to.include('createdb --encoding=UTF8')
    })

  it('ends the start where no schema of its search path exists, at once and by name', async () => {
    const url = await server.create()
    const name = new URL(url).pathname.slice(1)
    await administer(url, `ALTER DATABASE ${name} SET search_path TO gone, "$user"`)
    const error = (await failureOf(openPostgres(url))) as FatalError
    expect(error.message).to.include('No schema of the search path gone, "$user" exists')
    expect(error.hint).to.include('CREATE SCHEMA')
  })

  it('is not ready while it is read-only, says so, and writes again soon after', async function () {
    this.timeout(60_000)
    const url = await server.create()
    const { host, readiness, stop } = await run({ type: 'postgres', url })
    const database = host.get(Database) as Database
    await database.append(Items, [item('a')])
    const setReadOnly = (value: string): Promise<void> =>
      administer(url, `ALTER SYSTEM SET default_transaction_read_only = ${value}`, 'SELECT pg_reload_conf()')
    await setReadOnly('on')
    let tried = 0
    const isRefused = (): Promise<boolean> =>
      database.append(Items, [item(`tried ${tried++}`)]).then(
        () => false,
        () => true,
      )
    await until(isRefused)
    expect(await readiness()).to.equal('failed')
    expect(database.status.reason).to.equal('the database server takes no writes at the moment: it is read-only')
    expect(await failureOf(database.append(Items, [item('b')]))).to.have.property('code', 'not_ready')
    await setReadOnly('off')
    await until(() => database.status.available)
    await database.append(Items, [item('c')])
    const rows = await database.read((db) => db.find(Items, { where: { id: { $in: ['a', 'b', 'c'] } } }))
    expect(rows.map(({ id }) => id)).to.have.members(['a', 'c'])
    await stop()
  })
})
