import { expect } from 'chai'
import { WireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { defineTool } from '@mynah/plugin-ai/api'
import { Database, type Writes } from '@mynah/database-api'
import { TurnRecords, type TurnRecord } from '../session/tables.js'
import { eachTest, until, type Rig } from '../test/support.js'

type Changes = Partial<TurnRecord>
type AnyCall = (...args: unknown[]) => Promise<unknown>

const owner = { sender: { id: 'owner' }, channel: { type: 'private', id: 'owner' } } as const
const options = { database: true }

const database = (rig: Rig): Database => rig.host.get(Database) as Database
const turnRows = (rig: Rig) => database(rig).read((db) => db.find(TurnRecords, { order: { id: 'asc' } }))

/** Lets the first write of turns that matches fail: refused, or made without an answer as by a lost connection. */
function failOnce(rig: Rig, fault: 'refused' | 'taken', matches: (changes: Changes) => boolean): () => boolean {
  const store = database(rig) as unknown as { tx: AnyCall; change: AnyCall }
  const { tx, change } = store
  const gone = new WireError('not_ready', 'The database is not available')
  let isOver = false
  /** Tells, of a transaction, whether it makes the write. */
  const watched = (db: Writes, found: () => void): Writes =>
    new Proxy(db, {
      get(target, name) {
        const member = target[name as keyof Writes] as unknown as AnyCall
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => {
          const changes = args[name === 'insert' ? 1 : 2] as Changes
          if ((name === 'insert' || name === 'update') && args[0] === TurnRecords && matches(changes)) found()
          return member.apply(target, args)
        }
      },
    })
  store.tx = async (fn) => {
    let isIt = false
    const result = await tx.call(store, async (db: Writes) => {
      const done = await (fn as (db: Writes) => Promise<unknown>)(watched(db, () => (isIt = !isOver)))
      if (!isIt) return done
      isOver = true
      if (fault === 'refused') throw gone
      return done
    })
    if (isIt) throw gone
    return result
  }
  store.change = async (...args) => {
    if (isOver || args[0] !== TurnRecords || !matches((args[1] as Changes[])[0] ?? {})) return change.apply(store, args)
    isOver = true
    if (fault === 'taken') await change.apply(store, args)
    throw gone
  }
  return () => isOver
}

/** Moves the clock until something is so. */
const later = (rig: Rig, isSo: () => boolean | Promise<boolean>): Promise<void> =>
  until(async () => {
    await rig.clock.advance(1_000)
    return isSo()
  })

const isClaim = ({ claim, state }: Changes): boolean => claim !== undefined && state === 'running'

const haveEnded = async (rig: Rig): Promise<boolean> => (await turnRows(rig)).every(({ ended_at: at }) => at !== null)

/** Lets the store refuse the end of every turn, until the returned function is called. */
async function refuseEnds(rig: Rig): Promise<() => Promise<unknown>> {
  const run = (statement: string) => database(rig).tx((db) => db.run(statement))
  await run(
    "CREATE TRIGGER refused BEFORE UPDATE ON agent_turn WHEN NEW.state = 'done' BEGIN SELECT RAISE(ABORT, 'no'); END",
  )
  return () => run('DROP TRIGGER refused')
}

describe('Turns that a failure of the store leaves', () => {
  const rigs = eachTest()

  for (const fault of ['refused', 'taken'] as const) {
    it(`run once where their creation was ${fault} without an answer`, async () => {
      const rig = await rigs.start(['hello'], options)
      const failed = failOnce(rig, fault, ({ state }) => state === 'queued')
      await rig.hear('hi')
      await later(rig, async () => failed() && rig.texts.length === 1 && (await haveEnded(rig)))
      expect(rig.texts).to.deep.equal(['hello'])
      expect(await turnRows(rig)).to.have.length(1)
      const rows = await database(rig).read((db) =>
        db.query<{ state: string }>("SELECT state FROM message WHERE direction = 'in'"),
      )
      expect(rows.map(({ state }) => state)).to.deep.equal(['handled'])
    })

    it(`answer in their first attempt where their claim was ${fault} without an answer`, async () => {
      const rig = await rigs.start(() => 'hello', options)
      const failed = failOnce(rig, fault, isClaim)
      await rig.hear('hi')
      await later(rig, async () => failed() && rig.texts.length === 1 && (await haveEnded(rig)))
      expect((await turnRows(rig)).map(({ starts }) => Number(starts))).to.deep.equal([1])
    })

    it(`take a message of a master once where adding it was ${fault} without an answer`, async () => {
      let go = (): void => {}
      const gate = new Promise<void>((resolve) => {
        go = resolve
      })
      const look = defineTool({
        name: 'look',
        description: 'looks',
        parameters: Type.Object({}),
        run: () => gate.then(() => 'seen'),
      })
      const script = (_request: unknown, index: number) =>
        index === 0 ? { calls: [{ name: 'look', input: {} }] } : 'done'
      const rig = await rigs.start(script, { ...options, tools: [look] })
      await rig.hear('go', owner)
      await until(() => rig.models.requests.length === 1)
      const failed = failOnce(rig, fault, ({ stage }) => stage === 'steered')
      const id = await rig.hear('in blue', owner)
      await until(() => rig.steps(id).some((step) => step.endsWith('steers')))
      go()
      await later(rig, async () => failed() && (await haveEnded(rig)))
      expect((await turnRows(rig))[1]).to.include({ state: 'done', stage: 'steered' })
      const added = await database(rig).read((db) =>
        db.query("SELECT n FROM agent_entry WHERE role = 'user' AND content LIKE '%in blue%'"),
      )
      expect(added).to.have.length(1)
    })
  }

  it('get their outcome later where the store refused it after the answer was sent', async () => {
    const rig = await rigs.start(['hello'], options)
    const allow = await refuseEnds(rig)
    await rig.say('hi')
    await until(() => rig.agent.turns().length === 0)
    expect((await turnRows(rig))[0]?.state).to.equal('delivering')
    await allow()
    await later(rig, async () => (await turnRows(rig))[0]?.state === 'done')
    expect(rig.texts).to.deep.equal(['hello'])
  })

  it('are taken up while turns that run are left alone', async () => {
    let go = (): void => {}
    const hold = new Promise<void>((resolve) => {
      go = resolve
    })
    const script = (_request: unknown, index: number) => (index === 0 ? { text: 'slow', hold } : 'quick')
    const rig = await rigs.start(script, options)
    await rig.hear('one')
    await until(() => rig.models.requests.length === 1)
    const [running] = await turnRows(rig)
    const allow = await refuseEnds(rig)
    await rig.hear('two', { channel: { type: 'private', id: 'bob' }, sender: { id: 'bob' } })
    await until(async () => rig.agent.turns().length === 1 && (await turnRows(rig))[1]?.state === 'delivering')
    await allow()
    await later(rig, async () => (await turnRows(rig))[1]?.state === 'done')
    expect((await turnRows(rig))[0]).to.include({ claim: running?.claim, starts: 1 })
    go()
    await later(rig, () => haveEnded(rig))
    expect(rig.texts).to.deep.equal(['quick', 'slow'])
  })
})
