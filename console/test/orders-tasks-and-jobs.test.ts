// Scheduled tasks, jobs and their runs as the pages show them.
import { expect } from 'chai'
import { shortName } from '../src/lib/format.js'
import { day, EMPTY_FORM, fieldsOf, formOf, inOrder, parametersOf, problemOf } from '../src/pages/cron/model.js'
import { describeCron } from '../src/pages/cron/describe-cron.js'
import type { Task } from '../src/pages/cron/wire.js'
import { jobsOf, runTicks, withRun } from '../src/pages/jobs/model.js'
import type { Job } from '../src/pages/jobs/wire.js'

const NOW = Date.UTC(2026, 0, 10, 12, 7)
const HOUR = 3_600_000
const task = (id: string, more: Partial<Task> = {}): Task => ({
  id,
  cronExpression: '0 9 * * *',
  prompt: `do ${id}\nand more`,
  enabled: true,
  notify: { channel: 'log' },
  createdAt: 0,
  timezone: 'UTC',
  nextRuns: [],
  recent: [],
  failures: 0,
  ...more,
})

describe('tasks', () => {
  it('stand with what failed first, then by next run, paused ones last', () => {
    expect(
      inOrder([
        task('late', { nextRun: 9 }),
        task('paused', { enabled: false }),
        task('soon', { nextRun: 3 }),
        task('bad', { nextRun: 99, lastStatus: 'error' }),
      ]).map(({ id }) => id),
    ).to.deep.equal(['bad', 'soon', 'late', 'paused'])
  })

  it('fill the coming day: told runs, and on where they are evenly spaced', () => {
    const hourly = task('hourly', { nextRuns: [1, 2, 3, 4, 5].map((hours) => NOW + hours * HOUR) })
    const once = task('once', { nextRuns: [NOW + HOUR, NOW + 30 * HOUR] })
    const found = day(
      [hourly, once, task('off', { enabled: false, nextRuns: [NOW + HOUR] })],
      [{ id: 'm', expression: '', plugin: 'p', running: false, nextRun: NOW + 60_000 }],
      NOW,
    )
    expect(found.runs).to.equal(24)
    expect(found.fullest).to.deep.include({ count: 2 })
    expect(found.ticks).to.have.length(96)
    expect(found.names[0]).to.deep.equal([])
    expect(found.ticks[0]?.value).to.be.greaterThan(0)
  })

  it('do not go on by themselves where the spacing is uneven, nor faster than a minute', () => {
    expect(day([task('x', { nextRuns: [NOW + HOUR, NOW + 2 * HOUR, NOW + 4 * HOUR] })], [], NOW).runs).to.equal(3)
    expect(day([task('x', { nextRuns: [NOW + 1000, NOW + 2000, NOW + 3000] })], [], NOW).runs).to.equal(3)
    expect(day([], [], NOW).fullest).to.equal(undefined)
  })
})

describe('the form of a task', () => {
  it('gives back what a task was made of', () => {
    const made = task('a', {
      label: 'A',
      timezone: 'Europe/Berlin',
      notify: { channel: 'im', platform: 'irc', endpointId: 'libera', sceneId: '#a', scope: 'group' },
    })
    expect(parametersOf(formOf(made))).to.deep.equal({
      cronExpression: made.cronExpression,
      prompt: made.prompt,
      notify: made.notify,
      label: 'A',
      timezone: 'Europe/Berlin',
    })
  })

  it('says the first thing that is missing', () => {
    const form = { ...EMPTY_FORM, prompt: 'x' }
    expect(problemOf(form)).to.equal(undefined)
    expect(problemOf({ ...form, cron: '* * *' })).to.equal('cron')
    expect(problemOf({ ...form, prompt: ' ' })).to.equal('prompt')
    expect(problemOf({ ...form, channel: 'im', platform: 'irc', endpointId: 'libera' })).to.equal('target')
    expect(problemOf({ ...form, channel: 'ha' })).to.equal('service')
    expect(fieldsOf('  0  9 * * * ')).to.deep.equal(['0', '9', '*', '*', '*'])
  })

  it('has words in both languages, and none for what is no expression', () => {
    expect(describeCron('30 17 * * 1-5', 'en')).to.match(/17:30.*Monday through Friday/)
    expect(describeCron('30 17 * * 1-5', 'zh-CN')).to.match(/17:30/).and.to.match(/星期/)
    for (const text of ['', 'nonsense', '99 99 * * *']) expect(describeCron(text, 'en'), text).to.equal(undefined)
  })
})

describe('names', () => {
  it('are the first line of a prompt, cut at a word where it is long', () => {
    expect(shortName('Write the notes\nof today')).to.equal('Write the notes')
    expect(shortName('Sum up what happened in the last 24 hours in all channels, and say more')).to.equal(
      'Sum up what happened in the last 24 hours in all channels…',
    )
    expect(shortName('x'.repeat(80))).to.equal(`${'x'.repeat(60)}…`)
    expect(shortName('')).to.equal('')
  })
})

describe('jobs', () => {
  const job = (id: string, trigger: Job['trigger'], lastStatus?: 'ok' | 'error', lastRunAt = 0): Job => ({
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
  it('stand with failed ones first, then what ran last, by kind', () => {
    const all = [
      job('a', { kind: 'schedule', schedule: { cron: '0 9 * * *' } }, 'ok', 5),
      job('b', { kind: 'event', source: 'door' }, 'error', 1),
      job('c', { kind: 'heartbeat' }, 'ok', 9),
      job('d', { kind: 'im' }),
    ]
    expect(jobsOf(all, '').map(({ id }) => id)).to.deep.equal(['b', 'c', 'a', 'd'])
    expect(jobsOf(all, 'clock').map(({ id }) => id)).to.deep.equal(['c', 'a'])
    expect(jobsOf(all, 'failed').map(({ id }) => id)).to.deep.equal(['b'])
    expect(jobsOf(all, 'hand').map(({ id }) => id)).to.deep.equal(['d'])
  })

  it('show their last thirty runs, the latest at the right, what has not been as empty', () => {
    const ticks = runTicks([{ state: 'ok' }, { state: 'error' }])
    expect(ticks).to.have.length(30)
    expect(ticks.slice(-2).map((tick) => tick.tone)).to.deep.equal(['on', 'err'])
    expect(ticks[0]).to.deep.equal({ value: 0, tone: 'off' })
    expect(runTicks(Array.from({ length: 40 }, () => ({ state: 'ok' as const })))).to.have.length(30)
  })

  it('take a run of the stream in place of the same one, else above', () => {
    const run = { id: '1', jobId: 'j', slot: 'a', state: 'running' as const, attempt: 1 }
    expect(withRun([run], { ...run, state: 'ok' })).to.deep.equal([{ ...run, state: 'ok' }])
    expect(withRun([run], { ...run, id: '2' }).map(({ id }) => id)).to.deep.equal(['2', '1'])
  })
})
