import { expect } from 'chai'
import { onEverySystem } from '@mynah/plugin-database/testing'
import { inbound, inbox, key, NOW, outbound, query } from './support.js'

onEverySystem('DatabaseMessageStore pages', (open) => {
  it('pages through messages, newest first', async () => {
    const store = await inbox(await open())
    for (let index = 0; index < 5; index++) await store.accept(inbound(`m${index}`))
    const first = await store.messages(query({ limit: 2 }))
    expect([first.rows.map(({ messageId }) => messageId), first.total]).to.deep.equal([['m4', 'm3'], 5])
    const second = await store.messages(query({ limit: 2, before: first.nextBefore as string }))
    expect(second.rows.map(({ messageId }) => messageId)).to.deep.equal(['m2', 'm1'])
    const third = await store.messages(query({ limit: 2, before: second.nextBefore as string }))
    expect([third.rows.map(({ messageId }) => messageId), third.nextBefore]).to.deep.equal([['m0'], undefined])
  })

  it('filters by channel and by exact parent', async () => {
    const store = await inbox(await open())
    const guild = (id: string) => ({ type: 'guild' as const, id })
    await store.accept(inbound('a', { channel: { type: 'channel', id: 'c', parent: guild('one') } }))
    await store.accept(inbound('b', { channel: { type: 'channel', id: 'c', parent: guild('two') } }))
    await store.accept(inbound('c', { channel: { type: 'private', id: 'c' } }))
    const ids = async (rest: Parameters<typeof query>[0]) =>
      (await store.messages(query(rest))).rows.map(({ messageId }) => messageId)
    expect(await ids({ channel: { type: 'channel', id: 'c' } })).to.deep.equal(['b', 'a'])
    expect(await ids({ channel: { type: 'channel', id: 'c' }, parent: guild('one') })).to.deep.equal(['a'])
    expect(await ids({ channel: { type: 'private', id: 'c' } })).to.deep.equal(['c'])
    expect(await ids({ endpoint: 'other' })).to.deep.equal([])
  })

  it('counts unread messages and marks them as read once', async () => {
    const store = await inbox(await open())
    const first = await store.accept(inbound('a'))
    await store.accept(inbound('b'))
    await store.addIntent(outbound('mine'))
    expect(await store.unread(key)).to.deep.equal({ messages: 2, requests: 0, notices: 0 })
    expect(await store.consume({ ...key, endpoint: 'other' }, 'messages', [first.id])).to.equal(0)
    expect(await store.consume(key, 'messages', [first.id, 'nothing'])).to.equal(1)
    expect(await store.consume(key, 'messages', [first.id])).to.equal(0)
    expect((await store.messages(query({ unreadOnly: true }))).rows.map(({ messageId }) => messageId)).to.deep.equal([
      'b',
    ])
    expect(await store.unread(key)).to.deep.equal({ messages: 1, requests: 0, notices: 0 })
  })

  it('stores a request once, with its answer', async () => {
    const store = await inbox(await open())
    const request = {
      requestId: 'r1',
      kind: 'friend' as const,
      sender: { id: 'u1', name: 'Ann' },
      comment: 'hi',
      timestamp: NOW,
    }
    const { row, fresh } = await store.addRequest(key, request)
    expect([fresh, row]).to.deep.equal([true, { ...request, id: row.id, status: 'pending', canAct: true, read: false }])
    expect(await store.addRequest(key, { ...request, comment: 'again' })).to.deep.equal({ row, fresh: false })
    await store.addRequest(key, {
      ...request,
      requestId: 'r2',
      kind: 'group-invite',
      channel: { type: 'group', id: 'g' },
    })
    expect((await store.requests(query({}))).rows.map(({ requestId }) => requestId)).to.deep.equal(['r2', 'r1'])
    await store.answerRequest(key, 'r1', 'approved')
    expect(await store.findRequest(key, 'r1')).to.include({ status: 'approved', canAct: false, read: true })
    expect(
      (await store.requests({ ...query(), pendingOnly: true })).rows.map(({ requestId }) => requestId),
    ).to.deep.equal(['r2'])
    expect(await store.unread(key)).to.deep.equal({ messages: 0, requests: 1, notices: 0 })
    expect(await store.findRequest(key, 'r9')).to.equal(undefined)
  })

  it('stores a notice once, with any payload', async () => {
    const store = await inbox(await open())
    const notice = {
      noticeId: 'n1',
      kind: 'member-joined',
      operator: { id: 'o' },
      target: { id: 't', name: 'T' },
      payload: { deep: [null, 1] },
      timestamp: NOW,
    }
    const { row, fresh } = await store.addNotice(key, notice)
    expect([fresh, row]).to.deep.equal([true, { ...notice, id: row.id, read: false }])
    expect(await store.addNotice(key, notice)).to.deep.equal({ row, fresh: false })
    await store.addNotice(key, { noticeId: 'n2', kind: 'x', payload: null, timestamp: NOW })
    expect((await store.notices(query())).rows.map(({ payload }) => payload)).to.deep.equal([null, { deep: [null, 1] }])
    expect(await store.consume(key, 'notices', [row.id])).to.equal(1)
    expect((await store.notices(query({ unreadOnly: true }))).total).to.equal(1)
  })
})
