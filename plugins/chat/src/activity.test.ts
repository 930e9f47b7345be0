import { expect } from 'chai'
import { ActivityLog } from './activity.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const KEY = { adapter: 'test', endpoint: 'one' } as const

describe('ActivityLog over a day and a week', () => {
  let now: number
  let log: ActivityLog
  beforeEach(() => {
    // An hour's begin, so that the hours of the test are whole ones.
    now = 1_000 * 24 * HOUR_MS
    log = new ActivityLog(() => now)
    log.setStatus(KEY, 'online')
  })
  const sums = (values: readonly number[] = []): number => values.reduce((total, value) => total + value, 0)

  it('joins minutes to steps, with the worst state of each', () => {
    log.count(KEY, 'received')
    now += 29 * MINUTE_MS
    log.setStatus(KEY, 'pending')
    log.setStatus(KEY, 'online')
    now += MINUTE_MS
    log.setStatus(KEY, 'offline')
    now += MINUTE_MS
    log.setStatus(KEY, 'online')
    log.count(KEY, 'received')
    log.count(KEY, 'sent')
    now += 28 * MINUTE_MS
    const { from, step, endpoints } = log.summary({ minutes: 120, step: 30 })
    expect({ from, step }).to.deep.equal({ from: now + MINUTE_MS - 2 * HOUR_MS, step: 30 * MINUTE_MS })
    expect(endpoints[0]).to.deep.include({ received: [0, 0, 1, 1], sent: [0, 0, 0, 1], status: '--ox' })
  })

  it('keeps a week by the hour, and counts every message once', () => {
    for (let hour = 0; hour < 170; hour++) {
      for (let index = 0; index < 3; index++) log.count(KEY, 'received')
      if (hour === 100) log.setStatus(KEY, 'offline')
      now += 10 * MINUTE_MS
      if (hour === 100) log.setStatus(KEY, 'online')
      now += 50 * MINUTE_MS
    }
    now -= MINUTE_MS
    const week = log.summary({ minutes: 10_080, step: 180 })
    expect(week.step).to.equal(3 * HOUR_MS)
    expect(week.endpoints[0]?.received).to.deep.equal(Array.from({ length: 56 }, () => 9))
    expect([...(week.endpoints[0]?.status ?? '')].filter((letter) => letter === 'x')).to.have.length(1)
    expect(week.from).to.equal(now + MINUTE_MS - 168 * HOUR_MS)
    expect(sums(log.summary({ minutes: 1_440, step: 30 }).endpoints[0]?.received)).to.equal(24 * 3)
    expect(log.summary({ minutes: 1_440, step: 30 }).endpoints[0]?.received).to.have.length(48)
  })

  it('rounds the steps of a week to whole hours', () => {
    expect(log.summary({ minutes: 2_000 }).step).to.equal(HOUR_MS)
    expect(log.summary({ minutes: 2_000, step: 61 }).step).to.equal(2 * HOUR_MS)
    expect(log.summary({ minutes: 2_000, step: 61 }).endpoints[0]?.received).to.have.length(17)
  })

  it('counts all answers, also beyond those whose times it remembers', () => {
    for (let index = 0; index < 3_000; index++) {
      if (index % 100 === 0) now += 10 * MINUTE_MS
      log.addAnswerTime(KEY, now, 100)
    }
    expect(log.summary({ minutes: 60 }).answers).to.deep.equal({ count: 600, medianMs: 100 })
    expect(log.summary({ minutes: 1_440, step: 30 }).answers.count).to.equal(3_000)
    expect(log.summary({ minutes: 10_080, step: 180 }).answers.count).to.equal(3_000)
    log.forget(KEY)
    log.addAnswerTime(KEY, now, 100)
    expect(log.summary({ minutes: 60 })).to.deep.include({ endpoints: [] })
  })
})
