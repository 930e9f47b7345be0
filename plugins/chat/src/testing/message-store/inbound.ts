import assert from 'node:assert/strict'
import { NOW, key, query, eventOf, type Fixture } from './fixture.js'

/** Declares the tests of ids. */
export function idTests(fixture: Fixture): void {
  describe('ids', () => {
    it('sort in the order in which they were made', () => {
      const ids = Array.from({ length: 100 }, () => fixture.store.newId())
      assert.deepEqual([...ids].sort(), ids)
      assert.equal(new Set(ids).size, 100)
    })
  })
}

/** Declares the tests of inbound messages. */
export function inboundTests(fixture: Fixture): void {
  describe('inbound messages', () => {
    it('are accepted once, and later deliveries get the id of the first', async () => {
      const first = fixture.inbound('m1')
      assert.deepEqual(await fixture.store.accept(first), { id: first.id, fresh: true })
      const later = await fixture.store.accept(fixture.inbound('m1'))
      assert.deepEqual([later.id, later.fresh], [first.id, false])
      assert.equal((await fixture.store.messages(query())).total, 1)
    })

    it('of different endpoints may have the same platform id', async () => {
      await fixture.store.accept(fixture.inbound('m1'))
      assert.equal((await fixture.store.accept(fixture.inbound('m1', { endpoint: 'other' }))).fresh, true)
      assert.equal((await fixture.store.accept(fixture.inbound('m1', { adapter: 'other' }))).fresh, true)
    })

    it('publish their event once', async () => {
      await fixture.store.accept(fixture.inbound('m1'), eventOf('first'))
      await fixture.store.accept(fixture.inbound('m1'), eventOf('second'))
      assert.deepEqual(await fixture.published(), [eventOf('first')])
    })

    it('are listed as received in the order of their arrival, until their handling starts', async () => {
      const first = await fixture.accept('m1')
      await fixture.accept('m2')
      await fixture.accept('m3')
      await fixture.accept('elsewhere', { endpoint: 'other' })
      assert.deepEqual(await fixture.received(), ['m1', 'm2', 'm3'])
      assert.deepEqual(await fixture.received(2), ['m1', 'm2'])
      await fixture.store.startHandling(first)
      assert.deepEqual(await fixture.received(), ['m2', 'm3'])
    })

    it('start to be handled once: the first call changes the row, and no later one', async () => {
      const id = await fixture.accept('m1')
      const starts = await Promise.all(Array.from({ length: 3 }, () => fixture.store.startHandling(id)))
      assert.deepEqual(starts, [true, false, false])
      await fixture.store.finishHandling(id)
      assert.equal(await fixture.store.startHandling(id), false)
      assert.equal(await fixture.stateOf(id), 'handled')
    })

    it('go from received to handling to handled', async () => {
      const id = await fixture.accept('m1')
      assert.equal(await fixture.stateOf(id), 'received')
      await fixture.store.startHandling(id)
      assert.equal(await fixture.stateOf(id), 'handling')
      await fixture.store.finishHandling(id)
      assert.equal(await fixture.stateOf(id), 'handled')
    })

    it('become handled with the intent of their reply', async () => {
      const id = await fixture.accept('m1')
      await fixture.store.startHandling(id)
      await fixture.store.addIntent(fixture.outbound('reply', { answers: id }), id)
      assert.equal(await fixture.stateOf(id), 'handled')
    })

    it('that this process handles are not interrupted by a recovery', async () => {
      const id = await fixture.accept('m1')
      await fixture.store.startHandling(id)
      const policy = { mayRepeat: () => true, notesOf: () => ({}) }
      assert.deepEqual(await fixture.store.recoverInbound(key, policy), [])
      assert.equal(await fixture.stateOf(id), 'handling')
    })

    it('are found by their row', async () => {
      const record = fixture.inbound('m1')
      await fixture.store.accept(record)
      assert.deepEqual(await fixture.store.findInbound(record.id), record)
      await fixture.store.startHandling(record.id)
      await fixture.store.finishHandling(record.id)
      assert.deepEqual(await fixture.store.findInbound(record.id), record)
      assert.equal(await fixture.store.findInbound(await fixture.intend('mine')), undefined)
      assert.equal(await fixture.store.findInbound('nothing'), undefined)
    })
  })
}

/** Declares the tests of inbound messages that come again or late. */
export function repeatedInboundTests(fixture: Fixture): void {
  describe('inbound messages, repeated or late', () => {
    it('say of a later delivery whether the first one waits', async () => {
      const id = await fixture.accept('m1')
      assert.equal((await fixture.store.accept(fixture.inbound('m1'))).waits, true)
      await fixture.store.startHandling(id)
      assert.equal((await fixture.store.accept(fixture.inbound('m1'))).waits, false)
    })

    it('are handled from the beginning where they are only stored', async () => {
      const id = await fixture.accept('m1', { onlyStored: true })
      assert.equal(await fixture.stateOf(id), 'handled')
      assert.deepEqual(await fixture.received(), [])
      assert.equal(await fixture.store.startHandling(id), false)
      assert.equal((await fixture.store.accept(fixture.inbound('m1'))).fresh, false)
    })

    it('have what their answer is sent with, and keep it from every row', async () => {
      const record = fixture.inbound('m1', {
        via: { token: 'secret', until: NOW + 1_000 },
        sender: { id: 'cy', bot: true },
      })
      await fixture.store.accept(record)
      assert.deepEqual(await fixture.store.findInbound(record.id), record)
      assert.equal(JSON.stringify(await fixture.rowOf(record.id)).includes('secret'), false)
    })

    it('become handled from any open state, and stay so', async () => {
      const received = await fixture.accept('m1')
      await fixture.store.finishHandling(received)
      await fixture.store.finishHandling(received)
      assert.equal(await fixture.stateOf(received), 'handled')
      assert.deepEqual(await fixture.received(), [])
      await fixture.store.returnToReceived(received)
      assert.equal(await fixture.stateOf(received), 'handled')
    })
  })
}
