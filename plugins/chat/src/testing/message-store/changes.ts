import assert from 'node:assert/strict'
import type { MessageChange, MessagePlace } from '../../api/store.js'
import { NOW, eventOf, group, key, type Fixture } from './fixture.js'

/** Declares the tests of cursors. */
export function cursorTests(fixture: Fixture): void {
  const cursor = (name: string, endpoint = key) => fixture.store.cursor(endpoint, name)

  describe('cursors', () => {
    it('are unknown before they are set, and have their last value then', async () => {
      assert.equal(await cursor('next'), undefined)
      await fixture.store.setCursors(key, { next: 's1', other: 'x' })
      await fixture.store.setCursors(key, { next: 's2' })
      assert.deepEqual([await cursor('next'), await cursor('other')], ['s2', 'x'])
    })

    it('belong to one endpoint', async () => {
      await fixture.store.setCursors(key, { next: 's1' })
      assert.equal(await cursor('next', { ...key, endpoint: 'other' }), undefined)
      assert.equal(await cursor('next', { ...key, adapter: 'other' }), undefined)
    })

    it('have values of 4 KB and any characters', async () => {
      const value = `{"ü":"${'漢'.repeat(1_300)}"}`
      await fixture.store.setCursors(key, { "it's": value })
      assert.equal(await cursor("it's"), value)
    })

    it('are written with a message, also with one that was accepted before', async () => {
      await fixture.store.accept(fixture.inbound('m1'), eventOf('first'), { next: 's1' })
      assert.equal(await cursor('next'), 's1')
      const again = await fixture.store.accept(fixture.inbound('m1'), eventOf('second'), { next: 's2' })
      assert.deepEqual([again.fresh, await cursor('next')], [false, 's2'])
      assert.deepEqual(await fixture.published(), [eventOf('first')])
    })
  })
}

/** Declares the tests of messages that change after they were received or sent. */
export function changeTests(fixture: Fixture): void {
  const place = (messageId: string, rest: Partial<MessagePlace> = {}): MessagePlace => ({
    ...key,
    messageId,
    channel: group,
    ...rest,
  })
  const change = (at: MessagePlace, given: MessageChange) => fixture.store.changeMessage(at, () => given)
  const edit: MessageChange = { segments: [{ type: 'text', data: { text: 'new' } }], text: 'new', editedAt: NOW + 1 }

  describe('changed messages', () => {
    it('have their new content and marks, and keep the others', async () => {
      const id = await fixture.accept('m1')
      const { isStored, changed } = await change(place('m1'), edit)
      assert.equal(isStored, true)
      assert.deepEqual(changed, await fixture.rowOf(id))
      await change(place('m1'), { deletedAt: NOW + 2 })
      const reactions = [{ emoji: '👍', sender: { id: 'bo', name: 'Bo' } }]
      await change(place('m1'), { reactions })
      const row = await fixture.rowOf(id)
      assert.deepEqual(
        [row?.content, row?.text, row?.editedAt, row?.deletedAt, row?.reactions, row?.state],
        [edit.segments, 'new', NOW + 1, NOW + 2, reactions, 'received'],
      )
    })

    it('are handled with their new content', async () => {
      const id = await fixture.accept('m1')
      await change(place('m1'), edit)
      const [record] = await fixture.store.listReceived(key, 1)
      assert.deepEqual([record?.id, record?.text, record?.segments], [id, 'new', edit.segments])
    })

    it('publish their event if something changes', async () => {
      await fixture.accept('m1')
      const none = await fixture.store.changeMessage(
        place('m1'),
        () => undefined,
        () => eventOf('none'),
      )
      assert.deepEqual(none, { isStored: true })
      await fixture.store.changeMessage(
        place('m1'),
        ({ text }) => ({ ...edit, text: `${text}!` }),
        ({ text }) => eventOf(text),
      )
      assert.deepEqual(await fixture.published(), [eventOf('m1!')])
    })

    it('may be own ones that were sent', async () => {
      const id = await fixture.intend('mine')
      assert.deepEqual(await change(place('p1'), edit), { isStored: false })
      await fixture.store.startSending(id)
      await fixture.store.finishSending(id, { state: 'sent', messageId: 'p1' })
      assert.equal((await change(place('p1'), edit)).isStored, true)
      assert.equal((await fixture.rowOf(id))?.text, 'new')
    })

    it('are those of their endpoint and chat', async () => {
      await fixture.accept('m1')
      for (const other of [
        { messageId: 'm2' },
        { endpoint: 'other' },
        { channel: { ...group, id: 'g2' } },
        { channel: { ...group, id: 'g' } },
        { channel: { type: 'private', id: 'g1' } as const },
      ])
        assert.deepEqual(await change(place('m1', other), edit), { isStored: false })
    })

    it('are found in a thread by the chat of the thread', async () => {
      const id = await fixture.accept('m1', {
        channel: { type: 'group', id: 'g1:7', parent: { type: 'group', id: 'g1' } },
      })
      assert.equal((await change(place('m1'), edit)).isStored, true)
      assert.equal((await fixture.rowOf(id))?.text, 'new')
      assert.equal((await change(place('m1', { channel: { type: 'group', id: 'g1:8' } }), edit)).isStored, false)
    })
  })
}
