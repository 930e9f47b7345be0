import { expect } from 'chai'
import { shortName } from '../../lib/format.js'
import { day, EMPTY_FORM, fieldsOf, formOf, inOrder, parametersOf, problemOf } from './model.js'
import { describeCron } from './describe-cron.js'
import type { Task } from './wire.js'

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
  it('are sorted with failed ones first, then by next run, paused ones last', () => {
    expect(
      inOrder([
        task('late', { nextRun: 9 }),
        task('paused', { enabled: false }),
        task('soon', { nextRun: 3 }),
        task('bad', { nextRun: 99, lastStatus: 'error' }),
        task('unsent', { nextRun: 100, lastStatus: 'undelivered' }),
      ]).map(({ id }) => id),
    ).to.deep.equal(['bad', 'unsent', 'soon', 'late', 'paused'])
  })

  it('fill the coming day with known runs, continued if evenly spaced', () => {
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

  it('are not continued if unevenly spaced or faster than a minute', () => {
    expect(day([task('x', { nextRuns: [NOW + HOUR, NOW + 2 * HOUR, NOW + 4 * HOUR] })], [], NOW).runs).to.equal(3)
    expect(day([task('x', { nextRuns: [NOW + 1000, NOW + 2000, NOW + 3000] })], [], NOW).runs).to.equal(3)
    expect(day([], [], NOW).fullest).to.equal(undefined)
  })
})

describe('the task form', () => {
  it('round-trips a task', () => {
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

  it('reports the first missing field', () => {
    const form = { ...EMPTY_FORM, prompt: 'x' }
    expect(problemOf(form)).to.equal(undefined)
    expect(problemOf({ ...form, cron: '* * *' })).to.equal('cron')
    expect(problemOf({ ...form, prompt: ' ' })).to.equal('prompt')
    expect(problemOf({ ...form, channel: 'im', platform: 'irc', endpointId: 'libera' })).to.equal('target')
    expect(problemOf({ ...form, channel: 'ha' })).to.equal('service')
    expect(fieldsOf('  0  9 * * * ')).to.deep.equal(['0', '9', '*', '*', '*'])
  })

  it('describes expressions in both languages, and nothing else', () => {
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
