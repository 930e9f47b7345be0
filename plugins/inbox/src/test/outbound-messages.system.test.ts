import { expect } from 'chai'
import { failureOf, onEverySystem } from '@mynah/plugin-database/testing'
import { Messages } from '../tables.js'
import { inbound, inbox, intend, key, NOW, outbound, query, started } from './support.js'

const noEvent = (): undefined => undefined

onEverySystem('DatabaseMessageStore outbound', (open) => {
  it('stores a message before it is sent, and its receipt after', async () => {
    const opened = await open()
    const store = await inbox(opened)
    const answered = await store.accept(inbound('m1'))
    const id = await intend(store, outbound('hello', { answers: answered.id }))
    await store.startSending(id)
    await store.finishSending(id, { state: 'sent', messageId: 'p1' })
    expect(await opened.store.read((db) => db.findOne(Messages, { id }))).to.include({
      state: 'sent',
      message_id: 'p1',
      answers: answered.id,
      inbound_id: null,
    })
    expect((await store.messages(query())).rows[0]).to.deep.equal({
      id,
      messageId: 'p1',
      sender: { id: 'bot', name: 'bot' },
      channel: { type: 'group', id: 'g1' },
      content: [{ type: 'text', data: { text: 'hello' } }],
      text: 'hello',
      direction: 'out',
      state: 'sent',
      answers: answered.id,
      read: true,
      timestamp: NOW,
    })
  })

  it('stores why a message failed', async () => {
    const opened = await open()
    const store = await inbox(opened)
    const id = await intend(store, outbound('hello'))
    await store.finishSending(id, { state: 'failed', error: 'offline' })
    expect(await opened.store.read((db) => db.findOne(Messages, { id }))).to.include({
      state: 'failed',
      error: 'offline',
    })
  })

  it('returns any number of intents that a stop left, oldest first', async () => {
    const opened = await open()
    const before = await inbox(opened)
    const ids = await Promise.all(Array.from({ length: 1_200 }, (_, at) => intend(before, outbound(`t${at}`))))
    const { intents } = await started(opened).recoverOutbound(key, noEvent)
    expect(intents.map(({ id }) => id)).to.deep.equal(ids)
  })

  it('returns intents after a stop, and marks messages in progress as unknown', async () => {
    const opened = await open()
    const before = await inbox(opened)
    const intent = await intend(before, outbound('not yet'))
    const sending = await intend(before, outbound('perhaps'))
    await before.startSending(sending)
    const after = started(opened)
    const { intents, ended } = await after.recoverOutbound(key, noEvent)
    expect(intents).to.deep.equal([outbound('not yet', { id: intent })])
    expect(ended.map(({ record, state }) => [record.id, state])).to.deep.equal([[sending, 'unknown']])
    expect(await after.recoverOutbound(key, noEvent)).to.deep.equal({ intents: [], ended: [] })
    expect(await opened.store.read((db) => db.findOne(Messages, { id: sending }))).to.include({ state: 'unknown' })
    const late = await started(opened, NOW + 6 * 60_000).recoverOutbound(key, noEvent)
    expect(late.intents).to.deep.equal([])
    expect(await opened.store.read((db) => db.findOne(Messages, { id: intent }))).to.include({ state: 'failed' })
  })

  it('knows nothing of the age of an attempt after the clock was set back', async () => {
    const opened = await open()
    const before = await inbox(opened)
    const sending = await intend(before, outbound('perhaps'))
    await before.startSending(sending, NOW)
    const states = async (now: number) => {
      const { intents, ended } = await started(opened, now).recoverOutbound(key, noEvent, 120_000)
      return [...intents.map(() => 'intent'), ...ended.map(({ state }) => state)]
    }
    expect(await states(NOW - 3_600_000)).to.deep.equal(['unknown'])
    const other = await intend(before, outbound('settled'))
    await before.startSending(other, NOW)
    expect(await states(NOW + 1_000)).to.deep.equal(['intent'])
  })

  it('ends the handling of the answered message in the same commit, or does neither', async () => {
    const opened = await open()
    const store = await inbox(opened)
    const { id } = await store.accept(inbound('m1'))
    await store.startHandling(id)
    const answer = outbound('answer', { answers: id })
    await store.addIntent(answer, id)
    expect(await opened.store.read((db) => db.findOne(Messages, { id }))).to.include({ state: 'handled' })
    const other = await store.accept(inbound('m2'))
    await store.startHandling(other.id)
    await failureOf(store.addIntent(outbound(null as unknown as string), other.id))
    expect(await opened.store.read((db) => db.findOne(Messages, { id: other.id }))).to.include({ state: 'handling' })
  })

  it('stores one message for a key, with any outcome', async () => {
    const opened = await open()
    const store = await inbox(opened)
    const first = outbound('once', { key: 'turn/1' })
    expect(await store.addIntent(first)).to.equal(undefined)
    expect(await store.addIntent(outbound('twice', { key: 'turn/1' }))).to.deep.equal({
      id: first.id,
      state: 'intent',
      messageId: '',
      timestamp: NOW,
    })
    expect(await store.addIntent(outbound('elsewhere', { key: 'turn/1', endpoint: 'other' }))).to.equal(undefined)
    await store.startSending(first.id)
    await store.finishSending(first.id, { state: 'unknown', error: 'cut off' })
    expect(await started(opened).addIntent(outbound('thrice', { key: 'turn/1' }))).to.deep.equal({
      id: first.id,
      state: 'unknown',
      messageId: '',
      error: 'cut off',
      timestamp: NOW,
    })
    expect((await store.messages(query())).total).to.equal(1)
  })

  it('returns a waiting message once for each time it was put back', async () => {
    const opened = await open()
    const store = await inbox(opened)
    const waits = outbound('wait')
    await store.addIntent(waits)
    const intents = async () => (await store.recoverOutbound(key, noEvent)).intents
    expect(await intents()).to.deep.equal([])
    await store.startSending(waits.id)
    await store.requeue(waits.id)
    expect(await intents()).to.deep.equal([waits])
    expect(await intents()).to.deep.equal([])
  })

  it('adds a row once, however often a call without an answer is repeated', async () => {
    const opened = await open()
    const store = await inbox(opened)
    const message = outbound('once')
    for (let count = 0; count < 2; count++) expect(await store.addIntent(message)).to.equal(undefined)
    expect((await store.messages(query())).total).to.equal(1)
  })

  it('leaves a draft to its owner, over any number of starts, and ends it after a day', async () => {
    const opened = await open()
    const before = await inbox(opened)
    const draft = outbound('', { key: 'turn/1', segments: [] })
    await before.addDraft(draft)
    await before.updateDraft(draft.id, 'p1', [{ type: 'text', data: { text: 'half' } }], 'half')
    for (let start = 0; start < 3; start++)
      expect(await started(opened, NOW + 60 * 60_000).recoverOutbound(key, noEvent)).to.deep.equal({
        intents: [],
        ended: [],
      })
    const owner = started(opened)
    expect(await owner.addDraft(outbound('', { key: 'turn/1' }))).to.include({ state: 'draft', messageId: 'p1' })
    const { ended } = await started(opened, NOW + 24 * 60 * 60_000).recoverOutbound(key, noEvent)
    expect(ended.map(({ record, state }) => [record.id, state])).to.deep.equal([[draft.id, 'failed']])
  })

  it('sends the whole of a message again that was being edited, since an edit does no harm', async () => {
    const opened = await open()
    const before = await inbox(opened)
    const draft = outbound('', { key: 'turn/1', segments: [] })
    await before.addDraft(draft)
    const whole = { ...outbound('all', { id: draft.id, key: 'turn/1' }), messageId: 'p1' }
    await before.completeDraft(whole)
    await before.startSending(draft.id)
    const after = started(opened)
    expect(await after.recoverOutbound(key, noEvent)).to.deep.equal({ intents: [whole], ended: [] })
    expect(await after.startSending(draft.id)).to.equal(true)
  })

  it('allows a platform id that an inbound message has', async () => {
    const store = await inbox(await open())
    await store.accept(inbound('same'))
    for (let count = 0; count < 2; count++) {
      const id = await intend(store, outbound('echo'))
      await store.finishSending(id, { state: 'sent', messageId: 'same' })
    }
    expect((await store.messages(query())).total).to.equal(3)
  })
})
