import { expect } from 'chai'
import fc from 'fast-check'
import { entity, type Reads } from '@mynah/plugin-database/api'
import { failureOf, onEverySystem, type Opened } from '@mynah/plugin-database/testing'
import { Counts } from './counts.js'
import { Messages, Notices, Requests } from './tables.js'
import { inbound, inbox, key, NOW, outbound, query, started } from './test/support.js'

const channels = [
  { type: 'private', id: 'p' },
  { type: 'channel', id: 'c', parent: { type: 'guild', id: 'one' } },
  { type: 'channel', id: 'c', parent: { type: 'guild', id: 'two' } },
] as const
const asked = [
  {},
  { unreadOnly: true },
  { channel: channels[0] },
  { channel: { type: 'channel', id: 'c' } },
  { channel: { type: 'channel', id: 'c' }, parent: channels[1].parent, unreadOnly: true },
  { parent: channels[2].parent },
]

/** Returns the counts of the inbox and those of the rows. */
async function compare(opened: Opened, endpoint: string): Promise<void> {
  const store = started(opened)
  for (const rest of asked) {
    const page = await store.messages(query({ ...rest, endpoint, limit: 100 }))
    expect(page.total, JSON.stringify(rest)).to.equal(page.rows.length)
  }
  const counted = (table: string) =>
    opened.store.read(async (db: Reads) =>
      Number(
        (
          await db.query<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE endpoint = $1 AND read = 0`, [
            endpoint,
          ])
        )[0]?.n,
      ),
    )
  expect(await store.unread({ ...key, endpoint })).to.deep.equal({
    messages: await counted('message'),
    requests: await counted('request'),
    notices: await counted('notice'),
  })
}

onEverySystem('Counts', (open) => {
  it('equal a count of the rows after any changes', async function () {
    this.timeout(60_000)
    const place = fc.record({ endpoint: fc.constantFrom('bot', 'other'), channel: fc.constantFrom(...channels) })
    const which = fc.integer({ min: 0, max: 9 })
    const deed = fc.oneof(
      fc.record({ do: fc.constant('in' as const), which, place }),
      fc.record({ do: fc.constant('out' as const), place }),
      fc.record({
        do: fc.constantFrom('read' as const, 'delete' as const, 'roll back' as const, 'change' as const),
        which,
      }),
      fc.record({ do: fc.constant('notice' as const), which }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 25 }), async (deeds) => {
        const opened = await open()
        const store = await inbox(opened)
        const { store: database } = opened
        const ids: string[] = []
        for (const next of deeds) {
          const id = 'which' in next ? (ids[next.which % Math.max(1, ids.length)] ?? 'none') : ''
          switch (next.do) {
            case 'in':
              ids.push((await store.accept(inbound(`m${next.which}`, next.place as never))).id)
              break
            case 'out':
              await store.addIntent(outbound('x', next.place as never))
              break
            case 'read':
              await store.consume(key, 'messages', [id])
              break
            case 'change':
              await database.change(Messages, [{ id, read: next.which % 2, state: 'handled' }])
              break
            case 'delete':
              await database.tx((db) => db.delete(Messages, { id }))
              break
            case 'notice':
              await store.addNotice(key, { noticeId: `n${next.which}`, kind: 'x', payload: 1, timestamp: NOW })
              break
            case 'roll back':
              await failureOf(
                database.tx(async (db) => {
                  await db.delete(Messages, { endpoint: 'bot' })
                  throw new Error('no')
                }),
              )
          }
        }
        for (const endpoint of ['bot', 'other', 'nobody']) await compare(opened, endpoint)
      }),
      { numRuns: 12 },
    )
  })

  it('start with the rows of an older database', async () => {
    const opened = await open()
    const { store: database } = opened
    // As they were declared before there were counters.
    await database.contribute(
      [Messages, Requests, Notices].map(({ schema, package: owner }) => entity({ ...schema, package: owner } as never)),
    )
    const before = started(opened)
    await before.accept(inbound('a'))
    await before.accept(inbound('b', { channel: { type: 'channel', id: 'c', parent: { type: 'guild', id: 'one' } } }))
    await before.addRequest(key, { requestId: 'r', kind: 'friend', sender: { id: 'u', name: 'u' }, timestamp: NOW })
    const store = await inbox(opened)
    expect(await store.unread(key)).to.deep.equal({ messages: 2, requests: 1, notices: 0 })
    await store.accept(inbound('c'))
    await compare(opened, 'bot')
    await opened.store.contribute([Counts, Messages])
    await compare(opened, 'bot')
  })

  it('serve pages of unread messages of one channel by key', async () => {
    const opened = await open()
    const store = await inbox(opened)
    for (let index = 0; index < 12; index++)
      await store.accept(inbound(`m${index}`, { channel: channels[index % 3] as never }))
    const unread = query({ unreadOnly: true, channel: { type: 'channel', id: 'c' }, limit: 3 })
    const first = await store.messages(unread)
    expect([first.rows.map(({ messageId }) => messageId), first.total]).to.deep.equal([['m11', 'm10', 'm8'], 8])
    await store.consume(key, 'messages', [first.rows[0]?.id as string, first.rows[2]?.id as string])
    const second = await store.messages({ ...unread, before: first.nextBefore as string })
    expect([second.rows.map(({ messageId }) => messageId), second.total]).to.deep.equal([['m7', 'm5', 'm4'], 6])
  })
})
