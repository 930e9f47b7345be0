import assert from 'node:assert/strict'
import { RECOVERY_AGE_MS, resendKey, type OutboundRecord } from '../../api/store.js'
import { NOW, group, key, query, eventOf, type Fixture } from './fixture.js'

/** Declares the tests of outbound messages. */
export function outboundTests(fixture: Fixture): void {
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

/** Declares the tests of outbound messages that are in progress or wait. */
export function waitingTests(fixture: Fixture): void {
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

/** Declares the tests of conditions on changes of a state. */
export function conditionTests(fixture: Fixture): void {
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

    it('end a message that waits, unless the platform may have got something of it', async () => {
      const waiting = await fixture.intend('hello')
      assert.equal(await fixture.store.withdraw(waiting, 'taken back', eventOf('failed')), true)
      assert.equal(await fixture.store.withdraw(waiting, 'taken back', eventOf('failed')), false)
      assert.equal(await fixture.store.startSending(waiting), false)
      const row = await fixture.rowOf(waiting)
      assert.deepEqual([row?.state, row?.error], ['failed', 'taken back'])
      assert.deepEqual(await fixture.published(), [eventOf('failed')])
      const limited = await fixture.intend('limited')
      await fixture.store.startSending(limited, NOW)
      assert.equal(await fixture.store.withdraw(limited, 'taken back'), false)
      await fixture.store.requeue(limited, NOW + 5)
      assert.equal(await fixture.store.withdraw(limited, 'taken back'), true)
      for (const progress of [{ unclearSince: NOW }, { sentParts: ['p1'] }]) {
        const begun = await fixture.intend('begun')
        await fixture.store.startSending(begun, NOW)
        await fixture.store.requeue(begun, undefined, progress)
        assert.equal(await fixture.store.withdraw(begun, 'taken back'), false)
        assert.equal(await fixture.stateOf(begun), 'intent')
      }
      const draft = fixture.outbound('', { key: 'draft/1', segments: [] })
      await fixture.store.addDraft(draft)
      await fixture.store.updateDraft(draft.id, 'p2', textSegments('so far'), 'so far')
      assert.equal(await fixture.store.withdraw(draft.id, 'taken back'), false)
      await fixture.store.completeDraft({ ...draft, messageId: 'p2', text: 'all' })
      assert.equal(await fixture.store.withdraw(draft.id, 'taken back'), false)
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
      const known = { id: draft.id, state: 'draft', messageId: '', text: '', timestamp: NOW }
      assert.deepEqual(await fixture.store.addDraft(fixture.outbound('', { key: 'draft/1' })), known)
      assert.deepEqual(await fixture.store.addIntent(fixture.outbound('all', { key: 'draft/1' })), known)
      assert.deepEqual(await fixture.recover(), { intents: [], ended: [] })
      assert.equal(await fixture.stateOf(draft.id), 'draft')
    })
  })
}

/** Declares the tests of messages that were not sent. */
export function unsentTests(fixture: Fixture): void {
  describe('messages that were not sent', () => {
    /** Adds a message that has ended in a state. */
    const ended = async (text: string, state: 'failed' | 'unknown' | 'sent', rest: Partial<OutboundRecord> = {}) => {
      const id = await fixture.intend(text, rest)
      await fixture.store.startSending(id)
      await fixture.store.finishSending(
        id,
        state === 'sent' ? { state, messageId: `p-${text}` } : { state, error: `no ${text}` },
      )
      return id
    }

    it('are those that failed or may have arrived, newest first', async () => {
      await fixture.accept('from a user')
      await ended('one', 'failed')
      await ended('two', 'sent')
      await ended('three', 'unknown')
      await fixture.intend('four')
      await ended('elsewhere', 'failed', { endpoint: 'other' })
      const { rows, total, nextBefore } = await fixture.store.unsent(query())
      assert.deepEqual(
        rows.map(({ text, state, error }) => [text, state, error]),
        [
          ['three', 'unknown', 'no three'],
          ['one', 'failed', 'no one'],
        ],
      )
      assert.deepEqual([total, nextBefore], [2, undefined])
    })

    it('are left out once another one with their key exists', async () => {
      const first = await ended('one', 'failed')
      await ended('two', 'failed')
      // Neither the key of another endpoint, nor another key.
      await fixture.intend('elsewhere', { endpoint: 'other', key: resendKey(first) })
      await fixture.intend('other key', { key: first })
      assert.equal((await fixture.store.unsent(query())).total, 2)
      const again = await ended('one', 'failed', { key: resendKey(first) })
      const { rows, total } = await fixture.store.unsent(query())
      assert.deepEqual([rows[0]?.id, rows.map(({ text }) => text), total], [again, ['one', 'two'], 2])
    })

    it('come in pages', async () => {
      for (const text of ['a', 'b', 'c']) await ended(text, 'failed')
      const first = await fixture.store.unsent(query({ limit: 2 }))
      assert.deepEqual([first.rows.map(({ text }) => text), first.total], [['c', 'b'], 3])
      const second = await fixture.store.unsent(query({ limit: 2, before: first.nextBefore as string }))
      assert.deepEqual([second.rows.map(({ text }) => text), second.total, second.nextBefore], [['a'], 3, undefined])
    })

    it('are found by their row, as a record to send', async () => {
      const id = await ended('one', 'unknown', { replyTo: 'm1', answers: 'row' })
      const found = await fixture.store.findOutbound(id)
      assert.deepEqual(found, {
        record: {
          id,
          ...key,
          channel: group,
          segments: [{ type: 'text', data: { text: 'one' } }],
          text: 'one',
          timestamp: NOW,
          replyTo: 'm1',
          answers: 'row',
        },
        state: 'unknown',
      })
      assert.equal(await fixture.store.findOutbound(await fixture.accept('from a user')), undefined)
      assert.equal(await fixture.store.findOutbound('nothing'), undefined)
    })
  })
}

