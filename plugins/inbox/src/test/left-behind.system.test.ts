import { expect } from 'chai'
import type { Database } from '@mynah/plugin-database/api'
import { onEverySystem, type Opened } from '@mynah/plugin-database/testing'
import { until } from '@mynah/kernel/testing'
import { DatabaseMessageStore } from '../store.js'
import { Messages } from '../tables.js'
import { inbound, inbox, intend, key, NOW, outbound } from './support.js'

const noEvent = (): undefined => undefined

/** A database whose reads have an answer that is held back. */
function slowReads({ store }: Opened): { readonly database: Database; readonly held: (() => void)[] } {
  const held: (() => void)[] = []
  const read: Database['read'] = async (work) => {
    const result = await store.read(work)
    await new Promise<void>((resolve) => held.push(resolve))
    return result
  }
  const database = new Proxy(store as unknown as Database, {
    get: (target, name) => {
      if (name === 'read') return read
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  return { database, held }
}

/** Recovers while `meanwhile` changes rows after they were read and before the answer comes. */
async function recoverDuring<T>(
  held: (() => void)[],
  recover: () => Promise<T>,
  meanwhile: () => Promise<unknown>,
): Promise<T> {
  const recovering = recover()
  await until(() => held.length === 1)
  await meanwhile()
  let isDone = false
  const settled = (): void => void (isDone = true)
  recovering.then(settled, settled)
  await until(() => {
    held.shift()?.()
    return isDone
  })
  return recovering
}

onEverySystem('DatabaseMessageStore during a slow read', (open) => {
  it('returns a message that went back to waiting meanwhile, and does not end it as unknown', async () => {
    const opened = await open()
    await inbox(opened)
    const { database, held } = slowReads(opened)
    const store = new DatabaseMessageStore(database, () => NOW)
    const id = await intend(store, outbound('hello'))
    await store.startSending(id)
    const { intents, ended } = await recoverDuring(
      held,
      () => store.recoverOutbound(key, noEvent),
      () => store.requeue(id),
    )
    expect(ended).to.deep.equal([])
    expect(intents.map((record) => record.id)).to.deep.equal([id])
    expect(await opened.store.read((db) => db.findOne(Messages, { id }))).to.include({ state: 'intent' })
  })

  it('leaves a message alone that was sent meanwhile', async () => {
    const opened = await open()
    await inbox(opened)
    const { database, held } = slowReads(opened)
    const store = new DatabaseMessageStore(database, () => NOW)
    const id = await intend(store, outbound('hello'))
    await store.startSending(id)
    const recovered = await recoverDuring(
      held,
      () => store.recoverOutbound(key, noEvent),
      async () => store.finishSending(id, { state: 'sent', messageId: 'p1' }),
    )
    expect(recovered).to.deep.equal({ intents: [], ended: [] })
    expect(await opened.store.read((db) => db.findOne(Messages, { id }))).to.include({ state: 'sent' })
  })

  it('tells no sender of an interruption whose message was handled meanwhile', async () => {
    const opened = await open()
    await inbox(opened)
    const { database, held } = slowReads(opened)
    const store = new DatabaseMessageStore(database, () => NOW)
    const { id } = await store.accept(inbound('m1'))
    await store.startHandling(id)
    const interrupted = await recoverDuring(
      held,
      () =>
        store.recoverInbound(key, {
          mayRepeat: () => false,
          notesOf: () => ({ event: undefined, notice: outbound('say it again', { key: 'notice' }) }),
        }),
      () => store.finishHandling(id),
    )
    expect(interrupted).to.deep.equal([])
    expect(await opened.store.read((db) => db.count(Messages, { direction: 'out' }))).to.equal(0)
    expect(await opened.store.read((db) => db.findOne(Messages, { id }))).to.include({ state: 'handled' })
  })
})
