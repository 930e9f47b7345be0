import assert from 'node:assert/strict'
import type { Publication } from '@mynah/plugin-events/api'
import {
  RECOVERY_AGE_MS,
  type InboundRecord,
  type InboxQuery,
  type MessageStore,
  type OutboundRecord,
} from '../api/store.js'

/** A fresh store under test. */
export interface MessageStoreRig {
  readonly store: MessageStore
  /** Sets the clock of the store, in milliseconds since the epoch. */
  setTime(now: number): void
  /** Events that the store has published, oldest first. */
  published(): readonly Publication[] | Promise<readonly Publication[]>
}

const NOW = 1_790_000_000_000
const key = { adapter: 'test', endpoint: 'bot' }
const group = { type: 'group', id: 'g1' } as const
const query = (rest: Partial<InboxQuery> = {}): InboxQuery => ({ ...key, limit: 50, ...rest })
const eventOf = (name: string): Publication => ({ type: 'test', data: { name } })

/**
 * Declares the tests that every {@link MessageStore} passes. To be called within a `describe`.
 *
 * @param open makes an empty store for one test
 */
export function messageStoreContract(open: () => Promise<MessageStoreRig>): void {
  let rig: MessageStoreRig
  let store: MessageStore
  beforeEach(async () => {
    rig = await open()
    store = rig.store
    rig.setTime(NOW)
  })

  const inbound = (messageId: string, rest: Partial<InboundRecord> = {}): InboundRecord => ({
    id: store.newId(),
    ...key,
    messageId,
    channel: group,
    sender: { id: 'ann', name: 'Ann' },
    segments: [{ type: 'text', data: { text: messageId } }],
    text: messageId,
    mentioned: false,
    timestamp: NOW,
    ...rest,
  })
  const outbound = (text: string, rest: Partial<OutboundRecord> = {}): OutboundRecord => ({
    id: store.newId(),
    ...key,
    channel: group,
    segments: [{ type: 'text', data: { text } }],
    text,
    timestamp: NOW,
    ...rest,
  })
  const accept = async (messageId: string, rest?: Partial<InboundRecord>): Promise<string> =>
    (await store.accept(inbound(messageId, rest))).id
  const intend = async (text: string, rest?: Partial<OutboundRecord>): Promise<string> => {
    const record = outbound(text, rest)
    await store.addIntent(record)
    return record.id
  }
  const rowOf = async (id: string) => (await store.messages(query())).rows.find((row) => row.id === id)
  const stateOf = async (id: string) => (await rowOf(id))?.state
  const received = async (limit = 50) => (await store.listReceived(key, limit)).map(({ messageId }) => messageId)
  const intents = async () => (await store.recoverOutbound(key)).map(({ text }) => text)

  describe('ids', () => {
    it('sort in the order in which they were made', () => {
      const ids = Array.from({ length: 100 }, () => store.newId())
      assert.deepEqual([...ids].sort(), ids)
      assert.equal(new Set(ids).size, 100)
    })
  })

  describe('inbound messages', () => {
    it('are accepted once, and later deliveries get the id of the first', async () => {
      const first = inbound('m1')
      assert.deepEqual(await store.accept(first), { id: first.id, fresh: true })
      assert.deepEqual(await store.accept(inbound('m1')), { id: first.id, fresh: false })
      assert.equal((await store.messages(query())).total, 1)
    })

    it('of different endpoints may have the same platform id', async () => {
      await store.accept(inbound('m1'))
      assert.equal((await store.accept(inbound('m1', { endpoint: 'other' }))).fresh, true)
      assert.equal((await store.accept(inbound('m1', { adapter: 'other' }))).fresh, true)
    })

    it('publish their event once', async () => {
      await store.accept(inbound('m1'), eventOf('first'))
      await store.accept(inbound('m1'), eventOf('second'))
      assert.deepEqual(await rig.published(), [eventOf('first')])
    })

    it('are listed as received in the order of their arrival, until their handling starts', async () => {
      const first = await accept('m1')
      await accept('m2')
      await accept('m3')
      await accept('elsewhere', { endpoint: 'other' })
      assert.deepEqual(await received(), ['m1', 'm2', 'm3'])
      assert.deepEqual(await received(2), ['m1', 'm2'])
      await store.startHandling(first)
      assert.deepEqual(await received(), ['m2', 'm3'])
    })

    it('go from received to handling to handled', async () => {
      const id = await accept('m1')
      assert.equal(await stateOf(id), 'received')
      await store.startHandling(id)
      assert.equal(await stateOf(id), 'handling')
      await store.finishHandling(id)
      assert.equal(await stateOf(id), 'handled')
    })

    it('become handled with the intent of their reply', async () => {
      const id = await accept('m1')
      await store.startHandling(id)
      await store.addIntent(outbound('reply', { answers: id }), id)
      assert.equal(await stateOf(id), 'handled')
    })

    it('that this process handles are not interrupted by a recovery', async () => {
      const id = await accept('m1')
      await store.startHandling(id)
      await store.recoverInbound(key)
      assert.equal(await stateOf(id), 'handling')
    })

    it('are found by their row', async () => {
      const record = inbound('m1')
      await store.accept(record)
      assert.deepEqual(await store.findInbound(record.id), record)
      await store.startHandling(record.id)
      await store.finishHandling(record.id)
      assert.deepEqual(await store.findInbound(record.id), record)
      assert.equal(await store.findInbound(await intend('mine')), undefined)
      assert.equal(await store.findInbound('nothing'), undefined)
    })
  })

  describe('outbound messages', () => {
    it('go from intent to sending to sent, and have the id of the platform then', async () => {
      const id = await intend('hello')
      assert.equal(await stateOf(id), 'intent')
      await store.startSending(id)
      assert.equal(await stateOf(id), 'sending')
      await store.finishSending(id, { state: 'sent', messageId: 'p1' })
      const row = await rowOf(id)
      assert.deepEqual([row?.state, row?.messageId, row?.error], ['sent', 'p1', undefined])
    })

    for (const state of ['failed', 'unknown'] as const)
      it(`that end as ${state} have the reason`, async () => {
        const id = await intend('hello')
        await store.startSending(id)
        await store.finishSending(id, { state, error: 'socket hang up' })
        const row = await rowOf(id)
        assert.deepEqual([row?.state, row?.messageId, row?.error], [state, '', 'socket hang up'])
      })

    it('publish their event at the end', async () => {
      const id = await intend('hello')
      await store.finishSending(id, { state: 'sent', messageId: 'p1' }, eventOf('sent'))
      assert.deepEqual(await rig.published(), [eventOf('sent')])
    })

    it('are rows of the endpoint that are read and name what they answer', async () => {
      const answers = await accept('m1')
      const id = await intend('reply', { answers })
      assert.deepEqual(await rowOf(id), {
        id,
        messageId: '',
        sender: { id: 'bot', name: 'bot' },
        channel: group,
        content: [{ type: 'text', data: { text: 'reply' } }],
        text: 'reply',
        direction: 'out',
        state: 'intent',
        answers,
        read: true,
        timestamp: NOW,
      })
    })

    it('with the same key are one message, whose state the second call gets', async () => {
      const first = outbound('once', { key: 'turn/1' })
      assert.equal(await store.addIntent(first), undefined)
      const known = { id: first.id, state: 'intent', messageId: '', timestamp: NOW }
      assert.deepEqual(await store.addIntent(outbound('twice', { key: 'turn/1' })), known)
      await store.startSending(first.id)
      await store.finishSending(first.id, { state: 'failed', error: 'refused' })
      assert.deepEqual(await store.addIntent(outbound('thrice', { key: 'turn/1' })), {
        ...known,
        state: 'failed',
        error: 'refused',
      })
      assert.equal((await store.messages(query())).total, 1)
    })

    it('of different endpoints may have the same key', async () => {
      await intend('here', { key: 'turn/1' })
      assert.equal(await store.addIntent(outbound('there', { key: 'turn/1', endpoint: 'other' })), undefined)
    })

    it('in progress are not recovered', async () => {
      const id = await intend('hello')
      assert.deepEqual(await intents(), [])
      await store.startSending(id)
      assert.deepEqual(await intents(), [])
      assert.equal(await stateOf(id), 'sending')
    })

    it('that were put back are intents again, and are recovered once, oldest first', async () => {
      const first = outbound('first')
      const second = outbound('second')
      for (const record of [first, second]) {
        await store.addIntent(record)
        await store.startSending(record.id)
        await store.requeue(record.id)
      }
      assert.equal(await stateOf(first.id), 'intent')
      assert.deepEqual(await store.recoverOutbound(key), [first, second])
      assert.deepEqual(await store.recoverOutbound(key), [])
      await store.finishSending(first.id, { state: 'sent', messageId: 'p1' })
      assert.equal(await stateOf(first.id), 'sent')
    })

    it('that waited too long fail instead of being recovered', async () => {
      const id = await intend('late')
      await store.requeue(id)
      rig.setTime(NOW + RECOVERY_AGE_MS + 1)
      assert.deepEqual(await intents(), [])
      const row = await rowOf(id)
      assert.equal(row?.state, 'failed')
      assert.ok(row.error)
    })

    it('that are drafts have what they show and where', async () => {
      const id = await intend('', { key: 'draft/1' })
      await store.startSending(id)
      await store.updateDraft(id, 'p1', [{ type: 'text', data: { text: 'so far' } }], 'so far')
      const row = await rowOf(id)
      assert.deepEqual([row?.state, row?.messageId, row?.text], ['sending', 'p1', 'so far'])
      assert.deepEqual(row?.content, [{ type: 'text', data: { text: 'so far' } }])
    })

    it('that are reopened are being sent again', async () => {
      const id = await intend('again', { key: 'draft/1' })
      await store.reopen(id)
      assert.equal(await stateOf(id), 'sending')
      assert.deepEqual(await intents(), [])
    })
  })

  describe('transcript', () => {
    const texts = async (rest: Partial<Parameters<MessageStore['transcript']>[0]> = {}) =>
      (await store.transcript({ ...key, channel: group, limit: 10, ...rest })).map(({ text }) => text)

    it('has both sides of one conversation, oldest first', async () => {
      await accept('one')
      await intend('two')
      await accept('elsewhere', { channel: { type: 'private', id: 'g1' } })
      await accept('three')
      assert.deepEqual(await texts(), ['one', 'two', 'three'])
    })

    it('has the newest messages where there are more than its limit', async () => {
      for (const text of ['one', 'two', 'three']) await accept(text)
      assert.deepEqual(await texts({ limit: 2 }), ['two', 'three'])
    })

    it('has the messages between two rows', async () => {
      const ids = []
      for (const text of ['one', 'two', 'three', 'four']) ids.push(await accept(text))
      assert.deepEqual(await texts({ after: ids[0] as string, before: ids[3] as string }), ['two', 'three'])
    })

    it('has the messages since a time', async () => {
      await accept('old', { timestamp: NOW - 1 })
      await accept('new')
      assert.deepEqual(await texts({ since: NOW }), ['new'])
    })

    it('has the messages that contain a text in any case', async () => {
      await accept('Hello World')
      await accept('something else')
      assert.deepEqual(await texts({ text: 'hello' }), ['Hello World'])
      assert.deepEqual(await texts({ text: 'WORLD' }), ['Hello World'])
      assert.deepEqual(await texts({ text: '%' }), [])
    })

    it('of a channel below a guild has the messages of that guild only', async () => {
      const channel = (id: string) => ({ type: 'channel' as const, id: 'c', parent: { type: 'guild' as const, id } })
      await accept('one', { channel: channel('a') })
      await accept('two', { channel: channel('b') })
      assert.deepEqual(await texts({ channel: channel('a') }), ['one'])
    })
  })

  describe('pages of messages', () => {
    const idsOf = async (rest: Partial<InboxQuery>) =>
      (await store.messages(query(rest))).rows.map(({ messageId }) => messageId)

    it('follow each other, newest first, and count all messages', async () => {
      for (let index = 0; index < 5; index++) await accept(`m${index}`)
      const first = await store.messages(query({ limit: 2 }))
      assert.deepEqual([first.rows.map(({ messageId }) => messageId), first.total], [['m4', 'm3'], 5])
      const second = await store.messages(query({ limit: 2, before: first.nextBefore as string }))
      assert.deepEqual([second.rows.map(({ messageId }) => messageId), second.total], [['m2', 'm1'], 5])
      const third = await store.messages(query({ limit: 2, before: second.nextBefore as string }))
      assert.deepEqual([third.rows.map(({ messageId }) => messageId), third.nextBefore], [['m0'], undefined])
    })

    it('may be of one channel, and of one parent', async () => {
      const guild = (id: string) => ({ type: 'guild' as const, id })
      await accept('a', { channel: { type: 'channel', id: 'c', parent: guild('one') } })
      await accept('b', { channel: { type: 'channel', id: 'c', parent: guild('two') } })
      await accept('c', { channel: { type: 'private', id: 'c' } })
      assert.deepEqual(await idsOf({ channel: { type: 'channel', id: 'c' } }), ['b', 'a'])
      assert.deepEqual(await idsOf({ channel: { type: 'channel', id: 'c' }, parent: guild('one') }), ['a'])
      assert.deepEqual(await idsOf({ channel: { type: 'private', id: 'c' } }), ['c'])
      assert.deepEqual(await idsOf({ endpoint: 'other' }), [])
    })

    it('may have unread messages only', async () => {
      const first = await accept('a')
      await accept('b')
      await store.consume(key, 'messages', [first])
      assert.deepEqual(await idsOf({ unreadOnly: true }), ['b'])
    })
  })

  describe('unread messages', () => {
    it('are counted by endpoint, without those that were sent', async () => {
      await accept('a')
      await accept('b', { endpoint: 'other' })
      await intend('mine')
      assert.deepEqual(await store.unread(key), { messages: 1, requests: 0, notices: 0 })
    })

    it('are marked as read once', async () => {
      const first = await accept('a')
      await accept('b')
      assert.equal(await store.consume({ ...key, endpoint: 'other' }, 'messages', [first]), 0)
      assert.equal(await store.consume(key, 'messages', [first, 'nothing']), 1)
      assert.equal(await store.consume(key, 'messages', [first]), 0)
      assert.equal(await store.consume(key, 'messages', []), 0)
      assert.deepEqual(await store.unread(key), { messages: 1, requests: 0, notices: 0 })
    })
  })

  describe('requests', () => {
    const request = {
      requestId: 'r1',
      kind: 'friend' as const,
      sender: { id: 'u1', name: 'Ann' },
      comment: 'hi',
      timestamp: NOW,
    }

    it('are added once, as pending', async () => {
      const { row, fresh } = await store.addRequest(key, request)
      assert.equal(fresh, true)
      assert.deepEqual(row, { ...request, id: row.id, status: 'pending', canAct: true, read: false })
      assert.deepEqual(await store.addRequest(key, { ...request, comment: 'again' }), { row, fresh: false })
      assert.deepEqual(await store.unread(key), { messages: 0, requests: 1, notices: 0 })
    })

    it('publish an event of their row once', async () => {
      const event = ({ requestId, status }: { requestId: string; status: string }) => eventOf(`${requestId} ${status}`)
      await store.addRequest(key, request, event)
      await store.addRequest(key, request, event)
      assert.deepEqual(await rig.published(), [eventOf('r1 pending')])
    })

    it('that are answered are not pending any more, and read', async () => {
      await store.addRequest(key, request)
      await store.addRequest(key, { ...request, requestId: 'r2' })
      await store.answerRequest(key, 'r1', 'approved')
      const row = await store.findRequest(key, 'r1')
      assert.deepEqual([row?.status, row?.canAct, row?.read], ['approved', false, true])
      const ids = async (pendingOnly: boolean) =>
        (await store.requests({ ...query(), pendingOnly })).rows.map(({ requestId }) => requestId)
      assert.deepEqual(await ids(false), ['r2', 'r1'])
      assert.deepEqual(await ids(true), ['r2'])
      assert.equal(await store.findRequest(key, 'r9'), undefined)
    })
  })

  describe('notices', () => {
    const notice = {
      noticeId: 'n1',
      kind: 'member-joined',
      operator: { id: 'o' },
      target: { id: 't', name: 'T' },
      payload: { deep: [null, 1] },
      timestamp: NOW,
    }

    it('are added once, with any payload', async () => {
      const { row, fresh } = await store.addNotice(key, notice)
      assert.deepEqual([fresh, row], [true, { ...notice, id: row.id, read: false }])
      assert.deepEqual(await store.addNotice(key, notice), { row, fresh: false })
      await store.addNotice(key, { noticeId: 'n2', kind: 'x', payload: null, timestamp: NOW })
      const { rows, total } = await store.notices(query())
      assert.deepEqual([rows.map(({ payload }) => payload), total], [[null, { deep: [null, 1] }], 2])
    })

    it('can be marked as read', async () => {
      const { row } = await store.addNotice(key, notice)
      assert.equal(await store.consume(key, 'notices', [row.id]), 1)
      assert.equal((await store.notices(query({ unreadOnly: true }))).total, 0)
    })
  })

  describe('changes of a status', () => {
    it('are kept for the last hundred, newest first', async () => {
      for (let at = 1; at <= 105; at++) await store.addChange(key, { at, status: 'online' })
      await store.addChange(key, { at: 106, status: 'offline', reason: 'gone' })
      const changes = await store.changes(key)
      assert.equal(changes.length, 100)
      assert.deepEqual(changes.slice(0, 2), [
        { at: 106, status: 'offline', reason: 'gone' },
        { at: 105, status: 'online' },
      ])
      assert.deepEqual(await store.changes({ ...key, endpoint: 'other' }), [])
    })
  })
}
