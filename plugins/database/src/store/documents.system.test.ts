import { expect } from 'chai'
import { TestClock } from '@mynah/kernel/testing'
import { keyValueStore, sweepExpired } from './key-values.js'
import { KeyValues } from './tables.js'
import { failureOf, onEverySystem } from '../testing/fixture.js'

onEverySystem('documents', (open) => {
  it('are added, read, replaced, updated and removed', async () => {
    const { store } = await open()
    const notes = store.documents<{ text: string; tags?: string[] }>('notes')
    const first = await notes.add({ text: 'one', tags: ['x'] })
    const second = await notes.add({ text: 'two' })
    expect(await notes.find()).to.deep.equal([first, second])
    expect(await notes.get(first.id)).to.deep.equal({ id: first.id, text: 'one', tags: ['x'] })
    await notes.put(first.id, { text: 'changed' })
    expect(await notes.update({ text: 'two' }, { text: 'second' })).to.equal(1)
    expect((await notes.find()).map(({ text }) => text)).to.deep.equal(['changed', 'second'])
    expect(await notes.remove(first.id)).to.equal(true)
    expect(await notes.remove(first.id)).to.equal(false)
    expect(await notes.get(first.id)).to.equal(undefined)
    expect(await notes.count()).to.equal(1)
  })

  it('are listed in the order of their creation, page by page', async () => {
    const { store } = await open()
    const notes = store.documents<{ n: number }>('notes')
    for (let n = 0; n < 25; n++) await notes.add({ n })
    expect((await notes.find({ limit: 10, offset: 20 })).map(({ n }) => n)).to.deep.equal([20, 21, 22, 23, 24])
    expect((await notes.find({ offset: 23 })).map(({ n }) => n)).to.deep.equal([23, 24])
  })

  it('are separate by store and reject an existing id, an invalid id and an update of everything', async () => {
    const { store } = await open()
    const [a, b] = [store.documents('a'), store.documents('b')]
    await a.add({ x: 1 }, 'same')
    await b.add({ x: 2 }, 'same')
    expect(await a.get('same')).to.deep.equal({ id: 'same', x: 1 })
    expect((await failureOf(a.add({ x: 3 }, 'same'))).code).to.equal('conflict')
    expect((await failureOf(a.get(''))).code).to.equal('invalid_request')
    expect(await failureOf(Promise.resolve().then(() => a.update({}, { x: 0 })))).to.include({
      code: 'invalid_request',
    })
  })

  it('reject one name for two kinds of stores', async () => {
    const { store } = await open()
    store.documents('notes')
    expect(() => store.kv('notes')).to.throw(/document store already/)
  })
})

onEverySystem('key-value pairs', (open) => {
  it('are set, read, listed and deleted', async () => {
    const { store } = await open()
    const settings = store.kv('settings')
    await settings.set('b', { deep: [1, null] })
    await settings.set('a', 'text')
    await settings.set('a', false)
    expect(await settings.get('a')).to.equal(false)
    expect(await settings.get('missing')).to.equal(undefined)
    expect(await settings.entries()).to.deep.equal([
      { key: 'a', value: false },
      { key: 'b', value: { deep: [1, null] } },
    ])
    expect(await settings.entries({ limit: 1, offset: 1 })).to.deep.equal([{ key: 'b', value: { deep: [1, null] } }])
    expect([await settings.delete('a'), await settings.delete('a'), await settings.count()]).to.deep.equal([
      true,
      false,
      1,
    ])
    expect((await failureOf(settings.set('x', undefined))).code).to.equal('invalid_request')
    expect((await failureOf(settings.set('x', 1, { ttl: 0 }))).code).to.equal('invalid_request')
  })

  it('expire and are swept', async () => {
    const { store } = await open()
    const clock = new TestClock()
    const cache = keyValueStore(
      store,
      'cache',
      () => clock.now(),
      () => {},
    )
    await cache.set('short', 1, { ttl: 10 })
    await cache.set('long', 2, { ttl: 100 })
    await cache.set('always', 3)
    expect(await cache.entries()).to.deep.include({ key: 'short', value: 1, expiresAt: clock.now() + 10_000 })
    await clock.advance(10_000)
    expect(await cache.get('short')).to.equal(undefined)
    expect(await cache.count()).to.equal(2)
    await sweepExpired(store, clock.now())
    expect(await store.read((db) => db.count(KeyValues))).to.equal(2)
  })
})
