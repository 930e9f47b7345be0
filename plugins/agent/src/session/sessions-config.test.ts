import { expect } from 'chai'
import { Database } from '@mynah/database-api'
import { Entries, Sessions } from '../session/tables.js'
import { eachTest, Rig, said, until } from '../test/support.js'

const DAY = 86_400_000

describe('configuration of ai.sessions', () => {
  const rigs = eachTest()
  const owner = { sender: { id: 'owner' }, channel: { type: 'private', id: 'owner' } } as const
  /** Returns the words of each message of a request but its first, without what the host adds. */
  const words = (rig: Rig, index: number): string[] =>
    said(rig.models.requests[index])
      .slice(1)
      .map((line) => line.replace(/^user: .*\|/s, 'user: '))

  it('keeps conversations in memory when the database is not to be used', async () => {
    const rig = await rigs.start(() => 'ok', { database: true, config: { 'ai.sessions': { useDatabase: false } } })
    await rig.say('hello')
    await rig.say('again')
    expect(words(rig, 1)).to.deep.equal(['user: hello', 'assistant: ok', 'user: again'])
    expect(await rig.host.get(Database)?.read((db) => db.count(Entries, {}))).to.equal(0)
  })

  it('starts with the newest messages after a pause', async () => {
    const rig = await rigs.start(() => 'ok', {
      config: { 'ai.sessions': { coldStartMaxMessages: 2, coldStartMaxAgeMs: 60_000 } },
    })
    for (const text of ['one', 'two', 'three']) await rig.say(text)
    expect(words(rig, 2)).to.have.length(5)
    await rig.clock.advance(61_000)
    await rig.say('four')
    expect(words(rig, 3)).to.deep.equal(['user: three', 'assistant: ok', 'user: four'])
  })

  it('starts with the messages of a time after a pause, where only the time is configured', async () => {
    const rig = await rigs.start(() => 'ok', { config: { 'ai.sessions': { coldStartMaxAgeMs: 7_200_000 } } })
    for (const text of ['one', 'two', 'three']) {
      await rig.say(text)
      await rig.clock.advance(3_000_000)
    }
    expect(words(rig, 2)).to.have.length(5)
    await rig.clock.advance(900_000)
    await rig.say('four')
    expect(words(rig, 3)).to.deep.equal(['user: two', 'assistant: ok', 'user: three', 'assistant: ok', 'user: four'])
    await rig.clock.advance(8_000_000)
    await rig.say('five')
    expect(words(rig, 4)).to.deep.equal(['user: five'])
  })

  it('shortens a conversation after a start and after an hour, unless another pause is configured', async () => {
    const config = { 'ai.sessions': { coldStartMaxMessages: 2 } }
    const first = await new Rig(() => 'ok').start({ database: true, config })
    for (const text of ['one', 'two', 'three']) await first.say(text)
    expect(words(first, 2)).to.have.length(5)
    await first.stop(true)
    const second = new Rig(() => 'ok')
    await second.clock.advance(60_000)
    await second.start({ database: true, config, data: first.data })
    try {
      await second.say('four')
      expect(words(second, 0)).to.deep.equal(['user: three', 'assistant: ok', 'user: four'])
      await second.say('five')
      expect(words(second, 1)).to.have.length(5)
      await second.clock.advance(3_600_001)
      await second.say('six')
      expect(words(second, 2)).to.deep.equal(['user: five', 'assistant: ok', 'user: six'])
    } finally {
      await second.stop()
    }
  })

  it('deletes archived epochs after the configured days', async () => {
    const rig = await rigs.start(() => 'ok', { database: true, config: { 'ai.sessions': { keepArchivedDays: 1 } } })
    const archived = () => rig.host.get(Database)?.read((db) => db.count(Sessions, { state: 'archived' }))
    await rig.say('hello', owner)
    await rig.say('/reset', owner)
    expect(await archived()).to.equal(1)
    await rig.clock.advance(25 * 3_600_000)
    await rig.say('hello')
    await until(async () => (await archived()) === 0)
  })

  it('ends a conversation in a database after seven days without a message by default', async () => {
    const first = await new Rig(() => 'ok').start({ database: true })
    await first.say('one', owner)
    await first.stop(true)
    // A clock that is ahead before its host starts has no timers to run.
    for (const [day, heard] of [
      [6, ['user: one', 'assistant: ok', 'user: day 6']],
      [14, ['user: day 14']],
    ] as const) {
      const rig = new Rig(() => 'ok')
      await rig.clock.advance(day * DAY)
      await rig.start({ database: true, data: first.data })
      await rig.say(`day ${day}`, owner)
      expect(words(rig, 0)).to.deep.equal(heard)
      await rig.stop(day === 6)
    }
  })

  it('sends at most 200 messages of a conversation in a database by default', async () => {
    const rig = await rigs.start(() => 'ok', {
      database: true,
      config: { 'ai.context': { enabled: false }, 'ai.agent': { compaction: { enabled: false } } },
    })
    for (let at = 0; at < 101; at++) await rig.say(`line ${at}`, owner)
    expect(words(rig, 100)).to.have.length(201)
    await rig.say('line 101', owner)
    expect(words(rig, 101).length).to.be.within(50, 200)
  })
})
