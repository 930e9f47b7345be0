import { expect } from 'chai'
import { systemClock } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import { item, Items, needPostgres, openPostgres, postgres, Store } from '@mynah/plugin-database/testing'
import { Member } from './member.js'

const DURATIONS = { lease: 10_000, margin: 3_000, beat: 500, look: 500, give: 10_000 }

describe('the event stream of hosts that share a database', function () {
  this.timeout(60_000)
  let url: string
  const closing: (() => Promise<unknown>)[] = []

  before(async function () {
    await needPostgres(this)
    url = await (await postgres()).create()
  })
  after(async () => {
    for (const close of closing.reverse()) await close()
    if (url) await (await postgres()).drop(url)
  })

  /** Joins a host with a store, and collects what its listeners receive. */
  async function join(name: string): Promise<{ store: Store; member: Member; texts: string[] }> {
    const member = await Member.join({
      url,
      id: name,
      name,
      version: '1',
      durations: DURATIONS,
      clock: systemClock,
      log: { debug() {}, info() {}, warn() {}, error() {} },
      exit() {},
      restart: () => Promise.resolve(),
      onHouseMoved() {},
    })
    const shared = { ...member.session, fenced: () => member.fenced() }
    const store = new Store(await openPostgres(url, { shared }), systemClock, {
      changed() {},
      tableFailed: (_table, error) => {
        throw error
      },
    })
    closing.push(
      () => member.close(),
      () => store.close(),
    )
    await store.open()
    await store.contribute([Items])
    const texts: string[] = []
    store.listen((events) => texts.push(...events.map(({ type }) => type)))
    return { store, member, texts }
  }

  it('reaches a host that writes nothing, in order and once', async () => {
    const [writer, second, reader] = [await join('writer'), await join('second'), await join('reader')]
    for (const { member, store } of [second, reader]) member.onStream((newest) => store.follow(newest))
    const texts = Array.from({ length: 100 }, (_, index) => `event-${index}`)
    for (const [index, text] of texts.entries()) {
      const { store } = index % 3 === 0 ? second : writer
      await store.append(Items, [item(text)], [{ type: text, data: null }])
    }
    await until(() => reader.texts.length >= texts.length && second.texts.length >= texts.length)
    expect(reader.texts).to.deep.equal(texts)
    expect(second.texts).to.deep.equal(texts)
  })

  it('reaches it within a look where the notification was lost', async () => {
    const [writer, reader] = [await join('silent writer'), await join('late reader')]
    const heard: (number | undefined)[] = []
    reader.member.onStream((newest) => {
      heard.push(newest)
      // The others have lost their notification.
      if (newest === undefined) reader.store.follow()
    })
    await writer.store.append(Items, [item('lost')], [{ type: 'lost', data: null }])
    await until(() => reader.texts.includes('lost'))
    expect(reader.texts).to.deep.equal(['lost'])
    const count = heard.length
    await until(() => heard.length > count + 1)
    expect(reader.texts, 'once').to.deep.equal(['lost'])
  })
})
