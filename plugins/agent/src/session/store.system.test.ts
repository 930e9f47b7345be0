import { expect } from 'chai'
import type { Database } from '@mynah/database-api'
import { onEverySystem } from '@mynah/plugin-database/testing'
import { DatabaseSessions } from './database-store.js'
import { MemorySessions } from './memory-store.js'
import { Entries, Sessions, TurnRecords } from './tables.js'
import { TurnLost } from './turn-lost.js'
import type { MendedRing, NewEntry, Session, SessionStore, Turn } from './types.js'

const TARGET = { adapter: 'test', endpoint: 'one', channel: { type: 'private', id: 'ann' } } as const
const NOW = 1_000

const user = (text: string): NewEntry => ({ kind: 'message', role: 'user', content: [{ type: 'text', text }] })
const assistant = (text: string): NewEntry => ({
  kind: 'message',
  role: 'assistant',
  content: [{ type: 'text', text }],
})

function turnOf(session: Session, id: string, more: Partial<Turn> = {}): Turn {
  return {
    id,
    session: session.id,
    sessionKey: session.key,
    row: null,
    askKey: null,
    agent: 'main',
    origin: { adapter: 'test' },
    state: 'queued',
    stage: 'queued',
    step: 0,
    model: null,
    text: 'hello',
    baseSeq: session.leaf,
    branchVersion: session.branchVersion,
    entrySeqs: [],
    waiting: null,
    answer: null,
    attempts: 0,
    claim: 0,
    error: null,
    startedAt: NOW,
    endedAt: null,
    ...more,
  }
}

type Open = (onMended: (mended: MendedRing) => void) => Promise<SessionStore>
/** Changes the parent of an entry as the defect did that made rings. */
type BreakInto = (store: SessionStore, session: string, seq: number, parent: number) => Promise<void>

