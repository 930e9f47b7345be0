import { expect } from 'chai'
import { Type } from '@mynah/contract/type'
import type { AnyPlugin } from '@mynah/kernel'
import { defineTool } from '@mynah/plugin-ai/api'
import cron from '@mynah/plugin-cron'
import { Jobs } from '@mynah/plugin-cron/api'
import { Database } from '@mynah/database-api'
import { metrics } from '@mynah/plugin-management/api'
import { Entries, Sessions, TurnRecords } from '../session/tables.js'
import { eachTest, said, until, type Options, type Rig } from '../test/support.js'

const never = new Promise(() => {})
const owner = { sender: { id: 'owner' }, channel: { type: 'private', id: 'owner' } } as const

const database = (rig: Rig): Database => rig.host.get(Database) as Database
const sql = async (rig: Rig, statement: string): Promise<void> => {
  await database(rig).tx((db) => db.run(statement))
}
/** Lets a write of the journal fail from now on, as a kill right before it does. */
const failWrites = (rig: Rig, table: string, when: string): Promise<void> =>
  sql(rig, `CREATE TRIGGER killed BEFORE UPDATE ON ${table} WHEN ${when} BEGIN SELECT RAISE(ABORT, 'killed'); END`)
const turnRows = (rig: Rig) => database(rig).read((db) => db.find(TurnRecords, {}))

/** Contributed values of the metrics of the agent, by name and labels. */
function metricsOf(values: Map<string, number>): Options {
  return {
    setup(ctx) {
      const all = ctx.read(metrics)
      ctx.onDispose('metrics', () => {
        for (const { value } of all.all()) {
          const collected = value.collect()
          if (typeof collected === 'number') values.set(value.name, collected)
          else if (Array.isArray(collected))
            for (const { value: sample, labels } of collected)
              values.set(`${value.name} ${Object.values(labels ?? {}).join()}`, sample)
        }
      })
    },
  }
}

describe('OpenTurns', () => {
  const rigs = eachTest()

  it('keeps a question waiting over any number of restarts, and takes its answer', async () => {
    const options = { database: true }
    let rig = await rigs.start([{ calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }], options)
    await rig.hear('choose')
    await until(() => rig.texts.length === 1)
    for (let restart = 1; restart <= 5; restart++) {
      rig = await rigs.follow(rig, ['Blue it is.'], options)
      await until(() => rig.agent.turns().some(({ state }) => state === 'waiting'))
      expect(rig.texts).to.deep.equal([])
    }
    await rig.say('blue')
    await until(() => rig.texts.length === 1)
    expect(rig.texts).to.deep.equal(['Blue it is.'])
    expect(said(rig.models.requests[0]).at(-1)).to.equal('tool: result blue')
  })

  it('counts a start after work was done, even where a question waited in between', async () => {
    const options = { database: true }
    const ask = { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }
    const held = { text: '', hold: never }
    let rig = await rigs.start([ask], options)
    await rig.hear('choose')
    await until(() => rig.texts.length === 1)
    rig = await rigs.follow(rig, [held], options)
    await until(() => rig.agent.turns().some(({ state }) => state === 'waiting'))
    await rig.say('blue')
    for (let start = 2; start <= 3; start++) {
      await until(() => rig.models.requests.length === 1)
      rig = await rigs.follow(rig, [held], options)
    }
    await until(() => rig.texts.length === 1)
    expect(rig.texts[0]).to.include('restarted')
    expect(rig.models.requests).to.deep.equal([])
  })

  it('counts a start whose other call had begun to work while a question waited', async () => {
    let ran = 0
    const works = defineTool({
      name: 'works',
      description: 'works',
      parameters: Type.Object({}),
      effect: 'repeatable',
      run: () => {
        ran++
        return never as Promise<string>
      },
    })
    const options = { database: true, tools: [works] }
    const calls = [
      { name: 'works', input: {} },
      { name: 'ask_user', input: { question: 'Which?' } },
    ]
    let rig = await rigs.start([{ calls }], options)
    await rig.hear('go')
    for (let start = 1; start <= 2; start++) {
      const expected = start
      await until(async () => ran === expected && (await turnRows(rig))[0]?.waiting?.includes('Which?') === true)
      rig = await rigs.follow(rig, [], options)
    }
    await until(() => rig.texts.length === 1)
    expect(rig.texts[0]).to.include('restarted')
    expect(ran).to.equal(2)
  })

  it('ends the turn of a job that was killed while its answer was delivered, and makes no ring', async () => {
    const options = { database: true, plugins: [cron as unknown as AnyPlugin] }
    const first = await rigs.start(['one'], options)
    const jobs = first.host.get(Jobs) as Jobs
    const { id } = await jobs.add({
      trigger: { kind: 'im' },
      action: { kind: 'agent', prompt: 'look at the sky' },
      notify: { channel: 'im', platform: 'test', endpointId: 'one', sceneId: 'owner', scope: 'private' },
      creator: { kind: 'chat', adapter: 'test', endpoint: 'one', ...{ channel: owner.channel }, user: 'owner' },
    })
    await failWrites(first, 'agent_turn', "NEW.state = 'done'")
    await jobs.run(id)
    await until(async () => (await turnRows(first))[0]?.state === 'delivering' && first.agent.turns().length === 0)
    // A run that the stop comes upon is not started again.
    await until(() => first.log.some(({ message }) => message.includes('will be retried')))
    await sql(first, 'DROP TRIGGER killed')
    const second = await rigs.follow(first, ['two'], options)
    await until(async () => (await turnRows(second))[0]?.state === 'done')
    const [session] = await database(second).read((db) => db.find(Sessions, { where: { session_key: `job|${id}` } }))
    const entries = await database(second).read((db) => db.find(Entries, { where: { session: session?.id ?? '' } }))
    for (const { n, parent } of entries) expect(Number(parent ?? 0)).to.be.lessThan(Number(n))
    await (second.host.get(Jobs) as Jobs).run(id)
    await until(async () => {
      // The run of before is tried again after a pause, and gets its answer. Great steps would use up the run's time.
      if (second.models.requests.length === 0) await second.clock.advance(3_000)
      return second.texts.length === 2
    })
    expect(second.texts).to.deep.equal(['one', 'two'])
    expect(said(second.models.requests[0]).filter((line) => line.startsWith('assistant'))).to.deep.equal([
      'assistant: one',
    ])
  })

  it('sends an answer once that could not be counted in the usage of its session', async () => {
    const rig = await rigs.start(['one', 'two'], { database: true })
    await rig.say('hello')
    await failWrites(rig, 'agent_session', 'NEW.input > OLD.input')
    expect(await rig.say('again')).to.deep.equal(['two'])
    await until(async () => (await turnRows(rig)).every(({ state }) => state === 'done'))
    const { path } = await rig.host
      .get(Database)!
      .read(async (db) => ({ path: await db.find(Entries, { order: { n: 'asc' } }) }))
    for (const { n, parent } of path) expect(Number(parent ?? 0)).to.be.lessThan(Number(n))
  })

  it('reports the end of open turns: a line with their number, and counters', async () => {
    const options = { database: true }
    let rig = await rigs.start([{ text: '', hold: never }], options)
    await rig.hear('hello')
    await until(() => rig.models.requests.length === 1)
    rig = await rigs.follow(rig, [{ text: '', hold: never }], options)
    await until(() => rig.models.requests.length === 1)
    const values = new Map<string, number>()
    rig = await rigs.follow(rig, [], { ...options, ...metricsOf(values) })
    await until(() => rig.texts.length === 1)
    const told = () => rig.log.filter(({ message }) => message.startsWith('turns that were left open'))
    await until(() => told().length > 0)
    expect(told().map(({ level, message }) => [level, message])).to.deep.equal([
      ['warn', 'turns that were left open: 0 continue, 0 deliver their answers, 1 interrupted'],
    ])
    await rig.host.stop()
    expect(values.get('agent_turns_recovered_total interrupted')).to.equal(1)
    expect(values.get('agent_turns_total interrupted')).to.equal(1)
  })

  it('tries again when the messages of turns could not be read', async () => {
    const options = { database: true }
    const first = await rigs.start([{ text: '', hold: never }], options)
    await first.hear('hello')
    await until(() => first.models.requests.length === 1)
    await sql(first, "UPDATE message SET sender = '{\"id\"' WHERE direction = 'in'")
    const second = await rigs.follow(first, ['here I am'], options)
    await until(() => second.log.some(({ message }) => message.startsWith('failed to recover turns')))
    expect((await turnRows(second))[0]?.ended_at).to.equal(null)
    await sql(second, 'UPDATE message SET sender = \'{"id":"ann"}\' WHERE direction = \'in\'')
    await second.clock.advance(5_000)
    await until(() => second.texts.length === 1)
    expect(second.texts).to.deep.equal(['here I am'])
  })
})

