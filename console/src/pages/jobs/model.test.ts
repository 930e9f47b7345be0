import { expect } from 'chai'
import { jobsOf, runTicks, withRun } from './model.js'
import type { Job } from './wire.js'

describe('jobs', () => {
  const job = (
    id: string,
    trigger: Job['trigger'],
    lastStatus?: 'ok' | 'error' | 'undelivered',
    lastRunAt = 0,
  ): Job => ({
    id,
    enabled: true,
    trigger,
    action: { kind: 'agent', prompt: '' },
    notify: { channel: 'log' },
    createdAt: 0,
    recent: [],
    failures: 0,
    state: { lastRunAt, ...(lastStatus ? { lastStatus } : {}) },
  })
  it('are sorted with failed ones first, then by last run, and filtered by kind', () => {
    const all = [
      job('a', { kind: 'schedule', schedule: { cron: '0 9 * * *' } }, 'ok', 5),
      job('b', { kind: 'event', source: 'door' }, 'error', 1),
      job('c', { kind: 'heartbeat' }, 'ok', 9),
      job('d', { kind: 'im' }),
      job('e', { kind: 'event', source: 'door' }, 'undelivered', 0),
    ]
    expect(jobsOf(all, '').map(({ id }) => id)).to.deep.equal(['b', 'e', 'c', 'a', 'd'])
    expect(jobsOf(all, 'clock').map(({ id }) => id)).to.deep.equal(['c', 'a'])
    expect(jobsOf(all, 'failed').map(({ id }) => id)).to.deep.equal(['b', 'e'])
    expect(jobsOf(all, 'hand').map(({ id }) => id)).to.deep.equal(['d'])
  })

  it('show their last thirty runs, the latest at the right, padded with empty ticks', () => {
    const ticks = runTicks([{ state: 'ok' }, { state: 'error' }, { state: 'undelivered' }, { state: 'skipped' }])
    expect(ticks).to.have.length(30)
    expect(ticks.slice(-4).map((tick) => tick.tone)).to.deep.equal(['on', 'err', 'err', 'warn'])
    expect(ticks[0]).to.deep.equal({ value: 0, tone: 'off' })
    expect(runTicks(Array.from({ length: 40 }, () => ({ state: 'ok' as const })))).to.have.length(30)
  })

  it('replace a run of the same id, or add it first', () => {
    const run = { id: '1', jobId: 'j', slot: 'a', state: 'running' as const, attempt: 1 }
    expect(withRun([run], { ...run, state: 'ok' })).to.deep.equal([{ ...run, state: 'ok' }])
    expect(withRun([run], { ...run, id: '2' }).map(({ id }) => id)).to.deep.equal(['2', '1'])
  })
})
