import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { systemClock, type Clock } from '@mynah/kernel'
import { TestClock } from '@mynah/kernel/testing'
import { Database } from '../api.js'
import { openPostgres } from './postgres.js'
import { Store } from '../store/store.js'
import { failureOf, folder, item, Items, postgres, until, within } from '../testing/fixture.js'
import { needPostgres, type TestServer } from '../testing/postgres-server.js'
import { startProxy, type TcpProxy } from '../testing/tcp-proxy.js'
import { run } from '../test/host.js'

/** Long enough for a busy machine, and shorter than what hosts use. */
const SILENCE_MS = 2_000

describe('Connections', () => {
  let server: TestServer
  let url: string
  let proxy: TcpProxy
  const stores: Store[] = []
  before(async function () {
    await needPostgres(this)
    server = await postgres()
  })
  beforeEach(async () => {
    url = await server.create()
    proxy = await startProxy(url)
  })
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close()
    await proxy.close()
    await server.drop(url)
  })

  async function open(address: string, clock: Clock = systemClock): Promise<Store> {
    const store = new Store(await openPostgres(address, { silence: SILENCE_MS }), clock, {
      changed() {},
      tableFailed: (_table, error) => {
        throw error
      },
    })
    stores.push(store)
    await store.open()
    await store.contribute([Items])
    return store
  }

  it('replaces an idle connection that falls silent', async function () {
    this.timeout(30_000)
    const store = await open(proxy.through(url))
    await store.append(Items, [item('before')])
    await store.read((db) => db.count(Items))
    proxy.silence()
    expect((await failureOf(store.append(Items, [item('lost')]))).code).to.equal('not_ready')
    expect(store.status).to.deep.equal({ available: false, reason: 'the database server does not answer' })
    await until(() => store.status.available)
    await store.append(Items, [item('after')])
    expect((await store.read((db) => db.find(Items))).map(({ id }) => id)).to.deep.equal(['after', 'before'])
  })

  it('notices a server that is silent or gone though no plugin asks it anything', async function () {
    this.timeout(30_000)
    const store = await open(proxy.through(url))
    await store.verify()
    expect(store.status.available).to.equal(true)
    proxy.swallow()
    proxy.silence()
    await store.verify()
    expect(store.status).to.deep.equal({ available: false, reason: 'the database server does not answer' })
    proxy.restore()
    await until(() => store.status.available)
    await Promise.all([store.verify(), store.verify()])
    await proxy.close()
    await store.verify()
    expect(store.status.available).to.equal(false)
  })

  it('warns of the SQLite database of a host that starts with an empty PostgreSQL', async () => {
    const home = await folder()
    const warned = (log: readonly { readonly message: string }[]): boolean =>
      log.some(({ message }) => message.includes('mynah.sqlite is not used: the host starts without its data'))
    try {
      await (await run({}, { data: home.path })).stop()
      const first = await run({ type: 'postgres', url }, { data: home.path })
      expect(warned(first.log)).to.equal(true)
      await first.stop()
      const second = await run({ type: 'postgres', url }, { data: home.path })
      expect(warned(second.log)).to.equal(false)
      await second.stop()
    } finally {
      await home.remove()
    }
  })

  it('releases locks of a transaction whose connection falls silent', async function () {
    this.timeout(30_000)
    const store = await open(proxy.through(url))
    await store.append(Items, [item('row')])
    const reading = store.read(async (db) => {
      await db.count(Items)
      await new Promise((resolve) => setImmediate(resolve))
      proxy.silence()
      return db.count(Items)
    })
    const silent = failureOf(reading)
    const writing = store.tx(async (db) => {
      db.announce({ type: 'never', data: null })
      await db.update(Items, { id: 'row' }, { size: 1 })
      await silent
      await db.update(Items, { id: 'row' }, { size: 2 })
    })
    expect((await failureOf(writing)).code).to.equal('not_ready')
    expect((await silent).code).to.equal('not_ready')
    await until(() => store.status.available)
    expect(
      await store.change(Items, [{ id: 'row', size: 5 }], [{ type: 'changed', data: null }], { size: 0 }),
    ).to.deep.equal([true])
  })

  it('retries until the network is back', async function () {
    this.timeout(40_000)
    const store = await open(proxy.through(url))
    proxy.swallow()
    proxy.silence()
    expect((await failureOf(store.append(Items, [item('lost')]))).code).to.equal('not_ready')
    const refused = await within(1_000, () => failureOf(store.append(Items, [item('refused')])))
    expect(refused.message).to.match(/^The database is not available: the database server does not answer/)
    proxy.restore()
    await until(() => store.status.available)
    await store.append(Items, [item('after')])
    expect(await store.read((db) => db.count(Items))).to.equal(1)
  })

  it('rejects a second host until the first has stopped', async function () {
    this.timeout(30_000)
    const first = await open(url)
    const refused = await failureOf(open(url))
    expect(refused).to.deep.include({ code: 'database/in-use', exitCode: 3 })
    expect(refused.message).to.match(/^The database is in use by another host \(connected since 20\d\d-[\dTZ:.-]+\)$/)
    await first.append(Items, [item('mine')])
    await stores.splice(0)[0]?.close()
    const second = await open(url)
    expect(await second.read((db) => db.count(Items))).to.equal(1)
  })

  it('waits longer for a host on another machine, which may have vanished', async function () {
    this.timeout(50_000)
    const elsewhere = await startProxy(url, '127.0.0.2')
    try {
      const first = await open(elsewhere.through(url))
      const opening = open(url)
      // Longer than it waits for a host on the same machine.
      await pause(2_500)
      await stores.splice(stores.indexOf(first), 1)[0]?.close()
      await (await opening).append(Items, [item('mine')])
    } finally {
      await elsewhere.close()
    }
  })

  it('does not write to a database that another host has taken over', async function () {
    this.timeout(30_000)
    const clock = new TestClock()
    const first = await open(url, clock)
    await failureOf(first.tx((db) => db.query('SELECT pg_terminate_backend(pg_backend_pid())')))
    expect(first.status.available).to.equal(false)
    const second = await open(url)
    await clock.advance(1_000)
    await until(() => first.status.reason === 'another host has taken it over')
    expect((await failureOf(first.append(Items, [item('x')]))).code).to.equal('not_ready')
    await second.append(Items, [item('y')])
    expect((await second.read((db) => db.find(Items))).map(({ id }) => id)).to.deep.equal(['y'])
  })

  // Pools close idle connections after ten seconds.
  if (process.env.MYNAH_MEASURE_FAULTS)
    it('rejects a second host while the first is idle', async function () {
      this.timeout(60_000)
      const first = await open(url)
      await new Promise((resolve) => setTimeout(resolve, 11_000))
      expect(await failureOf(open(url))).to.include({ code: 'database/in-use' })
      await first.append(Items, [item('mine')])
    })

  // faults/vanished-host.mjs shows what follows from it.
  it('asks the server to notice a vanished host within 25 seconds', async () => {
    const engine = await openPostgres(url)
    try {
      for (const source of [engine.writer, engine.reader]) {
        const [settings] = await source.query(
          `SELECT current_setting('tcp_keepalives_idle') || ' + ' || current_setting('tcp_keepalives_count') || ' x '
            || current_setting('tcp_keepalives_interval') AS silence, current_setting('tcp_user_timeout') AS unanswered`,
        )
        expect(settings).to.deep.equal({ silence: '10 + 3 x 5', unanswered: '20000' })
      }
    } finally {
      await engine.close()
    }
  })

  it('holds the lock on a connection without idle timeout', async () => {
    const engine = await openPostgres(url)
    const idle = [engine.writer, engine.reader].map(
      ({ driver }) =>
        (driver as unknown as { master: { options: { idleTimeoutMillis: number } } }).master.options.idleTimeoutMillis,
    )
    await engine.close()
    expect(idle).to.deep.equal([0, 10_000])
  })

  // With the times that hosts use; part of faults/away-and-back.mjs.
  if (process.env.MYNAH_MEASURE_FAULTS)
    it('replaces a silent connection of a host within fifteen seconds', async function () {
      this.timeout(60_000)
      const host = await run({ type: 'postgres', url: proxy.through(url) })
      const database = host.host.get(Database) as Database
      await database.append(Items, [item('before')])
      proxy.silence()
      await within(15_000, async () => {
        await failureOf(database.append(Items, [item('lost')]))
        await until(() => database.status.available)
        await database.append(Items, [item('after')])
      })
      expect((await database.read((db) => db.find(Items))).map(({ id }) => id)).to.deep.equal(['after', 'before'])
      await host.stop()
    })
})
