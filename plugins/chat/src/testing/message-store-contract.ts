import assert from 'node:assert/strict'
import type { MessageRow } from '@mynah/contract/types'
import type { Publication } from '@mynah/plugin-events/api'
import {
  RECOVERY_AGE_MS,
  type InboundRecord,
  type InboxQuery,
  type MessageStore,
  type OutboundRecord,
  type RecoveredSends,
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
  const fixture = new Fixture()
  beforeEach(() => fixture.open(open))
  idTests(fixture)
  inboundTests(fixture)
  repeatedInboundTests(fixture)
  outboundTests(fixture)
  waitingTests(fixture)
  conditionTests(fixture)
  transcriptTests(fixture)
  pageTests(fixture)
  unreadTests(fixture)
  requestTests(fixture)
  noticeTests(fixture)
  statusTests(fixture)
}

/** The store of one test, and what the tests do with it. */
class Fixture {
  #rig: MessageStoreRig | undefined

  async open(open: () => Promise<MessageStoreRig>): Promise<void> {
    this.#rig = await open()
    this.#rig.setTime(NOW)
  }

  get #opened(): MessageStoreRig {
    assert.ok(this.#rig)
    return this.#rig
  }

  get store(): MessageStore {
    return this.#opened.store
  }

  setTime(now: number): void {
    this.#opened.setTime(now)
  }

  async published(): Promise<readonly Publication[]> {
    return this.#opened.published()
  }

  inbound(messageId: string, rest: Partial<InboundRecord> = {}): InboundRecord {
    return {
      id: this.store.newId(),
      ...key,
      messageId,
      channel: group,
      sender: { id: 'ann', name: 'Ann' },
      segments: [{ type: 'text', data: { text: messageId } }],
      text: messageId,
      mentioned: false,
      timestamp: NOW,
      ...rest,
    }
  }

  outbound(text: string, rest: Partial<OutboundRecord> = {}): OutboundRecord {
    return {
      id: this.store.newId(),
      ...key,
      channel: group,
      segments: [{ type: 'text', data: { text } }],
      text,
      timestamp: NOW,
      ...rest,
    }
  }

  /** Accepts a message and returns its row. */
  async accept(messageId: string, rest?: Partial<InboundRecord>): Promise<string> {
    return (await this.store.accept(this.inbound(messageId, rest))).id
  }

  /** Adds an intent and returns its row. */
  async intend(text: string, rest?: Partial<OutboundRecord>): Promise<string> {
    const record = this.outbound(text, rest)
    await this.store.addIntent(record)
    return record.id
  }

  async rowOf(id: string): Promise<MessageRow | undefined> {
    return (await this.store.messages(query())).rows.find((row) => row.id === id)
  }

  async stateOf(id: string): Promise<MessageRow['state'] | undefined> {
    return (await this.rowOf(id))?.state
  }

  async received(limit = 50): Promise<string[]> {
    return (await this.store.listReceived(key, limit)).map(({ messageId }) => messageId)
  }

  /** Recovers the outbound messages, and publishes the event `ended` for each that ends. */
  recover(): Promise<RecoveredSends> | RecoveredSends {
    return this.store.recoverOutbound(key, ({ text }, { state }) => eventOf(`${text} ${state}`))
  }

  async intents(): Promise<string[]> {
    return (await this.recover()).intents.map(({ text }) => text)
  }
}

function idTests(fixture: Fixture): void {
  describe('ids', () => {
    it('sort in the order in which they were made', () => {
      const ids = Array.from({ length: 100 }, () => fixture.store.newId())
      assert.deepEqual([...ids].sort(), ids)
      assert.equal(new Set(ids).size, 100)
    })
  })
}

