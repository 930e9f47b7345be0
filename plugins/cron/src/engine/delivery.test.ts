import { expect } from 'chai'
import type { Reader } from '@mynah/kernel'
import { SendError } from '@mynah/plugin-chat/api'
import { metrics, type Metric } from '@mynah/plugin-management/api'
import { jobHandlers, jobNotifier, jobNotifiers, type Notice } from '../api.js'
import { friendChat, handlerJob, job, lastRun, sentTo, started, untilState } from '../test/jobs.js'
import { eachTest, MINUTE, until } from '../test/support.js'

const text = (lastPart: string): string => 'x'.repeat(8_190) + lastPart
describe('the delivery of a result', () => {
  const tests = eachTest()

  for (const database of [true, false]) {
    it(`is whole, while the row keeps a part with a mark (${database ? 'database' : 'memory'})`, async () => {
      const whole = text('😀 and the end')
      const rig = await tests.start({ database, chat: true, agent: () => whole })
      const id = await started(rig, job({ notify: friendChat }))
      const run = await untilState(rig, id, 'ok')
      expect(run.result).to.equal(text('…'))
      expect(rig.sent.map(({ text: sent }) => sent)).to.deep.equal([whole])
    })

    it(`that fails makes the run undelivered, and notifies the owner (${database ? 'database' : 'memory'})`, async () => {
      const rig = await tests.start({
        database,
        chat: true,
        send: async ({ id }) => {
          if (id === 'friend') throw new SendError('refused', 'the user has blocked the bot')
        },
      })
      const id = await started(rig, job({ label: 'News', notify: friendChat }))
      const reason = 'The message cannot be sent: the user has blocked the bot'
      expect(await untilState(rig, id, 'undelivered')).to.include({
        result: 'done: x',
        error: `the result could not be delivered: ${reason}`,
      })
      expect(rig.jobs.get(id)).to.deep.include({ failures: 1 })
      expect(rig.jobs.get(id)?.state).to.include({ lastStatus: 'undelivered' })
      await until(() => rig.sent.length === 1)
      expect(sentTo(rig, 'owner')).to.deep.equal([
        `The task "News" has run, and its result did not arrive: ${reason}. The console keeps the result.`,
      ])
    })
  }

  it('is formatted as answers are where it is one, and literal where a function has made it', async () => {
    const rig = await tests.start({
      chat: true,
      agent: () => '**ripe** plums, `a*b`',
      setup: (ctx) => void ctx.contribute(jobHandlers, { name: 'shout', run: () => Promise.resolve('**ripe** plums') }),
    })
    await untilState(rig, await started(rig, job({ notify: friendChat })), 'ok')
    const handler = { kind: 'handler', handler: 'shout', args: {} } as const
    await untilState(rig, await started(rig, job({ notify: friendChat, action: handler })), 'ok')
    expect(sentTo(rig, 'friend')).to.deep.equal(['ripe plums, `a*b`', '**ripe** plums'])
  })

  for (const database of [true, false])
    it(`that did not arrive is sent again by a person, once (${database ? 'database' : 'memory'})`, async () => {
      let isBlocked = true
      const rig = await tests.start({
        database,
        chat: true,
        send: async ({ id }) => {
          if (id === 'friend' && isBlocked) throw new SendError('refused', 'the user has blocked the bot')
        },
      })
      const id = await started(rig, job({ label: 'News', notify: friendChat }))
      const run = await untilState(rig, id, 'undelivered')
      const resend = (runId: string) => rig.rpc<object>('jobs:resend', { runId })
      expect(await resend(run.id)).to.deep.include({ success: false, code: 'upstream_unavailable' })
      expect((await resend(run.id)).error).to.include('the user has blocked the bot')
      expect((await lastRun(rig, id))?.state).to.equal('undelivered')
      isBlocked = false
      expect(await resend(run.id)).to.deep.include({ success: true })
      expect(sentTo(rig, 'friend')).to.deep.equal(['done: x'])
      const after = await lastRun(rig, id)
      expect(after).to.include({ id: run.id, state: 'ok', result: 'done: x' })
      expect(after).to.not.have.property('error')
      expect(rig.jobs.get(id)).to.deep.include({ failures: 0 })
      expect(rig.jobs.get(id)?.state).to.include({ lastStatus: 'ok' }).and.not.have.property('lastError')
      expect(rig.jobs.get(id)?.recent.map(({ state }) => state)).to.deep.equal(['ok'])
      expect(await resend(run.id)).to.deep.include({ success: false, code: 'conflict' })
      expect(await resend('none')).to.deep.include({ success: false, code: 'not_found' })
      expect(sentTo(rig, 'friend')).to.have.length(1)
    })

  it('that arrives after a later run leaves the state that this one gave the job', async () => {
    let isBlocked = true
    const rig = await tests.start({
      chat: true,
      send: async ({ id }) => {
        if (id === 'friend' && isBlocked) throw new SendError('refused', 'blocked')
      },
    })
    const id = await started(rig, job({ notify: friendChat }))
    const first = await untilState(rig, id, 'undelivered')
    await rig.clock.advance(MINUTE)
    await rig.jobs.run(id)
    await until(() => rig.jobs.get(id)?.failures === 2)
    isBlocked = false
    await rig.rpc('jobs:resend', { runId: first.id })
    expect(rig.jobs.get(id)?.recent.map(({ state }) => state)).to.deep.equal(['ok', 'undelivered'])
    expect(rig.jobs.get(id)?.state).to.include({ lastStatus: 'undelivered' })
  })

  it('is counted by its outcome, and listed as failed', async () => {
    let found: Reader<Metric> | undefined
    const rig = await tests.start({
      chat: true,
      agent: () => 'text',
      setup: (ctx) => {
        found = ctx.read(metrics)
      },
    })
    const id = await rig.task('0 0 1 1 *', { notify: { ...friendChat, endpointId: 'gone' } })
    await rig.jobs.run(id)
    await untilState(rig, id, 'undelivered')
    await untilState(rig, await started(rig, job()), 'ok')
    expect(await found?.get('mynah_job_runs_total')?.value.collect()).to.deep.equal(
      Object.entries({ ok: 1, error: 0, undelivered: 1, skipped: 0, interrupted: 0 }).map(([state, value]) => ({
        value,
        labels: { state },
      })),
    )
    const { data } = await rig.rpc<{ failed: number; persistent: { id: string }[] }>('cron:list', { state: 'failed' })
    expect([data.failed, data.persistent.map((task) => task.id)]).to.deep.equal([1, [id]])
  })

  it('pauses a job whose results fail five times in a row', async () => {
    const rig = await tests.start({ chat: true, agent: () => 'text' })
    const { id } = await rig.jobs.add(
      job({
        notify: { ...friendChat, endpointId: 'gone' },
        trigger: { kind: 'schedule', schedule: { cron: '*/10 * * * *' } },
      }),
    )
    for (let n = 0; n < 7; n++) await rig.pass(10 * MINUTE)
    expect(rig.calls).to.have.length(5)
    expect(rig.jobs.get(id)).to.deep.include({ failures: 5, enabled: false })
  })

  it('that waits for its account is not ok before the message was sent', async () => {
    let isOffline = true
    const rig = await tests.start({
      chat: true,
      send: async () => {
        if (isOffline) throw new SendError('offline', 'no network')
      },
    })
    const id = await started(rig, job({ notify: friendChat }))
    await until(async () => (await lastRun(rig, id))?.error !== undefined)
    expect(await lastRun(rig, id)).to.include({ state: 'running', error: 'the message waits for the endpoint "one"' })
    isOffline = false
    rig.account.lost('reconnect')
    await until(async () => {
      await rig.clock.advance(5_000)
      return rig.sent.length === 1
    })
    await until(async () => {
      await rig.clock.advance(5_000)
      return (await lastRun(rig, id))?.state === 'ok'
    })
    expect(sentTo(rig, 'friend')).to.deep.equal(['done: x'])
  })

  it('that waits until its message is too old makes the run undelivered', async () => {
    const rig = await tests.start({
      chat: true,
      send: async ({ id }) => {
        if (id === 'friend') throw new SendError('offline', 'no network')
      },
    })
    const id = await started(rig, job({ notify: friendChat }))
    await until(async () => {
      await rig.clock.advance(10_000)
      return (await lastRun(rig, id))?.state === 'undelivered'
    })
    expect(rig.calls).to.have.length(1)
  })

  it('that hangs holds up none to another account, and fails after 10 min', async () => {
    const notices: Notice[] = []
    const rig = await tests.start({
      hangs: true,
      chat: true,
      config: { concurrency: 1 },
      handlers: [{ name: 'quick', run: () => 'text' }],
      setup: (ctx) =>
        ctx.contribute(
          jobNotifiers,
          jobNotifier<'ha'>({
            channel: 'ha',
            send: (_, notice) => {
              notices.push(notice)
              return new Promise(() => {})
            },
          }),
        ),
    })
    const ha = { channel: 'ha', service: 'notify.phone' } as const
    const hanging = await started(rig, handlerJob('quick', { notify: ha }))
    await until(() => notices.length === 1)
    await untilState(rig, await started(rig, handlerJob('quick', { notify: friendChat })), 'ok')
    await rig.clock.advance(10 * MINUTE)
    expect(await untilState(rig, hanging, 'undelivered')).to.include({
      error: 'the result could not be delivered: it was not taken within 10 min',
    })
    expect(notices[0]?.signal.aborted).to.equal(true)
  })

  it('goes on after a restart with the whole result', async () => {
    const whole = text('😀 and the end')
    const first = await tests.start({
      hangs: true,
      chat: true,
      agent: () => whole,
      setup: (ctx) =>
        ctx.contribute(jobNotifiers, jobNotifier<'ha'>({ channel: 'ha', send: () => new Promise(() => {}) })),
    })
    const id = await started(first, job({ notify: { channel: 'ha', service: 'notify.phone' } }))
    await until(async () => (await lastRun(first, id))?.result !== undefined)
    await first.stop(true)
    const sent: string[] = []
    const second = await tests.start({
      data: first.data,
      at: first.clock.now(),
      chat: true,
      setup: (ctx) =>
        ctx.contribute(
          jobNotifiers,
          jobNotifier<'ha'>({
            channel: 'ha',
            send: async (_, notice) => void sent.push(notice.text),
          }),
        ),
    })
    await untilState(second, id, 'ok')
    expect([sent, second.calls]).to.deep.equal([[whole], []])
  })
})