describe('/stop and /reset', () => {
  const rigs = eachTest()
  /** Lets the host handle a message of before again, as after a kill. */
  const repeat = (rig: Rig, text: string): Promise<void> =>
    sql(rig, `UPDATE message SET state = 'received' WHERE direction = 'in' AND text = '${text}'`)

  it('stop, when they are handled again, the turns of before and none of later messages', async () => {
    const options = { database: true }
    const first = await rigs.start(
      [
        { text: '', hold: never },
        { text: '', hold: never },
      ],
      options,
    )
    await first.hear('one', owner)
    await until(() => first.models.requests.length === 1)
    await failWrites(first, 'agent_turn', "NEW.stage IN ('stopped', 'ended')")
    await first.ended(await first.hear('/stop', owner))
    await sql(first, 'DROP TRIGGER killed')
    await first.hear('two', owner)
    await until(() => first.models.requests.length === 2)
    await repeat(first, '/stop')
    let answer = (): void => {}
    const hold = new Promise<void>((resolve) => {
      answer = resolve
    })
    const script = () => ({ text: 'answered', hold })
    const second = await rigs.follow(first, script, { ...options, connectsLate: true })
    await until(() => second.texts.length === 1)
    answer()
    await until(() => second.texts.length === 2)
    expect(second.texts).to.deep.equal(['Stopped.', 'answered'])
  })

  it('leave a conversation alone that has begun since the one that they have ended', async () => {
    const options = { database: true }
    const first = await rigs.start(['one', 'two'], options)
    await first.say('hello', owner)
    await first.say('/reset', owner)
    await first.say('new', owner)
    await repeat(first, '/reset')
    const second = await rigs.follow(first, ['three'], { ...options, connectsLate: true })
    await until(
      async () =>
        (await database(second).read((db) => db.query("SELECT 1 FROM message WHERE state = 'received'"))).length === 0,
    )
    await second.say('go on', owner)
    expect(said(second.models.requests[0]).filter((line) => line.startsWith('assistant'))).to.deep.equal([
      'assistant: two',
    ])
  })

  it('end when the turns that they stop are stored as stopped', async () => {
    const rig = await rigs.start([{ text: '', hold: never }], { database: true })
    await rig.hear('one', owner)
    await until(() => rig.models.requests.length === 1)
    const id = await rig.hear('/stop', owner)
    await rig.ended(id)
    expect((await turnRows(rig))[0]?.state).to.equal('stopped')
  })
})
