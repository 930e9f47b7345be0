import { expect } from 'chai'
import { toolTests } from './test/people.js'
import { MINUTE, until, type Rig } from './test/support.js'

describe('cronTools', () => {
  const { start, find, use } = toolTests()

  it('adds a task with cron_add, delivers its result in the chat, lists and removes it', async () => {
    const rig = await start()
    const made = JSON.parse(
      await use(rig, 'cron_add', {
        cron_expression: '*/5 * * * *',
        prompt: 'say hello',
        notify_channel: 'im',
        timezone: 'Europe/Berlin',
      }),
    ) as { id: string; next_runs: string[]; timezone: string }
    expect(made).to.deep.include({ timezone: 'Europe/Berlin' }).and.have.property('next_runs').with.length(5)
    await rig.pass(5 * MINUTE)
    await until(() => rig.sent.length === 1)
    expect(rig.sent[0]).to.deep.equal({ target: { type: 'private', id: 'owner' }, text: 'done: say hello' })
    expect(await use(rig, 'cron_list', {}))
      .to.include(made.id)
      .and.include('last ok')
    expect(await use(rig, 'cron_remove', { id: made.id })).to.include('is removed')
    expect(await use(rig, 'cron_list', {})).to.equal('There are no tasks.')
    expect(await use(rig, 'cron_add', { cron_expression: '99 * * * *', prompt: 'x', notify_channel: 'log' })).to.match(
      /^! .*field "minute"/,
    )
  })

  it('adds a task for the agent that is asked to, and that the others do not run', async () => {
    const rig = await start()
    const task = { cron_expression: '0 0 * * *', prompt: 'x', notify_channel: 'log' }
    await use(rig, 'cron_add', task, 'owner', 's', 'ada')
    expect(rig.jobs.list()[0]?.action).to.deep.equal({ kind: 'agent', prompt: 'x', agent: 'ada' })
  })

  it('limits trusted users to their own tasks', async () => {
    const rig = await start()
    for (const name of ['cron_add', 'cron_list', 'cron_remove'])
      expect(find(name).requiredAnyRole).to.deep.equal(['trusted', 'master'])
    const { id } = JSON.parse(
      await use(rig, 'cron_add', { cron_expression: '0 0 * * *', prompt: 'secret plans', notify_channel: 'log' }),
    ) as { id: string }
    expect(await use(rig, 'cron_list', {}, 'friend')).to.equal('There are no tasks.')
    expect(await use(rig, 'cron_remove', { id }, 'friend')).to.match(/^! There is no task/)
    const mine = JSON.parse(
      await use(rig, 'cron_add', { cron_expression: '0 0 * * *', prompt: 'mine', notify_channel: 'silent' }, 'friend'),
    ) as { id: string }
    expect((await use(rig, 'cron_list', {})).split('\n')).to.have.length(2)
    expect(await use(rig, 'cron_remove', { id: mine.id }, 'friend')).to.include('is removed')
  })

  it('lets a task remove itself, and delivers its answer', async () => {
    const rig: Rig = await start({
      agent: async (_, { jobId, signal }) => {
        await use(rig, 'cron_remove', { id: jobId }, 'owner', `job|${encodeURIComponent(jobId)}`)
        return signal.aborted ? 'aborted' : 'the last answer'
      },
    })
    await use(rig, 'cron_add', { cron_expression: '*/5 * * * *', prompt: 'look once', notify_channel: 'im' })
    await rig.pass(5 * MINUTE)
    await until(() => rig.sent.length === 1)
    expect(rig.sent[0]?.text).to.equal('the last answer')
    expect(rig.jobs.list()).to.deep.equal([])
  })
})
