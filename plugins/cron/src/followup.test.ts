import { expect } from 'chai'
import { toolTests } from './test/people.js'
import { DAY, until } from './test/support.js'

describe('followUps', () => {
  const { start, use } = toolTests()

  it('sends a follow-up once after a restart, and replaces the pending one', async () => {
    const rig = await start()
    await use(rig, 'schedule_followup', { action: 'create', delay_minutes: 30, message: 'first' }, 'anybody')
    const [old] = rig.jobs.list()
    await use(rig, 'schedule_followup', { action: 'create', delay_minutes: 60, message: 'second' }, 'anybody')
    await use(rig, 'schedule_followup', { action: 'create', delay_minutes: 45, message: 'of the owner' }, 'owner')
    expect(rig.jobs.list()).to.have.length(2)
    expect((await rig.runs(old?.id ?? ''))[0]).to.include({
      state: 'skipped',
      error: 'cancelled: a newer one took its place',
    })
    await rig.stop(true)
    const later = await start({ data: rig.data, at: rig.clock.now() + 2 * DAY })
    await later.pass(1)
    await until(() => later.sent.length === 2)
    expect(later.sent.map(({ text, target }) => `${target.id}: ${text}`).sort()).to.deep.equal([
      'anybody: second',
      'owner: of the owner',
    ])
    expect([later.jobs.list(), later.prompts]).to.deep.equal([[], []])
  })
})