/** Declares the tests of messages whose outcome is unknown, and of those that are sent in parts. */
export function unclearTests(fixture: Fixture): void {
  const FOR_MS = 120_000
  const recover = (forMs?: number) =>
    fixture.store.recoverOutbound(key, ({ text }, { state }) => eventOf(`${text} ${state}`), forMs)
  /** Puts a message back of which an attempt had no answer. */
  async function leave(text: string, since = NOW): Promise<OutboundRecord> {
    const record = fixture.outbound(text)
    await fixture.store.addIntent(record)
    await fixture.store.startSending(record.id, since)
    await fixture.store.requeue(record.id, undefined, { unclearSince: since })
    return record
  }

  describe('outbound messages whose outcome is unknown', () => {
    it('are recovered with the time of the first attempt, as long as it can be settled', async () => {
      const record = await leave('hello')
      assert.deepEqual(await recover(FOR_MS), { intents: [{ ...record, unclearSince: NOW }], ended: [] })
      await fixture.store.startSending(record.id, NOW)
      await fixture.store.finishSending(record.id, { state: 'sent', messageId: 'p1' })
      assert.equal(await fixture.stateOf(record.id), 'sent')
    })

    it('end as unknown where it cannot be settled any more', async () => {
      const { id } = await leave('hello')
      fixture.setTime(NOW + FOR_MS)
      const { intents, ended } = await recover(FOR_MS)
      assert.deepEqual([intents, ended.map(({ state }) => state)], [[], ['unknown']])
      assert.deepEqual([await fixture.stateOf(id), await fixture.published()], ['unknown', [eventOf('hello unknown')]])
    })

    it('are older than other intents may be, where the platform can say it later', async () => {
      await leave('hello')
      fixture.setTime(NOW + RECOVERY_AGE_MS)
      assert.equal((await recover(10 * RECOVERY_AGE_MS)).intents.length, 1)
    })

    it('have a clear outcome again once the platform has surely not taken them', async () => {
      const record = await leave('hello')
      await fixture.store.startSending(record.id, NOW)
      await fixture.store.requeue(record.id)
      assert.deepEqual((await recover(FOR_MS)).intents, [record])
    })

    it('keep the parts that the platform has taken', async () => {
      const record = fixture.outbound('hello')
      await fixture.store.addIntent(record)
      await fixture.store.startSending(record.id, NOW)
      await fixture.store.requeue(record.id, NOW + 1_000, { sentParts: ['p1'] })
      fixture.setTime(NOW + 1_000)
      assert.deepEqual((await recover()).intents, [{ ...record, notBefore: NOW + 1_000, sentParts: ['p1'] }])
    })

    it('end as unknown where they waited too long and a part of them was taken', async () => {
      const id = await fixture.intend('hello')
      await fixture.store.startSending(id, NOW)
      await fixture.store.requeue(id, undefined, { sentParts: ['p1'] })
      fixture.setTime(NOW + RECOVERY_AGE_MS)
      await recover()
      assert.equal(await fixture.stateOf(id), 'unknown')
    })

    it('are known by their key with what is known of them', async () => {
      const record = fixture.outbound('hello', { key: 'turn/1' })
      await fixture.store.addIntent(record)
      await fixture.store.startSending(record.id, NOW)
      await fixture.store.requeue(record.id, undefined, { unclearSince: NOW, sentParts: ['p1'] })
      assert.deepEqual(await fixture.store.addIntent(fixture.outbound('again', { key: 'turn/1' })), {
        id: record.id,
        state: 'intent',
        messageId: '',
        timestamp: NOW,
        unclearSince: NOW,
        sentParts: ['p1'],
      })
    })

    it('have what they were to be sent with', async () => {
      const via = { token: 'secret', until: NOW + 1_000 }
      const record = fixture.outbound('hello', { via, only: 'ann' })
      await fixture.store.addIntent(record)
      await fixture.store.startSending(record.id, NOW)
      await fixture.store.requeue(record.id)
      assert.deepEqual((await recover()).intents, [record])
      assert.equal(JSON.stringify(await fixture.rowOf(record.id)).includes('secret'), false)
    })
  })
}