function inboundTests(fixture: Fixture): void {
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

function repeatedInboundTests(fixture: Fixture): void {
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

function outboundTests(fixture: Fixture): void {
  describe('outbound messages', () => {
    it('go from intent to sending to sent, and have the id of the platform then', async () => {
      const id = await fixture.intend('hello')
      assert.equal(await fixture.stateOf(id), 'intent')
      await fixture.store.startSending(id)
      assert.equal(await fixture.stateOf(id), 'sending')
      await fixture.store.finishSending(id, { state: 'sent', messageId: 'p1' })
      const row = await fixture.rowOf(id)
      assert.deepEqual([row?.state, row?.messageId, row?.error], ['sent', 'p1', undefined])
    })

    for (const state of ['failed', 'unknown'] as const)
      it(`that end as ${state} have the reason`, async () => {
        const id = await fixture.intend('hello')
        await fixture.store.startSending(id)
        await fixture.store.finishSending(id, { state, error: 'socket hang up' })
        const row = await fixture.rowOf(id)
        assert.deepEqual([row?.state, row?.messageId, row?.error], [state, '', 'socket hang up'])
      })

    it('publish their event at the end', async () => {
      const id = await fixture.intend('hello')
      await fixture.store.finishSending(id, { state: 'sent', messageId: 'p1' }, eventOf('sent'))
      assert.deepEqual(await fixture.published(), [eventOf('sent')])
    })

    it('are rows of the endpoint that are read and name what they answer', async () => {
      const answers = await fixture.accept('m1')
      const id = await fixture.intend('reply', { answers })
      assert.deepEqual(await fixture.rowOf(id), {
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
      const first = fixture.outbound('once', { key: 'turn/1' })
      assert.equal(await fixture.store.addIntent(first), undefined)
      const known = { id: first.id, state: 'intent', messageId: '', timestamp: NOW }
      assert.deepEqual(await fixture.store.addIntent(fixture.outbound('twice', { key: 'turn/1' })), known)
      await fixture.store.startSending(first.id)
      await fixture.store.finishSending(first.id, { state: 'failed', error: 'refused' })
      assert.deepEqual(await fixture.store.addIntent(fixture.outbound('thrice', { key: 'turn/1' })), {
        ...known,
        state: 'failed',
        error: 'refused',
      })
      assert.equal((await fixture.store.messages(query())).total, 1)
    })

    it('of different endpoints may have the same key', async () => {
      await fixture.intend('here', { key: 'turn/1' })
      assert.equal(
        await fixture.store.addIntent(fixture.outbound('there', { key: 'turn/1', endpoint: 'other' })),
        undefined,
      )
    })
  })
}

function waitingTests(fixture: Fixture): void {
  describe('outbound messages that are in progress or wait', () => {
    it('in progress are not recovered', async () => {
      const id = await fixture.intend('hello')
      assert.deepEqual(await fixture.intents(), [])
      await fixture.store.startSending(id)
      assert.deepEqual(await fixture.intents(), [])
      assert.equal(await fixture.stateOf(id), 'sending')
    })

    it('that were put back are intents again, and are recovered once, oldest first', async () => {
      const first = fixture.outbound('first')
      const second = fixture.outbound('second')
      for (const record of [first, second]) {
        await fixture.store.addIntent(record)
        await fixture.store.startSending(record.id)
        await fixture.store.requeue(record.id)
      }
      assert.equal(await fixture.stateOf(first.id), 'intent')
      assert.deepEqual(await fixture.recover(), { intents: [first, second], ended: [] })
      assert.deepEqual(await fixture.recover(), { intents: [], ended: [] })
      await fixture.store.finishSending(first.id, { state: 'sent', messageId: 'p1' })
      assert.equal(await fixture.stateOf(first.id), 'sent')
    })

    it('that waited too long fail instead of being recovered', async () => {
      const id = await fixture.intend('late')
      await fixture.store.requeue(id)
      fixture.setTime(NOW + RECOVERY_AGE_MS + 1)
      const { intents, ended } = await fixture.recover()
      assert.deepEqual([intents, ended.map(({ record, state }) => [record.id, state])], [[], [[id, 'failed']]])
      const row = await fixture.rowOf(id)
      assert.equal(row?.state, 'failed')
      assert.ok(row.error)
      assert.deepEqual(await fixture.published(), [eventOf('late failed')])
    })

    it('that the platform takes later are recovered at their time, and their age counts from it', async () => {
      const id = await fixture.intend('slow')
      await fixture.store.startSending(id)
      const notBefore = NOW + 2 * RECOVERY_AGE_MS
      await fixture.store.requeue(id, notBefore)
      fixture.setTime(notBefore - 1)
      assert.deepEqual(await fixture.recover(), { intents: [], ended: [], nextAt: notBefore })
      fixture.setTime(notBefore)
      const { intents } = await fixture.recover()
      assert.deepEqual(
        intents.map((record) => [record.id, record.notBefore]),
        [[id, notBefore]],
      )
    })

    it('that are drafts have what they show and where', async () => {
      const draft = fixture.outbound('', { key: 'draft/1', segments: [] })
      assert.equal(await fixture.store.addDraft(draft), undefined)
      await fixture.store.updateDraft(draft.id, 'p1', textSegments('so far'), 'so far')
      const row = await fixture.rowOf(draft.id)
      assert.deepEqual([row?.state, row?.messageId, row?.text], ['draft', 'p1', 'so far'])
      assert.deepEqual(row?.content, textSegments('so far'))
    })
  })
}

const textSegments = (text: string): OutboundRecord['segments'] => [{ type: 'text', data: { text } }]

function conditionTests(fixture: Fixture): void {
  describe('changes of the state of outbound messages', () => {
    it('of one message start to send it once', async () => {
      const id = await fixture.intend('hello')
      const starts = await Promise.all(Array.from({ length: 3 }, () => fixture.store.startSending(id)))
      assert.deepEqual(starts, [true, false, false])
      await fixture.store.finishSending(id, { state: 'sent', messageId: 'p1' })
      assert.equal(await fixture.store.startSending(id), false)
      assert.equal(await fixture.stateOf(id), 'sent')
    })

    it('never change a message that has ended', async () => {
      const id = await fixture.intend('hello')
      await fixture.store.startSending(id)
      await fixture.store.finishSending(id, { state: 'sent', messageId: 'p1' }, eventOf('sent'))
      await fixture.store.finishSending(id, { state: 'failed', error: 'late' }, eventOf('failed'))
      await fixture.store.requeue(id)
      await fixture.store.updateDraft(id, 'p2', [], '')
      const row = await fixture.rowOf(id)
      assert.deepEqual([row?.state, row?.messageId, row?.text], ['sent', 'p1', 'hello'])
      assert.deepEqual(await fixture.published(), [eventOf('sent')])
      assert.deepEqual(await fixture.intents(), [])
    })

    it('send a draft only once it is complete', async () => {
      const draft = fixture.outbound('', { key: 'draft/1', segments: [] })
      await fixture.store.addDraft(draft)
      assert.equal(await fixture.store.startSending(draft.id), false)
      const whole = { ...draft, messageId: 'p1', segments: textSegments('all'), text: 'all', timestamp: NOW + 1 }
      assert.deepEqual(
        [await fixture.store.completeDraft(whole), await fixture.store.completeDraft(whole)],
        [true, false],
      )
      const row = await fixture.rowOf(draft.id)
      assert.deepEqual([row?.state, row?.messageId, row?.text, row?.timestamp], ['intent', 'p1', 'all', NOW + 1])
      assert.equal(await fixture.store.startSending(draft.id), true)
    })

    it('leave a draft to the call that continues it under its key', async () => {
      const draft = fixture.outbound('', { key: 'draft/1', segments: [] })
      await fixture.store.addDraft(draft)
      const known = { id: draft.id, state: 'draft', messageId: '', timestamp: NOW }
      assert.deepEqual(await fixture.store.addDraft(fixture.outbound('', { key: 'draft/1' })), known)
      assert.deepEqual(await fixture.store.addIntent(fixture.outbound('all', { key: 'draft/1' })), known)
      assert.deepEqual(await fixture.recover(), { intents: [], ended: [] })
      assert.equal(await fixture.stateOf(draft.id), 'draft')
    })
  })
}

function transcriptTests(fixture: Fixture): void {
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

function pageTests(fixture: Fixture): void {
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

function unreadTests(fixture: Fixture): void {
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

function requestTests(fixture: Fixture): void {
  describe('requests', () => {
    const request = {
      requestId: 'r1',
      kind: 'friend' as const,
      sender: { id: 'u1', name: 'Ann' },
      comment: 'hi',
      timestamp: NOW,
    }

    it('are added once, as pending', async () => {
      const { row, fresh } = await fixture.store.addRequest(key, request)
      assert.equal(fresh, true)
      assert.deepEqual(row, { ...request, id: row.id, status: 'pending', canAct: true, read: false })
      assert.deepEqual(await fixture.store.addRequest(key, { ...request, comment: 'again' }), { row, fresh: false })
      assert.deepEqual(await fixture.store.unread(key), { messages: 0, requests: 1, notices: 0 })
    })

    it('publish an event of their row once', async () => {
      const event = ({ requestId, status }: { requestId: string; status: string }) => eventOf(`${requestId} ${status}`)
      await fixture.store.addRequest(key, request, event)
      await fixture.store.addRequest(key, request, event)
      assert.deepEqual(await fixture.published(), [eventOf('r1 pending')])
    })

    it('that are answered are not pending any more, and read', async () => {
      await fixture.store.addRequest(key, request)
      await fixture.store.addRequest(key, { ...request, requestId: 'r2' })
      await fixture.store.answerRequest(key, 'r1', 'approved')
      const row = await fixture.store.findRequest(key, 'r1')
      assert.deepEqual([row?.status, row?.canAct, row?.read], ['approved', false, true])
      const ids = async (pendingOnly: boolean) =>
        (await fixture.store.requests({ ...query(), pendingOnly })).rows.map(({ requestId }) => requestId)
      assert.deepEqual(await ids(false), ['r2', 'r1'])
      assert.deepEqual(await ids(true), ['r2'])
      assert.equal(await fixture.store.findRequest(key, 'r9'), undefined)
    })
  })
}

function noticeTests(fixture: Fixture): void {
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
      const { row, fresh } = await fixture.store.addNotice(key, notice)
      assert.deepEqual([fresh, row], [true, { ...notice, id: row.id, read: false }])
      assert.deepEqual(await fixture.store.addNotice(key, notice), { row, fresh: false })
      await fixture.store.addNotice(key, { noticeId: 'n2', kind: 'x', payload: null, timestamp: NOW })
      const { rows, total } = await fixture.store.notices(query())
      assert.deepEqual([rows.map(({ payload }) => payload), total], [[null, { deep: [null, 1] }], 2])
    })

    it('can be marked as read', async () => {
      const { row } = await fixture.store.addNotice(key, notice)
      assert.equal(await fixture.store.consume(key, 'notices', [row.id]), 1)
      assert.equal((await fixture.store.notices(query({ unreadOnly: true }))).total, 0)
    })
  })
}

function statusTests(fixture: Fixture): void {
  describe('changes of a status', () => {
    it('are kept for the last hundred, newest first', async () => {
      for (let at = 1; at <= 105; at++) await fixture.store.addChange(key, { at, status: 'online' })
      await fixture.store.addChange(key, { at: 106, status: 'offline', reason: 'gone' })
      const changes = await fixture.store.changes(key)
      assert.equal(changes.length, 100)
      assert.deepEqual(changes.slice(0, 2), [
        { at: 106, status: 'offline', reason: 'gone' },
        { at: 105, status: 'online' },
      ])
      assert.deepEqual(await fixture.store.changes({ ...key, endpoint: 'other' }), [])
    })
  })
}
