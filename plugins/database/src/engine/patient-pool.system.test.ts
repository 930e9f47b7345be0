import { expect } from 'chai'
import { DataSource } from 'typeorm'
import { Database } from '../api.js'
import { run } from '../test/host.js'
import { item, Items } from '../testing/fixture.js'
import { needPostgres, startPostgres, type TestServer } from '../testing/postgres-server.js'

describe('a PostgreSQL role that may open few connections', () => {
  let server: TestServer
  before(async function () {
    await needPostgres(this, { own: true })
    server = await startPostgres()
  })

  /** Returns the address of a database for a role that may open this many connections. */
  async function addressWith(limit: number): Promise<string> {
    const url = new URL(await server.create())
    const role = `few_${limit}`
    const source = await new DataSource({ type: 'postgres', url: url.href, installExtensions: false }).initialize()
    try {
      await source.query(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT ${limit}`)
      await source.query(`GRANT ALL ON SCHEMA public TO ${role}`)
    } finally {
      await source.destroy()
    }
    url.username = role
    return url.href
  }

  for (const [limit, connections] of [
    [3, 10],
    [4, 10],
    [10, 3],
  ] as const)
    it(`goes on with ${limit} where ${connections} are wanted: 24 readers wait for each other`, async function () {
      this.timeout(60_000)
      const { host, log, readiness, stop } = await run({ type: 'postgres', url: await addressWith(limit), connections })
      const database = host.get(Database) as Database
      await database.append(Items, [item('a')])
      const read = (): Promise<unknown> => database.read((db) => db.query('SELECT pg_sleep(0.2), id FROM item'))
      const found = await Promise.all(Array.from({ length: 24 }, read))
      expect(found.map((rows) => (rows as { id: string }[])[0]?.id)).to.deep.equal(Array(24).fill('a'))
      expect(await readiness()).to.equal('ok')
      expect(log.filter(({ level }) => level === 'error')).to.deep.equal([])
      await stop()
    })

  it('is waited for at the start, with the reason', async () => {
    const { host, stop } = await run({ type: 'postgres', url: await addressWith(2) })
    const seen = host.inspect().find(({ name }) => name === 'database')
    expect(seen?.error?.message).to.include('allows no more connections to this role')
    await stop()
  })
})
