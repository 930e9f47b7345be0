import { expect } from 'chai'
import type { Reader } from '@mynah/kernel'
import { metrics, type Metric, type Sample } from '@mynah/plugin-management/api'
import { friendChat, job, ownerChat, sentTo, started, untilState } from '../test/jobs.js'
import { eachTest, until, type Rig } from '../test/support.js'

describe('runs that a stop of the host has interrupted', () => {
  const tests = eachTest()

  /** Stops a host while its jobs run, and starts another one on its data. */
  async function restarted(notifies: readonly object[]) {
    const first = await tests.start({ chat: true, hangs: true, agent: () => new Promise(() => {}) })
    const ids: string[] = []
    for (const [n, notify] of notifies.entries())
      ids.push(await started(first, job({ label: `job ${n}`, notify: notify as never })))
    await until(() => first.calls.length === notifies.length)
    for (const id of ids) await untilState(first, id, 'running')
    await first.stop(true)
    let found: Reader<Metric> | undefined
    const second: Rig = await tests.start({
      data: first.data,
      chat: true,
      at: first.clock.now(),
      setup: (ctx) => {
        found = ctx.read(metrics)
      },
    })
    for (const id of ids) await untilState(second, id, 'interrupted')
    const counted = async (): Promise<number | undefined> => {
      const samples = (await found?.get('mynah_job_runs_total')?.value.collect()) as readonly Sample[] | undefined
      return samples?.find(({ labels }) => labels?.state === 'interrupted')?.value
    }
    return { rig: second, ids, counted }
  }

  it('are reported to the channel of each job, and to the owner at once', async () => {
    const { rig, counted } = await restarted([friendChat, ownerChat, { channel: 'log' }])
    await until(() => rig.sent.length === 3)
    await rig.settled()
    const of = (n: number): string =>
      `The task "job ${n}" was interrupted by a stop of the host and was not started again.`
    expect(sentTo(rig, 'friend')).to.deep.equal([of(0)])
    expect(sentTo(rig, 'owner').sort()).to.deep.equal(
      [of(1), 'Tasks that a stop of the host has interrupted: 2. They were not started again: job 0, job 2'].sort(),
    )
    expect(rig.logged.some((line) => line.endsWith(of(2)))).to.equal(true)
    expect(await counted()).to.equal(3)
  })

  it('are logged in one line with their number', async () => {
    const { rig, ids } = await restarted([{ channel: 'silent' }, { channel: 'silent' }])
    const lines = rig.log.filter(({ message }) => message.startsWith('runs that the last stop'))
    expect(lines.map(({ level, message }) => `${level} ${message}`)).to.deep.equal([
      'warn runs that the last stop of the host has interrupted: 2',
    ])
    expect(lines[0]?.fields?.jobs).to.deep.equal(ids)
  })

  it('are reported once, also over a further restart', async () => {
    const { rig } = await restarted([friendChat])
    await until(() => rig.sent.length === 2)
    await rig.settled()
    await rig.stop(true)
    const third = await tests.start({ data: rig.data, chat: true, at: rig.clock.now() })
    await third.settled()
    expect(third.sent).to.deep.equal([])
  })
})