/** Tests the contract of every session store. */
function describeStore(open: Open, breakInto: BreakInto): void {
  const mended: MendedRing[] = []
  let store: SessionStore
  const openSession = async (key = 'test|one|private|ann'): Promise<Session> => (await store.open(key, TARGET)).session
  const reload = async ({ id }: Session): Promise<Session> => {
    const session = await store.byId(id)
    if (!session) throw new Error('the session is gone')
    return session
  }
  beforeEach(async () => {
    store = await open((ring) => void mended.push(ring))
  })

  it('keeps what was chosen for an active epoch, and nothing of it in the next one', async () => {
    const session = await openSession()
    expect(session).to.include({ model: null, thinking: null })
    expect(await store.choose(session.id, { model: 'p:m' })).to.equal(true)
    expect(await store.choose(session.id, { thinking: 'low' })).to.equal(true)
    expect(await reload(session)).to.include({ model: 'p:m', thinking: 'low' })
    expect(await store.choose(session.id, { model: null }, 'p:other')).to.equal(false)
    expect(await reload(session)).to.include({ model: 'p:m' })
    expect(await store.choose(session.id, { model: null }, 'p:m')).to.equal(true)
    expect(await reload(session)).to.include({ model: null, thinking: 'low' })
    await store.archive(session.id)
    expect(await store.choose(session.id, { model: 'p:m' })).to.equal(false)
    expect(await openSession()).to.include({ model: null, thinking: null })
  })

  it('opens one active session for a key, and a new one after an archive', async () => {
    const { session, created } = await store.open('a', TARGET)
    expect(created).to.equal(true)
    expect(await store.open('a', TARGET)).to.deep.equal({ session, created: false })
    expect(session).to.deep.include({ ...TARGET, lastSeq: 0, leaf: null, isPinned: false, branchVersion: 0 })
    await store.archive(session.id)
    expect(await store.activeByKey('a')).to.equal(undefined)
    const next = await store.open('a', TARGET)
    expect(next).to.include({ created: true, previous: session.id })
  })

  it('numbers appended entries and links each to the one before it', async () => {
    const session = await openSession()
    expect(await store.append(session.id, 0, [user('one'), assistant('two')])).to.deep.equal([1, 2])
    expect(await store.append(session.id, 0, [user('three')])).to.deep.equal([3])
    const path = await store.path(session.id, 3)
    expect(path.map(({ seq, parent }) => [seq, parent])).to.deep.equal([
      [1, null],
      [2, 1],
      [3, 2],
    ])
    expect(path[0]).to.deep.equal({ ...user('one'), seq: 1, parent: null, meta: {}, at: NOW })
    expect(await reload(session)).to.include({ lastSeq: 3, leaf: 3 })
  })

  it('refuses to append under an old branch version', async () => {
    const session = await openSession()
    await store.append(session.id, 0, [user('one')])
    await store.setLeaf(session.id, null)
    expect(await store.append(session.id, 0, [user('two')])).to.equal(undefined)
    expect(await reload(session)).to.include({ isPinned: true, branchVersion: 1, leaf: null })
  })

  it('keeps the kind of every entry', async () => {
    const session = await openSession()
    const entries: NewEntry[] = [
      { kind: 'prompt', content: { system: 'be kind', tools: [] } },
      { kind: 'cut', content: { results: ['call'] } },
      { kind: 'branch_summary', content: { text: 'plums' } },
    ]
    await store.append(session.id, 0, entries)
    const kept = await store.entries(session.id, [1, 2, 3])
    expect(kept.map(({ kind, content }) => ({ kind, content }))).to.deep.equal(entries)
  })

  it('starts a path at the last summary, with the entries that it keeps', async () => {
    const session = await openSession()
    await store.append(session.id, 0, [user('one'), assistant('two'), user('three')])
    await store.append(session.id, 0, [
      { kind: 'summary', content: { text: 'sum', kept: [3], reason: 'command' } },
      user('four'),
    ])
    expect((await store.path(session.id, 5)).map(({ seq }) => seq)).to.deep.equal([4, 3, 5])
    expect((await store.page(session.id, 5, { limit: 10 })).map(({ seq }) => seq)).to.deep.equal([5, 4, 3, 2, 1])
    expect((await store.page(session.id, 5, { limit: 2, before: 4 })).map(({ seq }) => seq)).to.deep.equal([3, 2])
  })

  it('lists the leaves of all branches, the newest first', async () => {
    const session = await openSession()
    await store.append(session.id, 0, [user('one'), assistant('two')])
    await store.setLeaf(session.id, 1)
    await store.append(session.id, 1, [assistant('three')])
    expect((await store.leaves(session.id)).map(({ seq }) => seq)).to.deep.equal([3, 2])
    expect((await store.entry(session.id, 3))?.parent).to.equal(1)
  })

  it('stores a turn with all its fields, and finds it by its key', async () => {
    const session = await openSession()
    const waiting = { kind: 'question', id: 'q', choices: ['red'], beside: [{ kind: 'approval', id: 'a' }] }
    const turn = turnOf(session, 't1', { askKey: 'job/1', row: 'row-1', waiting, model: 'a:b', error: 'no' })
    let handedOver = 0
    await store.createTurn(turn, async () => void handedOver++)
    expect(handedOver).to.equal(1)
    expect(await store.turn('t1')).to.deep.equal(turn)
    expect(await store.turnByKey('job/1')).to.deep.equal(turn)
    expect([...(await store.answeredRows(['row-1', 'row-2']))]).to.deep.equal(['row-1'])
  })

  it('updates a turn and appends its entries in one step', async () => {
    const session = await openSession()
    const turn = turnOf(session, 't1')
    await store.createTurn(turn)
    const append = { session: session.id, parent: null, entrySeqs: [], list: [user('one')] }
    expect(await store.updateTurn(turn, { stage: 'model' }, append)).to.deep.equal([1])
    expect(await store.updateTurn(turn, { attempts: 1 })).to.deep.equal([])
    expect(await store.turn('t1')).to.deep.include({ stage: 'model', attempts: 1, entrySeqs: [1] })
    expect((await reload(session)).leaf).to.equal(null)
  })

  it('moves a closed turn below the current leaf', async () => {
    const session = await openSession()
    const turn = turnOf(session, 't1')
    await store.createTurn(turn)
    await store.append(session.id, 0, [user('meanwhile')])
    const closed = await store.closeTurn(turn, [user('one'), assistant('two')], null, { state: 'done', endedAt: NOW })
    expect(closed).to.deep.equal({ turn: await store.turn('t1'), moved: true })
    expect(closed.turn.entrySeqs).to.deep.equal([2, 3])
    expect((await store.path(session.id, 3)).map(({ seq }) => seq)).to.deep.equal([1, 2, 3])
    expect(await reload(session)).to.include({ leaf: 3, messages: 2, activeAt: NOW })
    expect(await store.turns({ open: true, limit: 10 })).to.deep.equal([])
  })

  for (const [title, aside] of [
    ['that is closed aside', true],
    ['whose session was switched', false],
  ] as const)
    it(`leaves a turn ${title} where it began`, async () => {
      const session = await openSession()
      const turn = turnOf(session, 't1')
      await store.createTurn(turn)
      if (!aside) await store.setLeaf(session.id, null)
      const { moved } = await store.closeTurn(turn, [user('one')], null, { state: 'done' }, aside)
      expect(moved).to.equal(false)
      expect((await reload(session)).leaf).to.equal(null)
      expect((await store.entry(session.id, 1))?.parent).to.equal(null)
    })

  it('closes a turn once: a second close returns what the first has stored', async () => {
    const session = await openSession()
    const turn = turnOf(session, 't1')
    await store.createTurn(turn)
    const delivering = { state: 'delivering', stage: 'deliver', answer: 'two' } as const
    const { turn: closed } = await store.closeTurn(turn, [user('one'), assistant('two')], null, delivering)
    const again = await store.closeTurn(closed, [], 2, { state: 'interrupted', endedAt: NOW })
    expect(again).to.deep.equal({ turn: closed, moved: false })
    expect((await store.path(session.id, 2)).map(({ seq, parent }) => [seq, parent])).to.deep.equal([
      [1, null],
      [2, 1],
    ])
    expect(await reload(session)).to.include({ leaf: 2, messages: 2 })
  })

  it('leaves a turn where it began when the leaf is below it', async () => {
    const session = await openSession()
    const turn = turnOf(session, 't1')
    await store.createTurn(turn)
    const append = { session: session.id, parent: null, entrySeqs: [], list: [user('one'), assistant('two')] }
    await store.updateTurn(turn, {}, append)
    await store.setLeaf(session.id, 1)
    await store.append(session.id, 1, [user('below')])
    const mine = { ...turn, branchVersion: 1, entrySeqs: [1, 2] }
    expect((await store.closeTurn(mine, [], 2, { state: 'done', endedAt: NOW })).moved).to.equal(false)
    expect((await store.path(session.id, 3)).map(({ seq }) => seq)).to.deep.equal([1, 3])
  })

  it('opens a ring that it finds, below the leaf at which the turn began', async () => {
    const session = await openSession()
    await store.append(session.id, 0, [user('before')])
    const turn = turnOf(await reload(session), 't1')
    await store.createTurn(turn)
    const inTurn = (entry: NewEntry): NewEntry => ({ ...entry, meta: { turn: 't1' } })
    await store.closeTurn(turn, [inTurn(user('one')), inTurn(assistant('two'))], 1, { state: 'done', endedAt: NOW })
    await store.append(session.id, 0, [user('after')])
    await breakInto(store, session.id, 2, 3)
    expect((await store.page(session.id, 4, { limit: 10 })).map(({ seq }) => seq)).to.deep.equal([4, 3, 2, 1])
    expect((await store.path(session.id, 4)).map(({ seq }) => seq)).to.deep.equal([1, 2, 3, 4])
    expect(mended.splice(0)).to.deep.equal([{ session: session.id, entry: 2, parent: 1 }])
  })

  it('opens a ring of a turn that is forgotten at its oldest entry', async () => {
    const session = await openSession()
    await store.append(session.id, 0, [user('one'), assistant('two'), user('three')])
    await breakInto(store, session.id, 1, 3)
    expect((await store.path(session.id, 2)).map(({ seq }) => seq)).to.deep.equal([1, 2])
    expect(mended.splice(0)).to.deep.equal([{ session: session.id, entry: 1, parent: null }])
  })

  it('lets only the newest claim change a turn, until its end', async () => {
    const session = await openSession()
    const turn = turnOf(session, 't1')
    await store.createTurn(turn)
    const mine = (await store.claimTurn(turn, { state: 'running', claim: 7 })) as Turn
    expect(mine).to.include({ state: 'running', claim: 7 })
    expect(await store.claimTurn(turn, { claim: 8 })).to.equal(undefined)
    const append = { session: session.id, parent: null, entrySeqs: [], list: [user('no')] }
    let handedOver = 0
    for (const step of [
      () => store.updateTurn(turn, { stage: 'x' }),
      () => store.updateTurn(turn, {}, append),
      () => store.recordAnswer(turn, null, async () => void handedOver++),
      () => store.closeTurn(turn, [], null, { state: 'done' }),
    ])
      expect(await step().catch((error: unknown) => error)).to.be.instanceOf(TurnLost)
    expect(handedOver).to.equal(0)
    expect(await store.entries(session.id, [1])).to.deep.equal([])
    await store.updateTurn(mine, { state: 'done', endedAt: NOW })
    expect(await store.updateTurn(mine, {}).catch((error: unknown) => error)).to.be.instanceOf(TurnLost)
    for (const claim of [7, 8]) expect(await store.claimTurn(mine, { claim })).to.equal(undefined)
  })

  it('takes a turn once under the same claim, however often that is repeated', async () => {
    const session = await openSession()
    const turn = turnOf(session, 't1')
    await store.createTurn(turn)
    const mine = await store.claimTurn(turn, { state: 'running', attempts: 1, claim: 7 })
    expect(await store.claimTurn(turn, { state: 'running', attempts: 1, claim: 7 })).to.deep.equal(mine)
    expect(await store.turn('t1')).to.include({ state: 'running', attempts: 1, claim: 7 })
  })

  it('ends another turn with the entries that hold its message, or neither', async () => {
    const session = await openSession()
    const [turn, other] = [turnOf(session, 't1'), turnOf(session, 't2')]
    for (const one of [turn, other]) await store.createTurn(one)
    const append = (entrySeqs: readonly number[]) => ({
      ...{ session: session.id, parent: null, entrySeqs, list: [user('more')] },
      ends: { turn: other, changes: { state: 'done', endedAt: NOW } as const },
    })
    expect(await store.updateTurn(turn, {}, append([]))).to.deep.equal([1])
    expect(await store.turn('t2')).to.include({ state: 'done', endedAt: NOW })
    expect(await store.updateTurn(turn, {}, append([1])).catch((error: unknown) => error)).to.be.instanceOf(TurnLost)
    expect(await store.turn('t1')).to.deep.include({ entrySeqs: [1] })
  })

  it('keeps turns and summaries of 1,200 entries', async () => {
    const session = await openSession()
    const turn = turnOf(session, 't1')
    await store.createTurn(turn)
    const list = Array.from({ length: 1_200 }, (_, index) => user(`${index}`))
    const append = { session: session.id, parent: null, entrySeqs: [], list }
    const entrySeqs = await store.updateTurn(turn, {}, append)
    expect(await store.entries(session.id, entrySeqs)).to.have.length(1_200)
    const failed = { state: 'failed', endedAt: NOW } as const
    const { turn: closed, moved } = await store.closeTurn({ ...turn, entrySeqs }, [], 1_200, failed)
    expect([moved, (await reload(session)).messages]).to.deep.equal([true, 1_200])
    const reopened = (await store.reopenTurn(closed)) as Turn
    expect((await reload(session)).messages).to.equal(0)
    await store.closeTurn(reopened, [], 1_200, failed)
    await store.append(session.id, 0, [
      { kind: 'summary', content: { text: 'sum', kept: [...entrySeqs], reason: 'command' } },
    ])
    const path = await store.path(session.id, 1_201)
    expect([path.length, path[0]?.seq, path[1]?.seq, path.at(-1)?.seq]).to.deep.equal([1_201, 1_201, 1, 1_200])
  })

  it('finds which of 1,200 messages have a turn', async () => {
    const session = await openSession()
    const rows = Array.from({ length: 1_200 }, (_, index) => `row-${index}`)
    for (const row of ['row-3', 'row-1199']) await store.createTurn(turnOf(session, row, { row }))
    expect([...(await store.answeredRows(rows))].sort()).to.deep.equal(['row-1199', 'row-3'])
  })

  it('lists open turns in pages, the oldest first', async () => {
    const session = await openSession()
    for (const id of ['t3', 't1', 't2']) await store.createTurn(turnOf(session, id))
    await store.createTurn(turnOf(session, 't0', { state: 'done', endedAt: NOW }))
    const ids = async (after?: string): Promise<string[]> =>
      (await store.openTurns({ limit: 2, ...(after === undefined ? {} : { after }) })).map(({ id }) => id)
    expect([await ids(), await ids('t2')]).to.deep.equal([['t1', 't2'], ['t3']])
  })

  it('archives an epoch once, and not one that was active meanwhile', async () => {
    const session = await openSession()
    expect(await store.archive(session.id, { seenAt: NOW - 1 })).to.equal(false)
    expect(await store.archive(session.id, { seenAt: NOW })).to.equal(true)
    expect(await store.archive(session.id)).to.equal(false)
    expect(await store.setLeaf(session.id, null)).to.equal(false)
    expect((await reload(session)).branchVersion).to.equal(1)
  })

  it('reopens a failed turn, but not after the conversation has moved on', async () => {
    const session = await openSession()
    const turn = turnOf(session, 't1')
    await store.createTurn(turn)
    await store.closeTurn(turn, [user('one')], null, { state: 'failed', error: 'no', endedAt: NOW })
    const failed = (await store.turn('t1')) as Turn
    const reopened = await store.reopenTurn(failed)
    expect(reopened).to.deep.include({ state: 'queued', error: null, endedAt: null, entrySeqs: [1] })
    expect(await store.reopenTurn(failed)).to.equal(undefined)
    expect(await reload(session)).to.include({ leaf: null, messages: 0 })
    await store.append(session.id, 0, [user('two')])
    expect(await store.reopenTurn(failed)).to.equal(undefined)
  })

  it('records an answer with the end of its message', async () => {
    const session = await openSession()
    const turn = turnOf(session, 't1', { waiting: { kind: 'question', id: 'q' } })
    await store.createTurn(turn)
    const waiting = { kind: 'question', id: 'q', answer: 'blue' }
    let handedOver = 0
    await store.recordAnswer(turn, waiting, async () => void handedOver++)
    expect([(await store.turn('t1'))?.waiting, handedOver]).to.deep.equal([waiting, 1])
  })

  it('adds usage, with a cost once one is known', async () => {
    const session = await openSession()
    await store.addUsage(session.id, { input: 1, cachedInput: 2, output: 3 })
    expect((await reload(session)).usage).to.deep.equal({ input: 1, cachedInput: 2, output: 3 })
    await store.addUsage(session.id, { input: 1, cachedInput: 2, output: 3, cost: 0.5 })
    await store.addUsage(session.id, { input: 0, cachedInput: 0, output: 0 })
    expect((await reload(session)).usage).to.deep.equal({ input: 2, cachedInput: 4, output: 6, cost: 0.5 })
  })

  it('lists sessions by state and by part of their name, in pages', async () => {
    const [a, b, c] = [await openSession('a'), await openSession('B'), await openSession('cab')]
    await store.archive(a.id)
    const ids = async (query: Parameters<SessionStore['list']>[0]): Promise<string[]> =>
      (await store.list(query)).rows.map(({ key }) => key)
    expect((await ids({ limit: 10, filter: 'b' })).sort()).to.deep.equal(['B', 'cab'])
    expect(await ids({ limit: 10, state: 'archived' })).to.deep.equal(['a'])
    const all = await ids({ limit: 10 })
    const { rows, total } = await store.list({ limit: 1 })
    expect(total).to.equal(3)
    expect(await ids({ limit: 10, before: rows[0]?.id ?? '' })).to.deep.equal(all.slice(1))
    expect([b, c].map(({ state }) => state)).to.deep.equal(['active', 'active'])
  })

  it('finds idle sessions and prunes archived ones', async () => {
    const session = await openSession()
    expect(await store.idleSince(NOW)).to.deep.equal([])
    expect((await store.idleSince(NOW + 1)).map(({ id }) => id)).to.deep.equal([session.id])
    await store.archive(session.id)
    await store.prune(NOW, NOW)
    expect(await store.byId(session.id)).to.include({ state: 'archived', branchVersion: 1 })
    await store.prune(NOW + 1, NOW)
    expect(await store.byId(session.id)).to.equal(undefined)
  })
}

describe('MemorySessions', () => {
  describeStore(
    async (onMended) => new MemorySessions(() => NOW, onMended),
    async (store, session, seq, parent) => {
      // The entries in memory are the stored ones.
      const entry = (await store.entry(session, seq)) as { parent: number | null }
      entry.parent = parent
    },
  )
})

onEverySystem('DatabaseSessions', (open) => {
  let database: Database
  const openStore: Open = async (onMended) => {
    const { store } = await open()
    await store.contribute([Sessions, Entries, TurnRecords])
    database = store as unknown as Database
    return new DatabaseSessions(database, () => NOW, onMended)
  }
  describeStore(openStore, async (_, session, seq, parent) => {
    await database.tx((db) => db.update(Entries, { session, n: seq }, { parent }))
  })

  it('stores text without NUL and without halves of surrogate pairs', async () => {
    const store = await openStore(() => {})
    const { session } = await store.open('a', TARGET)
    await store.append(session.id, 0, [user('a\0b\ud800c😀')])
    expect((await store.entry(session.id, 1))?.content).to.deep.equal([{ type: 'text', text: 'ab\ufffdc😀' }])
  })
})
