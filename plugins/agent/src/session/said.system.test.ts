import { expect } from 'chai'
import { onEverySystem } from '@mynah/plugin-database/testing'
import type { Database } from '@mynah/database-api'
import { DatabaseSessions } from './database-store.js'
import { MemorySessions } from './memory-store.js'
import { excerptOf, searchWords } from './said.js'
import { Entries, Sessions, TurnRecords } from './tables.js'
import type { NewEntry, SessionStore } from './types.js'

const TARGET = { adapter: 'test', endpoint: 'one', channel: { type: 'private', id: 'ann' } } as const

const user = (text: string, said?: string): NewEntry => ({
  kind: 'message',
  role: 'user',
  content: [{ type: 'text', text }],
  ...(said === undefined ? {} : { meta: { said } }),
})
const assistant = (text: string): NewEntry => ({
  kind: 'message',
  role: 'assistant',
  content: [{ type: 'text', text }],
})

/** Tests the search of every session store. */
function describeSearch(open: (now: () => number) => Promise<SessionStore>): void {
  let store: SessionStore
  let time = 1_000
  beforeEach(async () => {
    store = await open(() => time++)
  })
  /** Makes a session, which is younger than the ones before. */
  const session = async (key: string, ...entries: NewEntry[]): Promise<string> => {
    const { id } = (await store.open(key, TARGET)).session
    await store.append(id, 0, entries)
    return id
  }
  const search = async (text: string, limit = 50): Promise<string[]> =>
    (await store.search({ words: searchWords(text), limit })).found.map(
      ({ session: id, entry }) => `${id}/${entry.seq}`,
    )

  it('finds the messages with all words, those of the last active session first', async () => {
    const a = await session('a', user('Where is the blue lamp?'), assistant('The lamp is in the hall.'))
    const b = await session('b', user('blue whales'), assistant('no lamp here, and nothing blue'))
    expect(await search('LAMP')).to.deep.equal([`${b}/2`, `${a}/2`, `${a}/1`])
    expect(await search('blue lamp')).to.deep.equal([`${b}/2`, `${a}/1`])
    expect(await search('green')).to.deep.equal([])
  })

  it('finds Chinese, letters with marks in any case, and characters that JSON or SQL write otherwise', async () => {
    const a = await session('a', user('明天北京的天气怎么样？'), user('ÜBER "quoted" C:\\temp 100% a_b 😀'))
    expect(await search('北京的天气')).to.deep.equal([`${a}/1`])
    for (const text of ['über', 'Über', '"quoted"', 'C:\\TEMP', '100%', 'a_b', '😀'])
      expect(await search(text), text).to.deep.equal([`${a}/2`])
    for (const text of ['1000%', 'a-b', '上海', 'uber']) expect(await search(text), text).to.deep.equal([])
  })

  it('finds nothing in what the host adds, in tools, or in how messages are stored', async () => {
    await session(
      'a',
      { kind: 'prompt', content: { system: 'be kind', tools: [] } },
      user('[It is noon] hello', 'hello'),
      { kind: 'message', role: 'tool', content: [{ type: 'tool-result', id: 'c', name: 'bash', output: 'kernel' }] },
    )
    for (const text of ['noon', 'kind', 'kernel', 'type', 'text', 'said'])
      expect(await search(text), text).to.deep.equal([])
    expect(await search('hello')).to.have.length(1)
  })

  it('finds words that were changed in what the model is sent', async () => {
    const a = await session('a', user('‹message› b', '<message> b'))
    expect(await search('<message>')).to.deep.equal([`${a}/1`])
  })

  it('goes on where it ended, without repeats, past messages that only look like matches', async () => {
    const rounds = Array.from({ length: 430 }, (_, index) =>
      index % 200 === 0 ? user(`type ${index}`) : user(`type ${index}`, `${index}`),
    )
    await session('a', ...rounds)
    await session('b', user('a type'), user('b'))
    const all = await search('type')
    expect(all).to.have.length(4)
    const pages: string[] = []
    let after
    do {
      const page: Awaited<ReturnType<SessionStore['search']>> = await store.search({
        words: ['type'],
        limit: 1,
        ...(after ? { after } : {}),
      })
      pages.push(...page.found.map(({ session: id, entry }) => `${id}/${entry.seq}`))
      after = page.next
    } while (after)
    expect(pages).to.deep.equal(all)
    expect(await store.search({ words: ['type'], limit: 1, after: { session: 'gone', seq: 1 } })).to.deep.equal({
      found: [],
    })
  })

  it('has the first message of each session', async () => {
    const a = await session('a', assistant('welcome'), user('first'), user('second'))
    const b = await session('b')
    const first = await store.firstMessages([a, b, 'none'])
    expect([...first].map(([id, { seq }]) => [id, seq])).to.deep.equal([[a, 2]])
    expect([...(await store.firstMessages([]))]).to.deep.equal([])
  })
}

describe('search in MemorySessions', () => {
  describeSearch(async (now) => new MemorySessions(now))
})

onEverySystem('search in DatabaseSessions', (open) => {
  describeSearch(async (now) => {
    const { store } = await open()
    await store.contribute([Sessions, Entries, TurnRecords])
    return new DatabaseSessions(store as unknown as Database, now)
  })

  it('ends at a bound of sessions, and says where it continues', async () => {
    const { store } = await open()
    await store.contribute([Sessions, Entries, TurnRecords])
    let time = 1
    const sessions = new DatabaseSessions(store as unknown as Database, () => time++)
    const ids: string[] = []
    for (let index = 0; index <= 500; index++) ids.push((await sessions.open(`k${index}`, TARGET)).session.id)
    await sessions.append(ids[0] as string, 0, [user('the oldest word')])
    const first = await sessions.search({ words: ['oldest'], limit: 10 })
    expect(first).to.deep.equal({ found: [], next: { session: ids[1], seq: 0 } })
    const second = await sessions.search({ words: ['oldest'], limit: 10, after: first.next as never })
    expect(second.found.map(({ session }) => session)).to.deep.equal([ids[0]])
    expect(second.next).to.equal(undefined)
  })
})

describe('excerptOf', () => {
  it('shows the first match with the text around it, in one line', () => {
    expect(excerptOf('one\ntwo  Three four', ['three'])).to.deep.equal({
      before: 'one two ',
      match: 'Three',
      after: ' four',
    })
    expect(excerptOf('b a', ['a', 'b']).match).to.equal('b')
    const { before, match, after } = excerptOf(`${'😀'.repeat(80)}x needle ${'😀'.repeat(100)}`, ['needle'])
    expect(match).to.equal('needle')
    expect(before).to.match(/^…/).and.to.match(/x $/)
    expect(after).to.match(/…$/)
    expect(`${before}${after}`.isWellFormed()).to.equal(true)
  })

  it('keeps the place after letters that grow in lower case', () => {
    expect(excerptOf('İİİ needle', ['needle']).match).to.equal('needle')
  })
})
