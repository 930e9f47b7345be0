import { expect } from 'chai'
import type { LoggedEvent } from '@mynah/plugin-events/api'
import { systemClock } from '@mynah/kernel'
import { openPostgres } from '../engine/postgres.js'
import { openEventLog } from '../event-log.js'
import { failureOf, item, Items, postgres, until } from '../testing/fixture.js'
import { needPostgres } from '../testing/postgres-server.js'
import { startProxy } from '../testing/tcp-proxy.js'
import { Store } from './store.js'

/** The proof that a host of a cluster shows to each new connection, here always valid. */
const shared = { name: 'mynah', streamChannel: 'stream', proof: [{ sql: 'SELECT 1', parameters: [] }], fenced() {} }

describe('the log of hosts that share a database', () => {
  const stores: Store[] = []
  let url: string
  before(async function () {
    await needPostgres(this)
    url = await (await postgres()).create()
  })
  after(async () => {
    for (const store of stores) await store.close()
    if (url) await (await postgres()).drop(url)
  })

  async function open(
    address = url,
    options: { readonly silence?: number } = {},
  ): Promise<{ readonly store: Store; readonly told: LoggedEvent[] }> {
    const store = new Store(await openPostgres(address, { shared, ...options }), systemClock, {
      changed() {},
      tableFailed: (_table, error) => {
        throw error
      },
    })
    stores.push(store)
    await store.open()
    await store.contribute([Items])
    const told: LoggedEvent[] = []
    store.listen((events) => told.push(...events))
    return { store, told }
  }

  it('gives ids without gaps, and each host delivers all of them in order', async function () {
    this.timeout(30_000)
    const hosts = [await open(), await open(), await open()]
    const late: unknown[] = []
    await Promise.all(
      hosts.flatMap(({ store, told }, host) =>
        Array.from({ length: 100 }, async (_, index) => {
          const id = `${host}-${index}`
          await store.append(Items, [item(id)], [{ type: 'added', data: id }])
          if (!told.some(({ json }) => json === JSON.stringify(id))) late.push(id)
        }),
      ),
    )
    expect(late, 'resolved before their own listeners were called').to.deep.equal([])
    for (const { store, told } of hosts) {
      // An idle host delivers the events of others before its own.
      await store.append(
        Items,
        [item(`last of ${hosts.findIndex((host) => host.store === store)}`)],
        [{ type: 'last', data: null }],
      )
      expect(told.map(({ id }) => id)).to.deep.equal(Array.from(told, (_, index) => index + 1))
      expect(told).to.deep.equal((await openEventLog(store).after(0, 1_000)).slice(0, told.length))
    }
    expect(hosts.at(-1)?.told).to.have.length(303)
  })

  it('keeps every text as it was', async () => {
    const { store, told } = await open()
    const texts = [`it's`, '\\', `\\'`, `E'\\''; DROP TABLE item; --`, '"\\u0000"', '\u2028 \ud83d\ude00 $1 %s', '\n']
    await store.log(texts.map((text) => ({ type: text, json: JSON.stringify(text), timestamp: 1 })))
    expect(told.map(({ type }) => type)).to.deep.equal(texts)
    const newest = (await openEventLog(store).bounds()).head
    const read = await openEventLog(store).after(newest - texts.length, 100)
    expect(read.map(({ type }) => type)).to.deep.equal(texts)
    expect(read.map(({ json }) => JSON.parse(json) as string)).to.deep.equal(texts)
    expect(read).to.deep.equal(told)
  })

  it('refuses a text that would end the packet', async () => {
    const { store } = await open()
    const before = await openEventLog(store).bounds()
    const refused = await store.log([{ type: 'a\0b', json: '1', timestamp: 1 }]).then(
      () => undefined,
      (error: Error) => error,
    )
    expect(refused?.message).to.include('zero byte')
    await store.append(Items, [item('after it')], [{ type: 'after', data: null }])
    expect((await openEventLog(store).bounds()).head).to.equal(before.head + 1)
  })

  it('delivers once the event of a commit whose answer was lost', async function () {
    this.timeout(30_000)
    const proxy = await startProxy(url)
    try {
      const { store, told } = await open(proxy.through(url), { silence: 2_000 })
      const other = await open()
      const refused = await failureOf(
        store.tx(async (db) => {
          db.announce({ type: 'unanswered', data: null })
          await db.insert(Items, item('unanswered'))
          proxy.mute()
        }),
      )
      expect(refused.code).to.equal('not_ready')
      await other.store.append(Items, [item('meanwhile')], [{ type: 'meanwhile', data: null }])
      await until(() => store.status.available)
      await store.append(Items, [item('afterwards')], [{ type: 'afterwards', data: null }])
      expect(await store.read((db) => db.count(Items, { id: 'unanswered' }))).to.equal(1)
      expect(told.map(({ type }) => type)).to.deep.equal(['unanswered', 'meanwhile', 'afterwards'])
    } finally {
      for (const store of stores.splice(0)) await store.close()
      await proxy.close()
    }
  })
})
