import { expect } from 'chai'
import type { JobIndex } from './engine/job-index.js'
import { eachTest, MINUTE, Rig, type Options } from './test/support.js'

interface List {
  readonly matching: number
  readonly failed: number
  readonly paused: number
  readonly persistent: readonly { readonly id: string; readonly label: string; readonly nextRuns: readonly number[] }[]
  readonly total: number
  readonly nextBefore?: string
}
const COUNT = 2_500
const indexOf = (rig: Rig): JobIndex => (rig.jobs as unknown as { index: JobIndex }).index

describe('TaskViews', () => {
  const tests = eachTest()
  const filled = async (options?: Options): Promise<Rig> => {
    const rig = await tests.start(options)
    await rig.jobs.addAll(
      Array.from({ length: COUNT }, (_, n) => ({
        label: `task ${n}`,
        trigger: { kind: 'schedule', schedule: { cron: `${n % 60} ${n % 24} * * *` } },
        action: { kind: 'agent', prompt: 'look' },
        notify: { channel: 'silent' },
        creator: { kind: 'console' },
      })),
    )
    // A job that is no task is neither listed nor counted.
    await rig.jobs.add({
      trigger: { kind: 'im' },
      action: { kind: 'agent', prompt: 'by hand' },
      notify: { channel: 'silent' },
      creator: { kind: 'console' },
    })
    return rig
  }
  const page = async (rig: Rig, params: Record<string, unknown> = {}): Promise<List> =>
    (await rig.rpc<List>('cron:list', params)).data

  it('pages through thousands of tasks, newest first, each once', async () => {
    const rig = await filled({ database: false })
    const first = await page(rig)
    expect(first.persistent).to.have.length(500)
    expect(first.persistent[0]).to.include({ label: `task ${COUNT - 1}` })
    const labels: string[] = []
    for (let list = first; ; list = await page(rig, { before: list.nextBefore })) {
      expect(list.total).to.equal(COUNT)
      labels.push(...list.persistent.map(({ label }) => label))
      if (list.nextBefore === undefined) break
    }
    expect(labels).to.deep.equal(Array.from({ length: COUNT }, (_, n) => `task ${COUNT - 1 - n}`))
  })

  it('computes next runs for the tasks of the page only', async () => {
    const rig = await filled({ database: false })
    const index = indexOf(rig)
    const upcoming = index.upcoming.bind(index)
    const asked: string[] = []
    index.upcoming = (id, now) => {
      asked.push(id)
      return upcoming(id, now)
    }
    const { persistent, nextBefore } = await page(rig, { limit: 20 })
    expect(persistent).to.have.length(20)
    expect(nextBefore).to.equal(persistent.at(-1)?.id)
    expect(asked).to.have.members(persistent.map(({ id }) => id))
    expect(persistent.every(({ nextRuns }) => nextRuns.length === 5)).to.equal(true)
  })

  it('finds tasks by their texts and state on any page', async () => {
    const rig = await filled({ database: false })
    const {
      persistent: [oldest],
    } = await page(rig, { search: '  TASK 0 ' })
    expect(oldest).to.include({ label: 'task 0' })
    expect(await page(rig, { search: 'task 0' })).to.include({ matching: 1, total: COUNT })
    expect((await page(rig, { search: oldest?.id })).persistent.map(({ label }) => label)).to.deep.equal(['task 0'])
    expect(await page(rig, { search: 'nothing like it' })).to.deep.include({
      persistent: [],
      matching: 0,
      total: COUNT,
    })
    expect(await page(rig, { state: 'paused' })).to.include({ matching: 0, paused: 0, failed: 0 })
    await rig.rpc('cron:pause', { id: oldest?.id })
    expect(await page(rig, { state: 'paused', limit: 1 }))
      .to.include({ matching: 1, paused: 1, failed: 0 })
      .and.have.nested.property('persistent[0].label', 'task 0')
    // Pages of the matches contain each match once.
    const first = await page(rig, { search: 'task 24', limit: 100 })
    const second = await page(rig, { search: 'task 24', limit: 100, before: first.nextBefore })
    expect([...first.persistent, ...second.persistent].length).to.equal(first.matching)
    expect(second.nextBefore).to.equal(undefined)
    expect((await rig.rpc<{ label: string }>('cron:get', { id: oldest?.id })).data).to.include({ label: 'task 0' })
    expect(await rig.rpc('cron:get', { id: 'nobody' })).to.include({ success: false, code: 'not_found' })
  })

  it('yields to the event loop while thousands of tasks are due', async () => {
    let turn = 0
    let watches = true
    const next = (): void => {
      turn++
      if (watches) setImmediate(next)
    }
    const begun = new Map<number, number>()
    const rig = await tests.start({
      database: false,
      agent: () => {
        begun.set(turn, (begun.get(turn) ?? 0) + 1)
        return 'x'
      },
    })
    await rig.jobs.addAll(
      Array.from({ length: COUNT }, () => ({
        trigger: { kind: 'schedule', schedule: { cron: '* * * * *' } },
        action: { kind: 'agent', prompt: 'look' },
        notify: { channel: 'silent' },
        creator: { kind: 'console' },
      })),
    )
    setImmediate(next)
    await rig.pass(MINUTE)
    watches = false
    expect(rig.prompts).to.have.length(COUNT)
    // Four runs are active at once, and each may be followed by another.
    expect(Math.max(...begun.values())).to.be.at.most(8)
  })

  it('refuses an invalid page size with its path', async () => {
    const rig = await tests.start({ database: false })
    for (const limit of [0, 1_001, 1.5, 'all'])
      expect(await rig.rpc('cron:list', { limit }))
        .to.deep.include({ status: 400, code: 'invalid_request' })
        .and.have.nested.property('details[0].path', 'limit')
    expect(await page(rig, { before: 'nothing-is-before-it' })).to.deep.include({ persistent: [], total: 0 })
  })

  it('keeps thousands of tasks and their times after a restart', async function () {
    this.timeout(60_000)
    const one = await filled()
    const times = new Map(one.jobs.list().map(({ id, nextRun }) => [id, nextRun]))
    await one.stop(true)
    const two = await tests.start({ data: one.data })
    expect(new Map(two.jobs.list().map(({ id, nextRun }) => [id, nextRun]))).to.deep.equal(times)
    expect(times.size).to.equal(COUNT + 1)
  })
})
