import { expect } from 'chai'
import type { InboundRecoveryPolicy } from '@mynah/plugin-chat/api'
import { failureOf, onEverySystem } from '@mynah/plugin-database/testing'
import { Messages } from '../tables.js'
import { inbound, inbox, key, NOW, outbound, query, started } from './support.js'

const MINUTE = 60_000
/** Repeats nothing, and notifies no sender. */
const interrupts: InboundRecoveryPolicy = { mayRepeat: () => false, notesOf: () => ({}) }

onEverySystem('DatabaseMessageStore inbound', (open) => {
  it('accepts a message once, from any number of deliveries', async () => {
    const store = await inbox(await open())
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => store.accept(inbound(`m${index % 10}`))))
    expect(answers.filter(({ fresh }) => fresh)).to.have.length(10)
    for (const index of Array.from({ length: 10 }, (_, at) => at))
      expect(new Set([0, 10, 20].map((offset) => answers[index + offset]?.id)).size).to.equal(1)
    expect((await store.messages(query())).total).to.equal(10)
  })

  it('accepts the same id on another endpoint', async () => {
    const store = await inbox(await open())
    await store.accept(inbound('m1'))
    expect((await store.accept(inbound('m1', { endpoint: 'other' }))).fresh).to.equal(true)
  })

  it('makes growing ids, and resolves after the commit', async () => {
    const store = await inbox(await open())
    const ids = await Promise.all(['a', 'b', 'c'].map(async (id) => (await store.accept(inbound(id))).id))
    expect([...ids].sort()).to.deep.equal(ids)
  })

  it('returns a message that a stop left before its handling', async () => {
    const opened = await open()
    const before = await inbox(opened)
    const first = inbound('m1', {
      channel: { type: 'channel', id: 'c', parent: { type: 'guild', id: 'G', name: 'Guild' } },
    })
    await before.accept(first)
    await before.accept(inbound('m2'))
    const after = started(opened)
    await after.recoverInbound(key, interrupts)
    const left = await after.listReceived(key, 10)
    expect(left.map(({ messageId }) => messageId)).to.deep.equal(['m1', 'm2'])
    expect(left[0]).to.deep.equal(first)
    expect(await after.listReceived(key, 1)).to.deep.equal([first])
    expect(await after.listReceived({ ...key, endpoint: 'other' }, 10)).to.deep.equal([])
  })

  it('interrupts a message whose handling had started, and never handles it again', async () => {
    const opened = await open()
    const before = await inbox(opened)
    const begun = await before.accept(inbound('begun'))
    await before.startHandling(begun.id)
    const done = await before.accept(inbound('done'))
    await before.startHandling(done.id)
    await before.finishHandling(done.id)
    const after = started(opened)
    await after.recoverInbound(key, interrupts)
    expect(await after.listReceived(key, 10)).to.deep.equal([])
    expect(await opened.store.read((db) => db.findOne(Messages, { id: begun.id }))).to.include({ state: 'interrupted' })
    expect(await opened.store.read((db) => db.findOne(Messages, { id: done.id }))).to.include({
      state: 'handled',
      error: null,
    })
    expect((await after.messages(query())).total).to.equal(2)
    expect((await after.accept(inbound('begun'))).fresh).to.equal(false)
  })

  it('handles a message again that may be repeated, and tells the sender of another one in the same commit', async () => {
    const opened = await open()
    const before = await inbox(opened)
    for (const id of ['again', 'lost']) await before.startHandling((await before.accept(inbound(id))).id)
    const after = started(opened)
    const notice = outbound('say it again', { key: 'interrupted:lost' })
    const interrupted = await after.recoverInbound(key, {
      mayRepeat: ({ messageId }) => messageId === 'again',
      notesOf: ({ messageId }, reason) => ({ notice, event: { type: 'interrupted', data: { messageId, reason } } }),
    })
    expect(interrupted.map(({ messageId }) => messageId)).to.deep.equal(['lost'])
    expect((await after.listReceived(key, 10)).map(({ messageId }) => messageId)).to.deep.equal(['again'])
    const { intents } = await after.recoverOutbound(key, () => undefined)
    expect(intents).to.deep.equal([notice])
    expect(await started(opened).recoverInbound(key, interrupts)).to.deep.equal([])
  })

  it('does not return a message after five minutes', async () => {
    const opened = await open()
    const { id } = await (await inbox(opened)).accept(inbound('old'))
    const after = started(opened, NOW + 5 * MINUTE)
    await after.recoverInbound(key, interrupts)
    expect(await after.listReceived(key, 10)).to.deep.equal([])
    expect(await opened.store.read((db) => db.findOne(Messages, { id }))).to.include({ state: 'interrupted' })
  })

  it('recovers any number of messages that a stop left', async () => {
    const opened = await open()
    const before = await inbox(opened)
    const ids = await Promise.all(
      Array.from({ length: 1_200 }, async (_, at) => (await before.accept(inbound(`m${at}`))).id),
    )
    await Promise.all(ids.slice(0, 1_100).map((id) => before.startHandling(id)))
    const after = started(opened)
    await after.recoverInbound(key, interrupts)
    const count = (state: 'interrupted' | 'received') => opened.store.read((db) => db.count(Messages, { state }))
    expect([await count('interrupted'), await count('received')]).to.deep.equal([1_100, 100])
    expect((await after.listReceived(key, 50)).map(({ id }) => id)).to.deep.equal(ids.slice(1_100, 1_150))
  })

  it('leaves a message alone that this process handles', async () => {
    const opened = await open()
    const store = await inbox(opened)
    const { id } = await store.accept(inbound('m1'))
    await store.startHandling(id)
    await store.recoverInbound(key, interrupts)
    expect(await opened.store.read((db) => db.findOne(Messages, { id }))).to.include({ state: 'handling' })
    await store.finishHandling(id)
    expect(await opened.store.read((db) => db.findOne(Messages, { id }))).to.include({ state: 'handled' })
  })

  it('writes state changes in groups, in order', async () => {
    const opened = await open()
    const store = await inbox(opened)
    const rows = await Promise.all(Array.from({ length: 100 }, (_, index) => store.accept(inbound(`m${index}`))))
    await Promise.all(rows.flatMap(({ id }) => [store.startHandling(id), store.finishHandling(id)]))
    expect(await opened.store.read((db) => db.count(Messages, { state: 'handled' }))).to.equal(100)
  })

  it('joins a transaction, and rolls back nothing of other messages', async () => {
    const opened = await open()
    const store = await inbox(opened)
    const [mine, other] = await Promise.all([store.accept(inbound('mine')), store.accept(inbound('other'))])
    let arrive = (): void => {}
    const elsewhere = new Promise<void>((resolve) => {
      arrive = resolve
    }).then(() => Promise.all([store.finishHandling(other.id), store.accept(inbound('third'))]))
    const failed = failureOf(
      opened.store.tx(async () => {
        const handled = store.finishHandling(mine.id)
        arrive()
        await handled
        throw new Error('mine alone')
      }),
    )
    expect((await failed).message).to.equal('mine alone')
    await elsewhere
    const rows = await opened.store.read((db) => db.find(Messages))
    expect(rows.map(({ message_id, state }) => [message_id, state])).to.deep.equal([
      ['mine', 'received'],
      ['other', 'handled'],
      ['third', 'received'],
    ])
  })

  it('refuses messages when the database is closed', async () => {
    const opened = await open()
    const store = await inbox(opened)
    opened.store.refuse()
    expect((await failureOf(store.accept(inbound('m1')))).code).to.equal('not_ready')
  })
})
