import { expect } from 'chai'
import type { LoggedEvent } from '@mynah/plugin-events/api'
import { step } from '../api.js'
import { openEventLog } from '../event-log.js'
import { failureOf, item, Items, onEverySystem, type Opened } from '../testing/fixture.js'

const said = (data: unknown) => ({ type: 'said', data })
/** Collects the payloads of each commit that listeners receive. */
function listen({ store }: Opened): unknown[][] {
  const told: unknown[][] = []
  store.listen((events) => told.push(events.map(({ json }) => JSON.parse(json) as unknown)))
  return told
}

onEverySystem('Announcements', (open) => {
  it('delivers an event after its commit and writes it to the log', async () => {
    const opened = await open()
    const { store } = opened
    const log = openEventLog(store)
    const told: LoggedEvent[] = []
    const seen: Promise<number>[] = []
    log.listen((events) => {
      told.push(...events)
      seen.push(store.read((db) => db.count(Items)))
    })
    await store.tx(async (db) => {
      db.announce(said({ id: 'a' }))
      await db.insert(Items, item('a'))
      db.announce({ type: 'empty', data: undefined })
      expect(told).to.deep.equal([])
    })
    expect(told.map(({ id, type, json }) => [id, type, json])).to.deep.equal([
      [1, 'said', '{"id":"a"}'],
      [2, 'empty', 'null'],
    ])
    expect(await Promise.all(seen)).to.deep.equal([1])
    expect(await log.after(0, 10)).to.deep.equal(told)
    expect(await log.bounds()).to.deep.equal({ before: 0, head: 2 })
  })

  it('discards events with a rolled back transaction or savepoint', async () => {
    const opened = await open()
    const { store } = opened
    const told = listen(opened)
    await failureOf(
      store.tx(async (db) => {
        db.announce(said('lost'))
        throw new Error('no')
      }),
    )
    await store.tx(async (db) => {
      db.announce(said('before'))
      await failureOf(
        store.tx(async (inner) => {
          inner.announce(said('undone'))
          await store.tx(async (innermost) => innermost.announce(said('undone with it')))
          throw new Error('no')
        }),
      )
      await store.tx(async (inner) => inner.announce(said('kept')))
      db.announce(said('after'))
    })
    expect(told).to.deep.equal([['before', 'kept', 'after']])
    expect((await openEventLog(store).bounds()).head).to.equal(3)
  })

  it('rejects events after the end of the transaction', async () => {
    const opened = await open()
    const leaked = await opened.store.tx(async (db) => db)
    expect(() => leaked.announce(said('late'))).to.throw(/has ended/)
  })

  it('publishes events only for written rows', async () => {
    const opened = await open()
    const { store } = opened
    const told = listen(opened)
    await store.append(Items, [item('a'), item('b')], [said('a added'), undefined])
    await store.appendNew(Items, [item('a'), item('c')], [said('a again'), said('c added')])
    await store.change(
      Items,
      [
        { id: 'a', size: 1 },
        { id: 'no', size: 1 },
      ],
      [said('a changed'), said('no changed')],
    )
    await store.change(Items, [{ id: 'a', size: 2 }], [said('a changed wrongly')], { size: 7 })
    await store.write([
      step.append(Items, [item('d')], [said('d added')]),
      step.change(Items, [{ id: 'd', size: 1 }], [said('d changed')]),
    ])
    await failureOf(store.append(Items, [item('e'), item('a')], [said('e'), said('a')]))
    expect(told).to.deep.equal([['a added'], ['c added'], ['a changed'], ['d added', 'd changed']])
  })

  it('publishes events with the transaction of their rows', async () => {
    const opened = await open()
    const { store } = opened
    const told = listen(opened)
    await failureOf(
      store.tx(async () => {
        await store.append(Items, [item('a')], [said('lost')])
        throw new Error('no')
      }),
    )
    await store.tx(async (db) => {
      await store.append(Items, [item('a')], [said('a')])
      db.announce(said('b'))
      await store.change(Items, [{ id: 'a', size: 1 }], [said('c')])
      await failureOf(
        store.write([step.change(Items, [{ id: 'a', size: 2 }], [said('undone')]), step.append(Items, [item('a')])]),
      )
    })
    expect(told).to.deep.equal([['a', 'b', 'c']])
  })

  it('delivers events in the order of ids without gaps under concurrent commits', async function () {
    this.timeout(30_000)
    const opened = await open()
    const { store } = opened
    const log = openEventLog(store)
    const told: LoggedEvent[] = []
    log.listen((events) => told.push(...events))
    await Promise.allSettled(
      Array.from({ length: 300 }, async (_, index) => {
        if (index % 3 === 0) await log.append([{ type: 'published', json: '1', timestamp: 1 }])
        else if (index % 3 === 1) await store.append(Items, [item(`r${index}`)], [said(index)])
        else {
          await store.tx(async (db) => {
            db.announce(said(index))
            if (index % 2) throw new Error('no')
          })
        }
      }),
    )
    expect(told).to.have.length(250)
    expect(told.map(({ id }) => id)).to.deep.equal(Array.from({ length: 250 }, (_, index) => index + 1))
    expect(await log.after(0, 1_000)).to.deep.equal(told)
  })

  it('rejects a payload that is not JSON before anything is written', async () => {
    const opened = await open()
    const { store } = opened
    const round: Record<string, unknown> = {}
    round.self = round
    expect((await failureOf(store.append(Items, [item('a')], [said(round)]))).message).to.match(/circular/i)
    expect((await failureOf(store.tx(async (db) => db.announce(said(1n))))).message).to.match(/BigInt/)
    expect(await store.read((db) => db.count(Items))).to.equal(0)
  })

  it('keeps the payload as it was at the call', async () => {
    const opened = await open()
    const told = listen(opened)
    const payload = { state: 'new' }
    const appended = opened.store.append(Items, [item('a')], [said(payload)])
    payload.state = 'changed since'
    await appended
    expect(told).to.deep.equal([[{ state: 'new' }]])
  })

  it('reaches all listeners even if one throws', async () => {
    const opened = await open()
    opened.store.listen(() => {
      throw Object.create(null)
    })
    const told = listen(opened)
    const end = opened.store.listen(() => {
      throw new Error('ended')
    })
    end()
    await opened.store.append(Items, [item('a')], [said('a')])
    expect(told).to.deep.equal([['a']])
    expect(opened.failures).to.have.length(1)
  })
})
