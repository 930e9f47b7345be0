import assert from 'node:assert/strict'
import type { InboxQuery, MessageStore } from '../../api/store.js'
import { NOW, key, group, query, type Fixture } from './fixture.js'

/** Declares the tests of transcripts. */
export function transcriptTests(fixture: Fixture): void {
  describe('transcript', () => {
    const texts = async (rest: Partial<Parameters<MessageStore['transcript']>[0]> = {}) =>
      (await fixture.store.transcript({ ...key, channel: group, limit: 10, ...rest })).map(({ text }) => text)

    it('has both sides of one conversation, oldest first', async () => {
      await fixture.accept('one')
      await fixture.intend('two')
      await fixture.accept('elsewhere', { channel: { type: 'private', id: 'g1' } })
      await fixture.accept('three')
      assert.deepEqual(await texts(), ['one', 'two', 'three'])
    })

    it('has the newest messages where there are more than its limit', async () => {
      for (const text of ['one', 'two', 'three']) await fixture.accept(text)
      assert.deepEqual(await texts({ limit: 2 }), ['two', 'three'])
    })

    it('has the messages between two rows', async () => {
      const ids = []
      for (const text of ['one', 'two', 'three', 'four']) ids.push(await fixture.accept(text))
      assert.deepEqual(await texts({ after: ids[0] as string, before: ids[3] as string }), ['two', 'three'])
    })

    it('has the messages since a time', async () => {
      await fixture.accept('old', { timestamp: NOW - 1 })
      await fixture.accept('new')
      assert.deepEqual(await texts({ since: NOW }), ['new'])
    })

    it('has the messages that contain a text in any case', async () => {
      await fixture.accept('Hello World')
      await fixture.accept('something else')
      assert.deepEqual(await texts({ text: 'hello' }), ['Hello World'])
      assert.deepEqual(await texts({ text: 'WORLD' }), ['Hello World'])
      assert.deepEqual(await texts({ text: '%' }), [])
    })

    it('of a channel below a guild has the messages of that guild only', async () => {
      const channel = (id: string) => ({ type: 'channel' as const, id: 'c', parent: { type: 'guild' as const, id } })
      await fixture.accept('one', { channel: channel('a') })
      await fixture.accept('two', { channel: channel('b') })
      assert.deepEqual(await texts({ channel: channel('a') }), ['one'])
    })
  })
}

/** Declares the tests of pages of messages. */
export function pageTests(fixture: Fixture): void {
  describe('pages of messages', () => {
    const idsOf = async (rest: Partial<InboxQuery>) =>
      (await fixture.store.messages(query(rest))).rows.map(({ messageId }) => messageId)

    it('follow each other, newest first, and count all messages', async () => {
      for (let index = 0; index < 5; index++) await fixture.accept(`m${index}`)
      const first = await fixture.store.messages(query({ limit: 2 }))
      assert.deepEqual([first.rows.map(({ messageId }) => messageId), first.total], [['m4', 'm3'], 5])
      const second = await fixture.store.messages(query({ limit: 2, before: first.nextBefore as string }))
      assert.deepEqual([second.rows.map(({ messageId }) => messageId), second.total], [['m2', 'm1'], 5])
      const third = await fixture.store.messages(query({ limit: 2, before: second.nextBefore as string }))
      assert.deepEqual([third.rows.map(({ messageId }) => messageId), third.nextBefore], [['m0'], undefined])
    })

    it('may be of one channel, and of one parent', async () => {
      const guild = (id: string) => ({ type: 'guild' as const, id })
      await fixture.accept('a', { channel: { type: 'channel', id: 'c', parent: guild('one') } })
      await fixture.accept('b', { channel: { type: 'channel', id: 'c', parent: guild('two') } })
      await fixture.accept('c', { channel: { type: 'private', id: 'c' } })
      assert.deepEqual(await idsOf({ channel: { type: 'channel', id: 'c' } }), ['b', 'a'])
      assert.deepEqual(await idsOf({ channel: { type: 'channel', id: 'c' }, parent: guild('one') }), ['a'])
      assert.deepEqual(await idsOf({ channel: { type: 'private', id: 'c' } }), ['c'])
      assert.deepEqual(await idsOf({ endpoint: 'other' }), [])
    })

    it('may have unread messages only', async () => {
      const first = await fixture.accept('a')
      await fixture.accept('b')
      await fixture.store.consume(key, 'messages', [first])
      assert.deepEqual(await idsOf({ unreadOnly: true }), ['b'])
    })
  })
}

/** Declares the tests of counts of unread messages. */
export function unreadTests(fixture: Fixture): void {
  describe('unread messages', () => {
    it('are counted by endpoint, without those that were sent', async () => {
      await fixture.accept('a')
      await fixture.accept('b', { endpoint: 'other' })
      await fixture.intend('mine')
      assert.deepEqual(await fixture.store.unread(key), { messages: 1, requests: 0, notices: 0 })
    })

    it('are marked as read once', async () => {
      const first = await fixture.accept('a')
      await fixture.accept('b')
      assert.equal(await fixture.store.consume({ ...key, endpoint: 'other' }, 'messages', [first]), 0)
      assert.equal(await fixture.store.consume(key, 'messages', [first, 'nothing']), 1)
      assert.equal(await fixture.store.consume(key, 'messages', [first]), 0)
      assert.equal(await fixture.store.consume(key, 'messages', []), 0)
      assert.deepEqual(await fixture.store.unread(key), { messages: 1, requests: 0, notices: 0 })
    })
  })
}
