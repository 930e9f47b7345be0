// A PostgreSQL server, an administrator or a pooler ends statements and connections: the host works again.
import { expect } from 'chai'
import { DataSource } from 'typeorm'
import { systemClock } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import { Store } from '../store/store.js'
import { failureOf, item, Items, postgres } from '../testing/fixture.js'
import { needPostgres, type TestServer } from '../testing/postgres-server.js'
import { startProxy, type TcpProxy } from '../testing/tcp-proxy.js'
import type { Engine } from './engine.js'
import { openPostgres } from './postgres.js'

const CANCELLED = 'The database server has cancelled the statement; it can be repeated'
const announcement = { type: 'x', data: null }

describe('a PostgreSQL server that ends statements', () => {
  let server: TestServer
  let url: string
  let proxy: TcpProxy
  let engine: Engine
  let store: Store
  let reasons: (string | undefined)[]

  const ids = async (): Promise<string[]> => (await store.read((db) => db.find(Items))).map(({ id }) => id).sort()
  const append = (id: string): Promise<void> => store.append(Items, [item(id)])
  /** Asks the server, from a connection that only reads, to end what writes. */
  const end = async (how: 'cancel' | 'terminate', what: string): Promise<void> => {
    const sql = `SELECT pg_${how}_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${what}`
    await until(async () => (await store.read((db) => db.query(sql))).length > 0)
  }

  before(async function () {
    await needPostgres(this)
    server = await postgres()
  })
  beforeEach(async () => {
    reasons = []
    url = await server.create()
    proxy = await startProxy(url)
    engine = await openPostgres(proxy.through(url))
    store = new Store(engine, systemClock, {
      changed: ({ reason }) => void reasons.push(reason),
      tableFailed: (_table, error) => {
        throw error
      },
    })
    await store.open()
    await store.contribute([Items])
    await append('before')
  })
  afterEach(async () => {
    await store.close()
    await proxy.close()
    await server.drop(url)
  })

  it('refuses a cancelled transaction as not_ready, takes back all of it, and takes it again', async () => {
    const attempt = (wait: string): Promise<void> =>
      store.tx(async (db) => {
        await db.insert(Items, item('tried'))
        db.announce(announcement)
        await db.query(wait)
      })
    const refused = failureOf(attempt('SELECT pg_sleep(600)'))
    await end('cancel', "query LIKE '%pg_sleep(600)%'")
    expect(await refused).to.include({ code: 'not_ready', message: CANCELLED })
    expect(store.status).to.deep.equal({ available: true })
    expect(await ids()).to.deep.equal(['before'])
    await attempt('SELECT 1')
    expect(await ids()).to.deep.equal(['before', 'tried'])
    expect(reasons).to.deep.equal([])
  })

  for (const [setting, wait] of [
    ['statement_timeout', 'SELECT pg_sleep(600)'],
    ['lock_timeout', 'LOCK TABLE item'],
  ] as const)
    it(`refuses what ${setting} ends as not_ready`, async () => {
      const reading = engine.reader.createQueryRunner()
      await reading.query('BEGIN')
      await reading.query('SELECT * FROM item')
      const refused = await failureOf(
        store.tx(async (db) => {
          await db.query(`SET LOCAL ${setting} = 50`)
          await db.query(wait)
        }),
      )
      await reading.query('COMMIT')
      await reading.release()
      expect(refused).to.include({ code: 'not_ready', message: CANCELLED })
      await append('after')
      expect(await ids()).to.deep.equal(['after', 'before'])
    })

  it('refuses all units of a cancelled commit as not_ready, and each is written when it is repeated', async () => {
    const blocker = await new DataSource({ type: 'postgres', url, poolSize: 1, installExtensions: false }).initialize()
    try {
      await blocker.query('BEGIN')
      await blocker.query('LOCK TABLE item IN SHARE MODE')
      const failures = Promise.all(['a', 'b', 'c'].map((id) => failureOf(append(id))))
      await end('cancel', "wait_event_type = 'Lock'")
      expect((await failures).map(({ code, message }) => [code, message])).to.deep.equal(
        Array.from({ length: 3 }, () => ['not_ready', CANCELLED]),
      )
    } finally {
      await blocker.destroy()
    }
    await Promise.all(['a', 'b', 'c'].map(append))
    expect(await ids()).to.deep.equal(['a', 'b', 'before', 'c'])
    expect(reasons).to.deep.equal([])
  })

  it('refuses a read that is cancelled, and reads and writes go on', async () => {
    const refused = failureOf(store.read((db) => db.query('SELECT pg_sleep(600)')))
    await end('cancel', "query LIKE '%pg_sleep(600)%'")
    expect(await refused).to.include({ code: 'not_ready', message: CANCELLED })
    await append('after')
    expect(await ids()).to.deep.equal(['after', 'before'])
    expect(reasons).to.deep.equal([])
  })

  for (const events of [false, true])
    it(`fails for a transaction with a swallowed failure, ${events ? 'with' : 'without'} events`, async () => {
      const failure = await failureOf(
        store.tx(async (db) => {
          await db.insert(Items, item('lost'))
          await failureOf(db.insert(Items, item('before')))
          if (events) db.announce(announcement)
        }),
      )
      expect(failure).to.include({ code: 'conflict' })
      expect(await ids()).to.deep.equal(['before'])
    })

  it('names the first failure where later statements of the transaction are refused for it', async () => {
    const failure = await failureOf(
      store.tx(async (db) => {
        await failureOf(db.insert(Items, item('before')))
        await db.insert(Items, item('later'))
      }),
    )
    expect(failure).to.include({ code: 'conflict' })
    const nested = await failureOf(
      store.tx(async () => {
        await store.tx(async (db) => {
          await failureOf(db.insert(Items, item('before')))
        })
      }),
    )
    expect(nested).to.include({ code: 'conflict' })
    await append('after')
    expect(await ids()).to.deep.equal(['after', 'before'])
  })

  const lost: readonly (readonly [string, () => Promise<void>])[] = [
    ['an administrator ends', () => end('terminate', "state <> 'active'")],
    [
      'a pooler closes',
      async () => {
        proxy.cut()
      },
    ],
  ]
  for (const [who, lose] of lost)
    it(`replaces idle connections that ${who}`, async function () {
      this.timeout(30_000)
      for (const round of [1, 2]) {
        await lose()
        await append(`${round}`).catch((error: unknown) => {
          expect(error).to.include({ code: 'not_ready' })
          return until(() => store.status.available).then(() => append(`${round}`))
        })
        await until(() => store.status.available)
      }
      expect(await ids()).to.deep.equal(['1', '2', 'before'])
    })

  it('takes back a transaction whose connection is closed, and takes it again', async function () {
    this.timeout(30_000)
    const attempt = (inside: () => void): Promise<void> =>
      store.tx(async (db) => {
        await db.insert(Items, item('tried'))
        inside()
        await db.count(Items)
      })
    expect(await failureOf(attempt(() => proxy.cut()))).to.include({ code: 'not_ready' })
    expect(store.status.reason).to.match(/^the database server does not answer/)
    await until(() => store.status.available)
    await attempt(() => {})
    expect(await ids()).to.deep.equal(['before', 'tried'])
  })

  it('works again after a transaction that idled longer than the server allows', async function () {
    this.timeout(30_000)
    const refused = await failureOf(
      store.tx(async (db) => {
        await db.insert(Items, item('lost'))
        await db.query('SET LOCAL idle_in_transaction_session_timeout = 50')
        await until(async () => {
          const sql = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'"
          return ((await engine.reader.query(sql)) as unknown[]).length === 0
        })
        await db.insert(Items, item('late'))
      }),
    )
    expect(refused).to.include({ code: 'not_ready' })
    expect(store.status.reason).to.equal('the database server has closed a connection, which is opened again')
    await until(() => store.status.available)
    await append('after')
    expect(await ids()).to.deep.equal(['after', 'before'])
  })
  for (const [work, run] of [
    [
      'a read',
      (pause: () => Promise<void>) =>
        store.read(async (db) => [await db.count(Items), await pause(), await db.count(Items)]),
    ],
    [
      'a transaction that ends with it',
      (pause: () => Promise<void>) => store.tx(async (db) => [await db.insert(Items, item('lost')), await pause()]),
    ],
  ] as const)
    it(`refuses ${work} whose connection is closed in between as not_ready`, async function () {
      this.timeout(30_000)
      const closed = async (): Promise<void> => {
        proxy.cut()
        const sql = 'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'
        const watch = await new DataSource({
          type: 'postgres',
          url,
          poolSize: 1,
          installExtensions: false,
        }).initialize()
        await until(async () => ((await watch.query(sql)) as unknown[]).length === 0)
        await watch.destroy()
      }
      expect(await failureOf(run(closed))).to.include({ code: 'not_ready' })
      await until(() => store.status.available)
      await append('after')
      expect(await ids()).to.deep.equal(['after', 'before'])
    })
})
