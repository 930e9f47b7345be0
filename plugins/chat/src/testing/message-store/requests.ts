import assert from 'node:assert/strict'
import { NOW, key, query, eventOf, type Fixture } from './fixture.js'

/** Declares the tests of requests. */
export function requestTests(fixture: Fixture): void {
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

/** Declares the tests of notices. */
export function noticeTests(fixture: Fixture): void {
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

/** Declares the tests of changes of a status. */
export function statusTests(fixture: Fixture): void {
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
