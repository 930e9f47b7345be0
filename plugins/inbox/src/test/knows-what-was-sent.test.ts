// The way out: intents, receipts, and what nobody can know after a stop.
import { expect } from 'chai'
import { onEverySystem } from '@mynah/plugin-database/testing'
import { Messages } from '../tables.js'
import { inbound, inbox, key, NOW, outbound, query, started } from './support.js'

onEverySystem('an outbound message', (open) => {
  it('is kept before it is sent, with its receipt after', async () => {
    const opened = await open()
    const store = await inbox(opened)
    const answered = await store.accept(inbound('m1'))
    const id = await store.intend(outbound('hello', { answers: answered.id }))
    await store.sending(id)
    await store.sent(id, { state: 'sent', messageId: 'p1' })
    expect(await opened.store.read((db) => db.findOne(Messages, { id }))).to.include({ state: 'sent', message_id: 'p1', answers: answered.id, inbound_id: null })
    expect((await store.messages(query())).rows[0]).to.deep.equal({
      id, messageId: 'p1', sender: { id: 'bot', name: 'bot' }, channel: { type: 'group', id: 'g1' }, content: [{ type: 'text', data: { text: 'hello' } }],
      text: 'hello', direction: 'out', read: true, timestamp: NOW,
    })
  })

  it('says why it failed', async () => {
    const opened = await open()
    const store = await inbox(opened)
    const id = await store.intend(outbound('hello'))
    await store.sent(id, { state: 'failed', error: 'offline' })
    expect(await opened.store.read((db) => db.findOne(Messages, { id }))).to.include({ state: 'failed', error: 'offline' })
  })

  it('is sent after a stop that came before the adapter was called, and unknown after one that came later', async () => {
    const opened = await open()
    const before = await inbox(opened)
    const intent = await before.intend(outbound('not yet'))
    const sending = await before.intend(outbound('perhaps'))
    await before.sending(sending)
    const after = started(opened)
    expect(await after.recoverSends(key)).to.deep.equal([{ ...outbound('not yet'), id: intent }])
    expect(await after.recoverSends(key)).to.deep.equal([])
    expect(await opened.store.read((db) => db.findOne(Messages, { id: sending }))).to.include({ state: 'unknown' })
    expect(await started(opened, NOW + 6 * 60_000).recoverSends(key)).to.deep.equal([])
    expect(await opened.store.read((db) => db.findOne(Messages, { id: intent }))).to.include({ state: 'failed' })
  })

  it('may carry a platform id that an inbound one has, too', async () => {
    const store = await inbox(await open())
    await store.accept(inbound('same'))
    for (let count = 0; count < 2; count++) {
      const id = await store.intend(outbound('echo'))
      await store.sent(id, { state: 'sent', messageId: 'same' })
    }
    expect((await store.messages(query())).total).to.equal(3)
  })
})
