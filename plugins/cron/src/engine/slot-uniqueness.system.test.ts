import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { onEverySystem } from '@mynah/plugin-database/testing'
import { SkipJob, type JobActionKind } from '../api.js'
import { Engine } from './engine.js'
import { RunCounters } from './run-counters.js'
import { DatabaseJobs } from '../store/database-jobs.js'
import { JobRows, RunRows } from '../store/records.js'
import { slotRounds } from '../test/slot-rounds.js'
import { MINUTE, until, WallClock } from '../test/support.js'

describe('slots under kill -9', () => {
  it('run at most once and have a row each', async function () {
    this.timeout(60_000)
    const folder = await mkdtemp(join(tmpdir(), 'mynah-slots-'))
    try {
      const { slots, twice, missing, hanging } = await slotRounds(folder, 3, { hanging: 5 })
      expect(slots).to.be.greaterThan(5)
      expect({ twice, missing }).to.deep.equal({ twice: 0, missing: 0 })
      expect(Object.values(hanging).reduce((sum, count) => sum + count, 0)).to.equal(15)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

onEverySystem('two engines on one database', (open) => {
  it('run each slot once', async () => {
    const { store: database } = await open()
    await database.contribute([JobRows, RunRows])
    const clock = new WallClock()
    const control = new AbortController()
    const ran: string[] = []
    const kind = {
      kind: 'agent',
      run: (_: unknown, { runId }: { runId: string }) => {
        ran.push(runId)
        return Promise.resolve({})
      },
    } as unknown as JobActionKind
    const make = () =>
      new Engine(
        {
          store: new DatabaseJobs(database),
          clock,
          log: { debug() {}, info() {}, warn() {}, error() {} },
          signal: control.signal,
          settings: { concurrency: 4, runTimeoutMs: 0, timezone: 'UTC' },
          counters: new RunCounters(),
          collaborators: {
            locale: 'en',
            redact: (text) => text,
            owner: () => undefined,
            rolesOf: () => new Set(['user'] as const),
            approvals: () => undefined,
            action: (name) => {
              if (name !== 'agent') throw new SkipJob('none')
              return kind
            },
            notifier: () => undefined,
            checkAction() {},
          },
        },
        () => {},
      )
    const [one, two] = [make(), make()]
    const { id } = await one.add({
      trigger: { kind: 'schedule', schedule: { cron: '* * * * *' } },
      action: { kind: 'agent', prompt: 'x' },
      notify: { channel: 'silent' },
      creator: { kind: 'console' },
    })
    await two.load()
    for (const engine of [one, two]) engine.start()
    for (let n = 1; n <= 10; n++) {
      await clock.advance(MINUTE)
      await until(async () => {
        await Promise.all([one.slotsTaken(), two.slotsTaken()])
        return ran.length === n
      })
      await Promise.all(
        [one, two].map(async (engine) => {
          await until(() => !engine.runner.pool.isBusy(id))
        }),
      )
    }
    expect(new Set(ran).size).to.equal(10)
    const rows = await database.read((db) => db.find(RunRows))
    expect(rows.filter(({ state }) => state === 'ok')).to.have.length(10)
    await Promise.all([one.stop(), two.stop()])
    await Promise.all([one.runner.idle(), two.runner.idle()])
    control.abort()
  })
})
