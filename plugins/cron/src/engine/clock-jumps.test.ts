import { expect } from 'chai'
import { DAY, eachTest, HOUR, MINUTE, type Rig } from '../test/support.js'

const START = Date.UTC(2026, 0, 1)
const slotsOf = async (rig: Rig, id: string, state: string): Promise<number[]> =>
  (await rig.runs(id))
    .filter((run) => run.state === state)
    .map(({ slot }) => Number(slot))
    .reverse()

describe('a clock that jumps', () => {
  const tests = eachTest()

  it('forward by an hour runs once for all missed slots, and records each', async () => {
    const rig = await tests.start()
    const id = await rig.task('*/10 * * * *', { notify: { channel: 'silent' } })
    await rig.pass(10 * MINUTE)
    await rig.jump(START + 75 * MINUTE)
    expect(await slotsOf(rig, id, 'ok')).to.deep.equal([START + 10 * MINUTE, START + 70 * MINUTE])
    expect(await slotsOf(rig, id, 'skipped')).to.deep.equal(
      [20, 30, 40, 50, 60].map((minute) => START + minute * MINUTE),
    )
    const [skipped] = (await rig.runs(id)).filter(({ state }) => state === 'skipped')
    expect(skipped?.error).to.match(/^missed/)
    await rig.pass(5 * MINUTE)
    expect((await slotsOf(rig, id, 'ok')).at(-1)).to.equal(START + 80 * MINUTE)
  })

  it('back by an hour repeats no slot, and runs the next one in time', async () => {
    const rig = await tests.start({ at: START })
    const id = await rig.task('*/10 * * * *', { notify: { channel: 'silent' } })
    for (let n = 0; n < 6; n++) await rig.pass(10 * MINUTE)
    await rig.jump(START)
    for (let n = 0; n < 6; n++) await rig.pass(10 * MINUTE)
    expect(await slotsOf(rig, id, 'ok')).to.deep.equal(
      [10, 20, 30, 40, 50, 60].map((minute) => START + minute * MINUTE),
    )
    await rig.pass(10 * MINUTE)
    expect((await slotsOf(rig, id, 'ok')).at(-1)).to.equal(START + 70 * MINUTE)
  })

  it('back by a year continues from there', async () => {
    const rig = await tests.start({ at: START })
    const id = await rig.task('0 * * * *', { notify: { channel: 'silent' } })
    await rig.pass(HOUR)
    await rig.jump(START - 365 * DAY)
    await rig.pass(2 * HOUR)
    expect(
      (await slotsOf(rig, id, 'ok'))
        .slice()
        .sort((a, b) => a - b)
        .map((time) => time - START),
    ).to.deep.equal([-365 * DAY + HOUR, -365 * DAY + 2 * HOUR, HOUR])
  })

  it('forward by a day skips an old daily slot with a reason, unless the job wants missed slots', async () => {
    const rig = await tests.start()
    const daily = await rig.task('0 6 * * *', { notify: { channel: 'silent' } })
    const wanted = await rig.task('0 6 * * *', { notify: { channel: 'silent' }, missed: 'once' })
    const unwanted = await rig.task('30 11 * * *', { notify: { channel: 'silent' }, missed: 'skip' })
    await rig.jump(START + 36 * HOUR)
    expect(await slotsOf(rig, daily, 'skipped')).to.deep.equal([START + 6 * HOUR, START + 30 * HOUR])
    expect((await rig.runs(daily))[0]?.error).to.match(/more than an hour ago/)
    expect(await slotsOf(rig, wanted, 'ok')).to.deep.equal([START + 30 * HOUR])
    expect(await slotsOf(rig, unwanted, 'ok')).to.deep.equal([])
    expect(await slotsOf(rig, unwanted, 'skipped')).to.have.length(2)
  })

  it('forward by years records a bounded number of slots, the first for all earlier ones', async () => {
    const rig = await tests.start()
    const id = await rig.task('* * * * * *', { notify: { channel: 'silent' } })
    await rig.jump(START + 1000 * DAY)
    const runs = (await rig.runs(id)).filter(({ state }) => state === 'skipped')
    expect(runs.length).to.be.within(90, 101)
    const { data } = await rig.rpc<{ runs: { slot: string; error?: string }[] }>('jobs:runs', {
      id,
      limit: 100,
      before: runs.at(-1)?.id,
    })
    expect([...runs, ...data.runs].find(({ slot }) => slot === String(START + 1_000))?.error).to.match(
      /all others before/,
    )
  })

  it('while the host is stopped counts as a jump', async () => {
    const first = await tests.start()
    const id = await first.task('0 * * * *', { notify: { channel: 'silent' } })
    await first.pass(HOUR)
    await first.stop(true)
    const later = await tests.start({ data: first.data, at: START + 5 * HOUR + 10 * MINUTE })
    await later.pass(1)
    expect(await slotsOf(later, id, 'ok')).to.deep.equal([START + HOUR, START + 5 * HOUR])
    expect(await slotsOf(later, id, 'skipped')).to.deep.equal([2, 3, 4].map((hour) => START + hour * HOUR))
    await later.stop(true)
    const before = await tests.start({ data: first.data, at: START + 3 * HOUR })
    await before.pass(3 * HOUR)
    // The slot of 4:00 had been skipped by the clock that was ahead, and that of 5:00 has run.
    expect(await slotsOf(before, id, 'ok')).to.deep.equal([1, 5, 4, 6].map((hour) => START + hour * HOUR))
  })

  for (const database of [true, false])
    it(`forward by a day and back leaves every slot to come (${database ? 'database' : 'memory'})`, async () => {
      const rig = await tests.start({ database })
      const notify = { channel: 'silent' }
      const daily = await rig.task('0 6 * * *', { notify })
      const hourly = await rig.task('0 * * * *', { notify })
      const skipping = await rig.task('30 7 * * *', { notify, missed: 'skip' })
      const { id: single } = await rig.jobs.add({
        trigger: { kind: 'schedule', schedule: { at: START + 8 * HOUR } },
        action: { kind: 'agent', prompt: 'x' },
        notify: { channel: 'silent' },
        creator: { kind: 'console' },
      })
      await rig.jump(START + 36 * HOUR + 10 * MINUTE)
      expect(await slotsOf(rig, daily, 'skipped')).to.deep.equal([START + 6 * HOUR, START + 30 * HOUR])
      await rig.jump(START + MINUTE)
      for (let n = 0; n < 32; n++) await rig.pass(HOUR)
      expect(await slotsOf(rig, daily, 'ok')).to.deep.equal([START + 6 * HOUR, START + 30 * HOUR])
      expect(await slotsOf(rig, skipping, 'ok')).to.deep.equal([START + 7.5 * HOUR, START + 31.5 * HOUR])
      expect(await slotsOf(rig, single, 'ok')).to.deep.equal([START + 8 * HOUR])
      // The slot that ran for the missed ones is not repeated.
      expect(await slotsOf(rig, hourly, 'ok')).to.deep.equal([
        START + 36 * HOUR,
        ...Array.from({ length: 32 }, (_, n) => START + (n + 1) * HOUR),
      ])
      expect(await slotsOf(rig, hourly, 'skipped')).to.deep.equal([])
    })
})
