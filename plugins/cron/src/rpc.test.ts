import { expect } from 'chai'
import { eachTest, HOUR, MINUTE, until } from './test/support.js'

interface Task {
  readonly id: string
  readonly nextRun?: number
  readonly nextRuns: number[]
  readonly lastStatus?: string
  readonly recent: unknown[]
  readonly failures: number
}

describe('cron RPC', () => {
  const tests = eachTest()

  for (const durable of [true, false]) {
    it(`runs an added task at its time and records the run (${durable ? 'database' : 'memory'})`, async () => {
      const rig = await tests.start({ database: durable })
      const now = rig.clock.now()
      const { data: task, success } = await rig.rpc<Task>('cron:add', {
        cronExpression: '*/10 * * * *',
        prompt: 'look at the sky',
        label: 'Sky',
      })
      expect(success).to.equal(true)
      expect(task).to.deep.include({
        cronExpression: '*/10 * * * *',
        prompt: 'look at the sky',
        label: 'Sky',
        enabled: true,
        notify: { channel: 'log' },
        createdAt: now,
        nextRun: now + 10 * MINUTE,
        recent: [],
        failures: 0,
      })
      expect(task.nextRuns).to.deep.equal([1, 2, 3, 4, 5].map((n) => now + n * 10 * MINUTE))
      await rig.pass(10 * MINUTE - 1)
      expect(rig.prompts).to.deep.equal([])
      await rig.pass(1)
      expect(rig.prompts).to.deep.equal(['look at the sky'])
      const [run] = await rig.runs(task.id)
      expect(run).to.include({
        jobId: task.id,
        slot: String(now + 10 * MINUTE),
        state: 'ok',
        attempt: 1,
        startedAt: now + 10 * MINUTE,
        finishedAt: now + 10 * MINUTE,
        result: 'done: look at the sky',
      })
      const {
        data: {
          persistent: [row],
        },
      } = await rig.rpc<{ persistent: Task[] }>('cron:list')
      expect(row).to.deep.include({
        lastRun: now + 10 * MINUTE,
        lastStatus: 'ok',
        nextRun: now + 20 * MINUTE,
        recent: [{ slot: String(now + 10 * MINUTE), state: 'ok' }],
      })
      expect(rig.logged.some((line) => line === 'cron: Sky: done: look at the sky')).to.equal(true)
      expect(rig.log.find(({ message }) => message === '"Sky" has run')).to.deep.include({
        level: 'info',
        fields: { job: task.id, run: run?.id, slot: String(now + 10 * MINUTE), attempt: 1, notify: 'log' },
      })
    })
  }

  it('runs a paused task now with jobs:run', async () => {
    const rig = await tests.start()
    const id = await rig.task('0 0 1 1 *')
    await rig.rpc('cron:pause', { id })
    const {
      data: { runId },
    } = await rig.rpc<{ runId: string }>('jobs:run', { id })
    await rig.settled()
    expect(await rig.runs(id)).to.have.length(1)
    expect((await rig.runs(id))[0]).to.include({ id: runId, slot: `manual:${runId}`, state: 'ok' })
    expect(await rig.rpc('jobs:run', { id: 'none' })).to.include({ status: 400, code: 'not_found' })
  })

  for (const database of [true, false])
    it(`repeats a run with its input, and refuses where it has another now (${database ? 'database' : 'memory'})`, async () => {
      const rig = await tests.start({ database })
      const id = await rig.task('0 0 1 1 *')
      const repeat = (runId: string) => rig.rpc<{ runId: string }>('jobs:repeat', { runId })
      const runNow = async () => (await rig.rpc<{ runId: string }>('jobs:run', { id })).data.runId
      const first = await runNow()
      await rig.settled()
      await rig.rpc('cron:pause', { id })
      const { data } = await repeat(first)
      await rig.settled()
      const [second] = await rig.runs(id)
      expect(second).to.include({ id: data.runId, slot: `manual:${data.runId}`, state: 'ok' })
      expect(second).to.not.have.property('inputChanged')
      expect(rig.prompts).to.have.length(2)
      expect(rig.prompts[1]).to.equal(rig.prompts[0])
      // Other times and names are no other input.
      await rig.rpc('cron:update', { id, label: 'Other', cronExpression: '5 5 1 1 *' })
      expect((await rig.runs(id)).map(({ inputChanged }) => inputChanged)).to.deep.equal([undefined, undefined])
      await rig.rpc('cron:update', { id, prompt: 'other words' })
      expect((await rig.runs(id)).map(({ inputChanged }) => inputChanged)).to.deep.equal([true, true])
      expect(await repeat(first)).to.deep.include({ success: false, code: 'conflict' })
      const third = await runNow()
      await rig.settled()
      expect((await rig.runs(id)).map(({ inputChanged }) => inputChanged)).to.deep.equal([undefined, true, true])
      await rig.rpc('cron:remove', { id })
      for (const runId of [third, 'none'])
        expect(await repeat(runId)).to.deep.include({ success: false, code: 'not_found' })
      expect(rig.prompts).to.have.length(3)
    })

  it('repeats no run that has not ended, and skips a repetition whose job changes before it begins', async () => {
    const answers: (() => void)[] = []
    const rig = await tests.start({
      agent: () => new Promise<string>((resolve) => answers.push(() => resolve('done'))),
    })
    const id = await rig.task('0 0 1 1 *')
    const { data: first } = await rig.rpc<{ runId: string }>('jobs:run', { id })
    await until(() => answers.length === 1)
    expect(await rig.rpc('jobs:repeat', { runId: first.runId })).to.deep.include({ success: false, code: 'conflict' })
    answers[0]?.()
    await rig.settled()
    // The second run holds the repetition back, until the job has changed.
    await rig.rpc('jobs:run', { id })
    await until(() => answers.length === 2)
    const { data: again } = await rig.rpc<{ runId: string }>('jobs:repeat', { runId: first.runId })
    await rig.rpc('cron:update', { id, prompt: 'other words' })
    answers[1]?.()
    await rig.settled()
    expect((await rig.runs(id)).find((run) => run.id === again.runId)).to.include({
      state: 'skipped',
      error: 'its job was changed before it ran',
    })
    expect(answers).to.have.length(2)
  })

  it('pauses, resumes, changes and removes a task', async () => {
    const rig = await tests.start()
    const id = await rig.task('0 * * * *')
    expect((await rig.rpc('cron:pause', { id })).data).to.deep.equal({ success: true })
    await rig.pass(3 * HOUR)
    expect(await rig.history(id)).to.deep.equal([])
    await rig.rpc('cron:resume', { id })
    await rig.pass(HOUR)
    expect(await rig.history(id)).to.deep.equal(['2026-01-01T04:00:00.000Z ok'])
    const { data } = await rig.rpc<Task & { prompt: string; timezone: string }>('cron:update', {
      id,
      cronExpression: '30 13 * * *',
      timezone: 'Asia/Shanghai',
      prompt: 'other words',
      missed: 'skip',
    })
    expect(data).to.include({
      prompt: 'other words',
      timezone: 'Asia/Shanghai',
      missed: 'skip',
      nextRun: Date.UTC(2026, 0, 1, 5, 30),
    })
    expect((await rig.rpc('cron:remove', { id })).data).to.deep.equal({ success: true })
    await rig.pass(2 * HOUR)
    expect(rig.prompts).to.have.length(1)
    for (const method of ['cron:remove', 'cron:pause', 'cron:resume', 'cron:update'])
      expect(await rig.rpc(method, { id })).to.include({ status: 400, code: 'not_found' })
    // The runs of a removed task are kept.
    expect(await rig.history(id)).to.have.length(1)
  })

  it('refuses an expression without a next run in cron:preview and cron:add', async () => {
    const rig = await tests.start()
    for (const method of ['cron:preview', 'cron:add']) {
      expect(await rig.rpc(method, { cronExpression: '0 0 30W 2 *', prompt: 'x' }), method).to.deep.include({
        status: 400,
        code: 'invalid_request',
        details: [{ path: 'cronExpression', message: 'must have a next run' }],
      })
      expect((await rig.rpc(method, { cronExpression: '5-1 * * * *', prompt: 'x' })).error, method).to.include(
        'the field "minute" "5-1" is wrong',
      )
    }
  })

  it('names the zone in which cron:preview counts', async () => {
    const own = await tests.start({ config: { timezone: 'Europe/Berlin' } })
    const ask = async (more: object) => (await own.rpc('cron:preview', { cronExpression: '0 9 * * *', ...more })).data
    expect(await ask({})).to.deep.include({ timezone: 'Europe/Berlin' })
    expect(await ask({ timezone: 'Asia/Tokyo' })).to.deep.include({ timezone: 'Asia/Tokyo' })
    const [first] = ((await ask({})) as { nextRuns: number[] }).nextRuns
    expect(new Date(first ?? 0).toISOString()).to.match(/T08:00:00/)
  })

  it('continues a task after a restart of the host', async () => {
    const first = await tests.start()
    const id = await first.task('0 * * * *', { label: 'Hourly', notify: { channel: 'silent' } })
    await first.pass(HOUR)
    await first.stop(true)
    const second = await tests.start({ data: first.data, at: first.clock.now() })
    await second.pass(HOUR)
    expect(await second.history(id)).to.deep.equal(['2026-01-01T01:00:00.000Z ok', '2026-01-01T02:00:00.000Z ok'])
  })

  it('returns runs in pages', async () => {
    const rig = await tests.start()
    const id = await rig.task('0 * * * *', { notify: { channel: 'silent' } })
    for (let hour = 0; hour < 5; hour++) await rig.pass(HOUR)
    const { data: first } = await rig.rpc<{ runs: { id: string; slot: string }[]; nextBefore?: string }>('jobs:runs', {
      id,
      limit: 3,
    })
    const { data: second } = await rig.rpc<{ runs: { slot: string }[]; nextBefore?: string }>('jobs:runs', {
      id,
      limit: 3,
      before: first.nextBefore,
    })
    expect([...first.runs, ...second.runs].map(({ slot }) => Number(slot))).to.deep.equal(
      [5, 4, 3, 2, 1].map((hour) => Date.UTC(2026, 0, 1, hour)),
    )
    expect(second.nextBefore).to.equal(undefined)
  })
})
