import { Cron } from 'croner'
import { expect } from 'chai'
import { DAY_MS, HOUR_MS } from '@mynah/kernel/util'
import { nextRuns, timetable } from './timetable.js'

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'America/Sao_Paulo',
  'Africa/Casablanca',
  'Pacific/Apia',
] as const

/** A linear congruential generator, so that each run of the test compares the same expressions. */
class Random {
  #seed: number

  constructor(seed: number) {
    this.#seed = seed
  }

  next(): number {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0
    return this.#seed / 2 ** 32
  }

  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  /** Returns a random cron field: any value, a step, one value, a range or a list. */
  field(low: number, high: number, hasStep: boolean): string {
    const kind = this.next()
    if (kind < 0.35) return '*'
    if (kind < 0.5 && hasStep) return `*/${this.integer(1, Math.max(2, Math.floor((high - low) / 2)))}`
    if (kind < 0.7) return String(this.integer(low, high))
    const first = this.integer(low, high)
    if (kind < 0.85) return `${first}-${this.integer(first, high)}`
    return Array.from(new Set([first, this.integer(low, high), this.integer(low, high)])).join(',')
  }

  /** Returns an expression of five or six fields. Day fields have no steps, see the known differences. */
  expression(): string {
    const fields = [
      this.field(0, 59, true),
      this.field(0, 23, true),
      this.field(1, 28, false),
      this.field(1, 12, true),
      this.field(0, 6, false),
    ]
    return (this.next() < 0.3 ? [this.field(0, 59, true), ...fields] : fields).join(' ')
  }
}

const ourRuns = (cron: string, timezone: string, from: number, count: number): string[] =>
  nextRuns(timetable({ cron, timezone }, undefined), from, count).map((time) => new Date(time).toISOString())

const cronerRuns = (cron: string, timezone: string, from: number, count: number): string[] =>
  new Cron(cron, { timezone, paused: true }).nextRuns(count, new Date(from)).map((time) => time.toISOString())

/** Returns the times of day in UTC of all runs within six hours around an instant. */
function around(runs: typeof ourRuns, cron: string, timezone: string, instant: string): string {
  const middle = Date.parse(instant)
  return runs(cron, timezone, middle - 3 * HOUR_MS, 40)
    .filter((time) => Date.parse(time) < middle + 3 * HOUR_MS)
    .map((time) => time.slice(11, 16))
    .join(' ')
}

describe('nextRuns compared with croner', () => {
  for (const timezone of ZONES)
    it(`equals croner for 250 random expressions in ${timezone}`, function () {
      this.timeout(60_000)
      const random = new Random(ZONES.indexOf(timezone) + 1)
      const first = Date.UTC(2026, 0, 1)
      for (let n = 0; n < 250; n++) {
        const cron = random.expression()
        const from = first + Math.floor(random.next() * 365) * DAY_MS + random.integer(0, DAY_MS / 1_000) * 1_000
        const ours = ourRuns(cron, timezone, from, 5)
        expect(ours, `${cron} from ${new Date(from).toISOString()}`).to.deep.equal(cronerRuns(cron, timezone, from, 5))
      }
    })

  it('equals croner for a named hour that is skipped: both run at the end of the gap', () => {
    const gap = '2026-03-08T07:00:00Z'
    expect(around(ourRuns, '30 2 * * *', 'America/New_York', gap)).to.equal('07:00')
    expect(around(cronerRuns, '30 2 * * *', 'America/New_York', gap)).to.equal('07:00')
  })

  it('differs for one of several hours that is skipped: croner drops its slot', () => {
    const gap = '2026-03-08T07:00:00Z'
    expect(around(ourRuns, '30 */2 * * *', 'America/New_York', gap)).to.equal('05:30 07:00 08:30')
    expect(around(cronerRuns, '30 */2 * * *', 'America/New_York', gap)).to.equal('05:30 08:30')
  })

  it('differs for named hours that are repeated: croner runs them twice', () => {
    const fold = '2026-10-25T01:00:00Z'
    expect(around(ourRuns, '0 1-3 * * *', 'Europe/Berlin', fold)).to.equal('23:00 00:00 02:00')
    expect(around(cronerRuns, '0 1-3 * * *', 'Europe/Berlin', fold)).to.equal('23:00 00:00 01:00 02:00')
  })

  it('differs for a day field with a step: croner joins it with the other day field by OR', () => {
    const from = Date.UTC(2026, 1, 1)
    expect(ourRuns('0 0 */2 * mon', 'UTC', from, 1)).to.deep.equal(['2026-02-09T00:00:00.000Z'])
    expect(cronerRuns('0 0 */2 * mon', 'UTC', from, 1)).to.deep.equal(['2026-02-02T00:00:00.000Z'])
  })
})
