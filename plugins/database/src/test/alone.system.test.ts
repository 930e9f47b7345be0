// A host that shares its database with no other has nothing of a cluster: no table, connection, timer or statement.
import { createRequire } from 'node:module'
import { expect } from 'chai'
import { definePlugin, HostPaths, type AnyPlugin } from '@mynah/kernel'
import { startHost, TestClock, until } from '@mynah/kernel/testing'
import { Database, entities } from '../api.js'
import database from '../index.js'
import { folder, item, Items, postgres } from '../testing/fixture.js'
import { needPostgres } from '../testing/postgres-server.js'

interface Client {
  query(...given: unknown[]): unknown
}
const { Client: PgClient } = createRequire(import.meta.url)('pg') as { readonly Client: { readonly prototype: Client } }

const OWN_TABLES = [
  'item',
  'mynah_document',
  'mynah_key_value',
  'mynah_migration',
  'mynah_probe',
  'stream_event',
  'stream_head',
]

const items = definePlugin({
  name: 'items',
  setup(ctx) {
    ctx.contribute(entities, Items)
  },
}) as unknown as AnyPlugin

describe('a host that shares its database with no other', () => {
  /** Statements that were sent to PostgreSQL, each text once. */
  const statements = new Set<string>()
  const original = PgClient.prototype.query
  before(() => {
    PgClient.prototype.query = function (this: Client, ...given: unknown[]) {
      const [query] = given
      const text = typeof query === 'string' ? query : (query as { readonly text?: string }).text
      statements.add((text ?? '').replace(/\s+/g, ' ').trim())
      return original.apply(this, given)
    }
  })
  after(() => {
    PgClient.prototype.query = original
  })

  async function start(section: Record<string, unknown>) {
    const { path, remove } = await folder()
    const clock = new TestClock()
    const { host } = await startHost([{ plugin: database as unknown as AnyPlugin, config: section }, items], {
      clock,
      services: [[HostPaths, { root: path, data: path }]],
    })
    const store = host.get(Database) as Database
    await store.append(Items, [item('a')], [{ type: 'added', data: 1 }])
    const stop = async (): Promise<void> => {
      await host.stop()
      await remove()
    }
    const query = (sql: string) => store.read((db) => db.query<{ readonly name: string }>(sql))
    return { clock, query, stop }
  }

  /** The sweep of expired keys, and the check of the database. */
  const TIMERS = 2

  it('has its own tables and timers with SQLite', async () => {
    const { clock, query, stop } = await start({})
    const tables = await query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    expect(tables.map(({ name }) => name).sort()).to.deep.equal(OWN_TABLES)
    expect(clock.pending).to.equal(TIMERS)
    await stop()
  })

  it('has its own tables, timers, connections and statements with PostgreSQL', async function () {
    await needPostgres(this)
    const server = await postgres()
    const url = await server.create()
    statements.clear()
    const { clock, query, stop } = await start({ type: 'postgres', url })
    const tables = await query('SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()')
    expect(tables.map(({ name }) => name).sort()).to.deep.equal(OWN_TABLES)
    expect(clock.pending).to.equal(TIMERS)
    // One writes, one reads, one checks.
    const sessions = await query(
      'SELECT application_name AS name FROM pg_stat_activity WHERE datname = current_database() AND state IS NOT NULL',
    )
    expect(sessions.map(({ name }) => name)).to.deep.equal(['mynah', 'mynah', 'mynah'])
    expect([...statements].filter((text) => /cluster|notify|listen/i.test(text))).to.deep.equal([])
    expect(
      [...statements].some((text) => text.includes('UPDATE stream_head')),
      'all are seen',
    ).to.equal(true)

    statements.clear()
    await clock.advance(1_000)
    await until(() => statements.size > 0)
    expect([...statements], 'of an idle second').to.deep.equal(['SELECT 1'])
    await stop()
    await server.drop(url)
  })
})
