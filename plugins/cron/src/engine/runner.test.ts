import { expect } from 'chai'
import { WireError } from '@mynah/contract'
import { SkipJob, type Creator, type NewJob } from '../api.js'
import { eachTest, MINUTE, until, type Rig } from '../test/support.js'

const job = (more: Partial<NewJob> = {}): NewJob => ({
  trigger: { kind: 'im' },
  action: { kind: 'agent', prompt: 'x' },
  notify: { channel: 'log' },
  creator: { kind: 'console' },
  ...more,
})
const chatOf = (user: string): Creator => ({
  kind: 'chat',
  adapter: 'test',
  endpoint: 'one',
  channel: { type: 'private', id: user },
  user,
})
const im = { channel: 'im', platform: 'test', endpointId: 'one', sceneId: 'owner', scope: 'private' } as const

async function runOf(rig: Rig, id: string) {
  await rig.jobs.run(id, { evenPaused: true })
  await rig.settled()
  return (await rig.runs(id))[0]
}

describe('Runner', () => {
  const tests = eachTest()

  it('skips a slot while the previous run is active, without delaying other jobs', async () => {
    let release = (): void => {}
    const held = new Promise<string>((resolve) => {
      release = () => resolve('done')
    })
    const rig = await tests.start({ agent: (prompt) => (prompt === 'slow' ? held : 'quick') })
    const slow = await rig.task('*/10 * * * *', { prompt: 'slow', notify: { channel: 'silent' } })
    const quick = await rig.task('*/10 * * * *', { prompt: 'quick', notify: { channel: 'silent' } })
    for (let n = 0; n < 3; n++) {
      await rig.clock.advance(10 * MINUTE)
      // A quick run that is still active would be an overlap itself.
      await until(
        async () =>
          (await rig.runs(quick)).filter(({ state }) => state === 'ok').length === n + 1 &&
          (await rig.runs(slow)).length === n + 1,
      )
    }
    release()
    await rig.settled()
    expect((await rig.runs(slow)).map(({ state }) => state)).to.deep.equal(['skipped', 'skipped', 'ok'])
    expect((await rig.runs(slow))[0]?.error).to.match(/^overlap/)
    expect((await rig.runs(quick)).map(({ state }) => state)).to.deep.equal(['ok', 'ok', 'ok'])
  })

  it('runs at most four jobs at once, not counting runs that wait for a person', async () => {
    let release = (): void => {}
    const held = new Promise<string>((resolve) => {
      release = () => resolve('done')
    })
    const rig = await tests.start({
      agent: (_, call) => {
        if (call.trigger.kind === 'im' && rig.calls.length === 1) call.setWaiting(true)
        return held
      },
    })
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await rig.jobs.add(job())).id))
    for (const id of ids) await rig.jobs.run(id)
    await until(() => rig.calls.length === 5)
    release()
    await rig.settled()
    expect(rig.calls).to.have.length(8)
  })

  it('retries a transient failure after 30 s and 5 min', async () => {
    const rig = await tests.start({
      agent: () => {
        throw new WireError('upstream_unavailable', 'the line is dead')
      },
    })
    const { id } = await rig.jobs.add(job())
    await rig.jobs.run(id)
    await until(() => rig.calls.length === 1)
    for (const [pause, calls] of [
      [30_000, 2],
      [300_000, 3],
    ] as const) {
      await until(async () => {
        await rig.clock.advance(0)
        return (await rig.runs(id))[0]?.state === 'queued'
      })
      await rig.clock.advance(pause - 1)
      expect(rig.calls).to.have.length(calls - 1)
      await until(async () => {
        await rig.clock.advance(1)
        return rig.calls.length === calls
      })
    }
    await rig.settled()
    expect((await rig.runs(id))[0]).to.include({ state: 'error', attempt: 3, error: 'the line is dead' })
    expect(rig.jobs.get(id)?.state.retryCount).to.equal(2)
  })

  it('does not retry a permanent failure, and pauses the job after five in a row with one notice', async () => {
    const rig = await tests.start({
      chat: true,
      agent: () => {
        throw new Error('broken for good')
      },
    })
    const { id } = await rig.jobs.add(
      job({ label: 'Report', notify: im, trigger: { kind: 'schedule', schedule: { cron: '*/10 * * * *' } } }),
    )
    for (let n = 0; n < 7; n++) await rig.pass(10 * MINUTE)
    expect(rig.calls).to.have.length(5)
    expect(rig.jobs.get(id)).to.include({ enabled: false, failures: 5 })
    await until(() => rig.sent.length === 1)
    expect(rig.sent[0]).to.deep.include({ target: { type: 'private', id: 'owner' } })
    expect(rig.sent[0]?.text).to.match(/"Report" failed 5 times in a row and is paused: broken for good/)
    await rig.jobs.setEnabled(id, true)
    expect(rig.jobs.get(id)).to.include({ enabled: true, failures: 0 })
  })

  it('skips a run without a plugin for its action, and one that its action skips', async () => {
    const without = await tests.start({ agent: false })
    const id = await without.task('0 0 1 1 *')
    expect(await runOf(without, id)).to.include({ state: 'skipped', error: 'no agent runs on this host' })
    const rig = await tests.start({
      agent: () => {
        throw new SkipJob('not today')
      },
    })
    expect(await runOf(rig, (await rig.jobs.add(job())).id)).to.include({ state: 'skipped', error: 'not today' })
  })

  it('gives a run the roles that its creator has now', async () => {
    const rig = await tests.start({ chat: true })
    for (const creator of [
      chatOf('owner'),
      chatOf('friend'),
      chatOf('anybody'),
      { kind: 'console' },
      { kind: 'host' },
      { kind: 'event', source: 's' },
    ] as Creator[])
      await runOf(rig, (await rig.jobs.add(job({ creator, notify: { channel: 'silent' } }))).id)
    expect(rig.calls.map(({ roles }) => [...roles].at(-1))).to.deep.equal([
      'master',
      'trusted',
      'user',
      'master',
      'master',
      'user',
    ])
    const { id } = await rig.jobs.add(job({ creator: chatOf('friend'), policy: { requiresMaster: true } }))
    expect(await runOf(rig, id)).to.include({ state: 'skipped', error: 'its creator is no master any more' })
  })

  it('skips a run that needs approval on a host without approvals', async () => {
    const rig = await tests.start()
    expect(await runOf(rig, (await rig.jobs.add(job({ policy: { approval: true } }))).id)).to.include({
      state: 'skipped',
      error: 'each run needs the approval of the owner, and no plugin here asks for approvals',
    })
  })

  it('keeps the result of a run whose notice cannot be delivered', async () => {
    const rig = await tests.start({ chat: true })
    const { id } = await rig.jobs.add(job({ notify: { ...im, endpointId: 'gone' } }))
    expect(await runOf(rig, id)).to.include({
      state: 'undelivered',
      result: 'done: x',
      error: 'the result could not be delivered: There is no endpoint "gone" of "test"',
    })
    const home = await rig.jobs.add(job({ notify: { channel: 'ha', service: 'notify.phone' } }))
    expect(await runOf(rig, home.id)).to.include({ state: 'undelivered', result: 'done: x' })
  })

  it('ends a run with an error text whatever its action throws', async () => {
    const thrown: unknown[] = [
      null,
      undefined,
      Object.create(null),
      new Proxy(
        {},
        {
          get() {
            throw new Error('trap')
          },
        },
      ),
      'text',
      7,
      { message: { nested: true } },
    ]
    const rig = await tests.start({
      agent: () => {
        throw thrown[rig.calls.length - 1]
      },
    })
    for (let n = 0; n < thrown.length; n++) {
      const run = await runOf(rig, (await rig.jobs.add(job())).id)
      expect(run?.state).to.equal('error')
      expect(run?.error).to.be.a('string')
    }
  })

  it('runs a handler with checked arguments', async () => {
    const rig = await tests.start({
      handlers: [
        {
          name: 'greet',
          check(args) {
            if (args !== 'world') throw new WireError('invalid_request', 'args must be world')
          },
          run: (args) => `hello ${String(args)}`,
        },
      ],
    })
    const { id } = await rig.jobs.add(job({ action: { kind: 'handler', handler: 'greet', args: 'world' } }))
    expect(await runOf(rig, id)).to.include({ state: 'ok', result: 'hello world' })
    for (const action of [
      { kind: 'handler', handler: 'greet', args: 'moon' },
      { kind: 'handler', handler: 'none' },
    ] as const) {
      const refused: unknown = await rig.jobs.add(job({ action })).catch((error: unknown) => error)
      expect(refused).to.be.instanceOf(WireError)
    }
  })

  it('reports interrupted runs after a crash, and executes the queued ones', async () => {
    const first = await tests.start({ chat: true, agent: () => new Promise<string>(() => {}) })
    const ids = await Promise.all(
      Array.from(
        { length: 6 },
        async (_, n) => (await first.jobs.add(job({ label: `job ${n}`, notify: im, once: n % 2 === 0 }))).id,
      ),
    )
    for (const id of ids) await first.jobs.run(id)
    await until(() => first.calls.length === 4)
    await until(async () =>
      (await Promise.all(ids.slice(0, 4).map((id) => first.runs(id)))).every(([run]) => run?.state === 'running'),
    )
    const stopping = first.stop(true)
    for (let n = 0; n < 8; n++) await first.clock.advance(5_000)
    await stopping
    const second = await tests.start({ data: first.data, chat: true, at: first.clock.now() })
    await second.settled()
    const states = (await Promise.all(ids.map((id) => second.runs(id)))).map(([run]) => run?.state)
    expect(states).to.deep.equal(['interrupted', 'interrupted', 'interrupted', 'interrupted', 'ok', 'ok'])
    expect(second.calls).to.have.length(2)
    await until(() => second.sent.length === 6)
    expect(second.sent.filter(({ text }) => /"job \d" was interrupted/.test(text))).to.have.length(4)
    await second.settled()
    // One-time jobs are removed however they ended. The others wait for their next slot.
    expect(
      second.jobs
        .list()
        .map(({ id }) => id)
        .sort(),
    ).to.deep.equal(ids.filter((_, n) => n % 2 === 1).sort())
  })
})
