import { expect } from 'chai'
import { isWireError } from '@mynah/contract'
import { nextRuns, timetable } from './timetable.js'
import { zoneOf } from './zone.js'

const at = (text: string): number => Date.parse(text)
const DAY = 86_400_000
const runs = (cron: string, timezone: string, after: string, count = 3): string[] =>
  nextRuns(timetable({ cron, timezone }, undefined), at(after), count).map((time) =>
    new Date(time).toISOString().replace('.000Z', 'Z'),
  )
const refusalOf = (cron: string, timezone = 'UTC'): string => {
  try {
    timetable({ cron, timezone }, undefined)
  } catch (error) {
    if (isWireError(error) && error.code === 'invalid_request' && error.details?.length) return error.message
    throw error
  }
  return 'taken'
}

describe('nextRuns', () => {
  it('match the fields', () => {
    expect(runs('*/20 9-10 * * *', 'UTC', '2026-03-02T09:30:00Z')).to.deep.equal([
      '2026-03-02T09:40:00Z',
      '2026-03-02T10:00:00Z',
      '2026-03-02T10:20:00Z',
    ])
    expect(runs('15,45 30 6 * * mon-fri', 'UTC', '2026-03-06T06:30:20Z')).to.deep.equal([
      '2026-03-06T06:30:45Z',
      '2026-03-09T06:30:15Z',
      '2026-03-09T06:30:45Z',
    ])
    expect(runs('0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', 2)).to.deep.equal([
      '2028-02-29T00:00:00Z',
      '2032-02-29T00:00:00Z',
    ])
    expect(runs('@weekly', 'UTC', '2026-03-02T00:00:00Z', 1)).to.deep.equal(['2026-03-08T00:00:00Z'])
    expect(runs('*/60 * * * *', 'UTC', '2026-03-02T00:56:00Z', 2)).to.deep.equal([
      '2026-03-02T01:00:00Z',
      '2026-03-02T02:00:00Z',
    ])
  })

  it('follow ranges over midnight, the new year and the weekend', () => {
    expect(runs('30 23-1 * * *', 'UTC', '2026-03-02T12:00:00Z')).to.deep.equal([
      '2026-03-02T23:30:00Z',
      '2026-03-03T00:30:00Z',
      '2026-03-03T01:30:00Z',
    ])
    expect(runs('0 0 1 nov-feb *', 'UTC', '2026-03-02T00:00:00Z', 5)).to.deep.equal([
      '2026-11-01T00:00:00Z',
      '2026-12-01T00:00:00Z',
      '2027-01-01T00:00:00Z',
      '2027-02-01T00:00:00Z',
      '2027-11-01T00:00:00Z',
    ])
    expect(runs('0 9 * * sat-sun', 'UTC', '2026-03-02T00:00:00Z')).to.deep.equal([
      '2026-03-07T09:00:00Z',
      '2026-03-08T09:00:00Z',
      '2026-03-14T09:00:00Z',
    ])
  })

  it('match either day field when both are restricted, and both when one is open', () => {
    expect(runs('0 0 13 * fri', 'UTC', '2026-02-01T00:00:00Z')).to.deep.equal([
      '2026-02-06T00:00:00Z',
      '2026-02-13T00:00:00Z',
      '2026-02-20T00:00:00Z',
    ])
    expect(runs('0 0 */2 * mon', 'UTC', '2026-02-01T00:00:00Z', 2)).to.deep.equal([
      '2026-02-09T00:00:00Z',
      '2026-02-23T00:00:00Z',
    ])
    expect(runs('0 0 ? * 7', 'UTC', '2026-02-01T00:00:00Z', 1)).to.deep.equal(['2026-02-08T00:00:00Z'])
  })

  it('support last, nearest and nth days', () => {
    expect(runs('0 0 L * *', 'UTC', '2026-02-01T00:00:00Z', 2)).to.deep.equal([
      '2026-02-28T00:00:00Z',
      '2026-03-31T00:00:00Z',
    ])
    expect(runs('0 0 L-2 * *', 'UTC', '2026-02-01T00:00:00Z', 1)).to.deep.equal(['2026-02-26T00:00:00Z'])
    expect(runs('0 0 * * 5#2', 'UTC', '2026-02-01T00:00:00Z', 2)).to.deep.equal([
      '2026-02-13T00:00:00Z',
      '2026-03-13T00:00:00Z',
    ])
    expect(runs('0 0 * * 5L', 'UTC', '2026-02-01T00:00:00Z', 1)).to.deep.equal(['2026-02-27T00:00:00Z'])
    // The 15th of August 2026 is a Saturday, the 1st a Saturday too.
    expect(runs('0 0 15W 8 *', 'UTC', '2026-02-01T00:00:00Z', 1)).to.deep.equal(['2026-08-14T00:00:00Z'])
    expect(runs('0 0 1W 8 *', 'UTC', '2026-02-01T00:00:00Z', 1)).to.deep.equal(['2026-08-03T00:00:00Z'])
    expect(runs('0 0 LW 5 *', 'UTC', '2026-02-01T00:00:00Z', 1)).to.deep.equal(['2026-05-29T00:00:00Z'])
  })

  const changes = [
    {
      zone: 'America/New_York',
      skips: {
        daily: '30 2 * * *',
        from: '2026-03-07T12:00:00Z',
        runs: ['2026-03-08T07:00:00Z', '2026-03-09T06:30:00Z'],
      },
      repeats: {
        daily: '30 1 * * *',
        from: '2026-10-31T12:00:00Z',
        runs: ['2026-11-01T05:30:00Z', '2026-11-02T06:30:00Z'],
      },
    },
    {
      zone: 'Europe/Berlin',
      skips: {
        daily: '15 2 * * *',
        from: '2026-03-28T12:00:00Z',
        runs: ['2026-03-29T01:00:00Z', '2026-03-30T00:15:00Z'],
      },
      repeats: {
        daily: '15 2 * * *',
        from: '2026-10-24T12:00:00Z',
        runs: ['2026-10-25T00:15:00Z', '2026-10-26T01:15:00Z'],
      },
    },
    // Half an hour, in the other half of the year.
    {
      zone: 'Australia/Lord_Howe',
      skips: {
        daily: '10 2 * * *',
        from: '2026-10-03T00:00:00Z',
        runs: ['2026-10-03T15:30:00Z', '2026-10-04T15:10:00Z'],
      },
      repeats: {
        daily: '45 1 * * *',
        from: '2026-04-04T00:00:00Z',
        runs: ['2026-04-04T14:45:00Z', '2026-04-05T15:15:00Z'],
      },
    },
  ]
  for (const { zone, skips, repeats } of changes) {
    it(`come right after a skipped hour, and once in a repeated one: ${zone}`, () => {
      expect(runs(skips.daily, zone, skips.from, 2)).to.deep.equal(skips.runs)
      expect(runs(repeats.daily, zone, repeats.from, 2)).to.deep.equal(repeats.runs)
    })

    it(`run through both passes of a repeated hour when every hour is meant: ${zone}`, () => {
      const clock = zoneOf(zone)
      for (const [cron, minutes] of [
        ['*/15 * * * *', 15],
        ['0 */15 * * * *', 15],
        ['*/10 0-23 * * *', 10],
        ['@hourly', 60],
      ] as const) {
        const table = timetable({ cron, timezone: zone }, undefined)
        const end = at(repeats.from) + DAY
        const times: number[] = []
        for (let time = table.next(at(repeats.from)) as number; time < end; time = table.next(time) as number)
          times.push(time)
        const expected = Array.from({ length: DAY / 60_000 }, (_, n) => at(repeats.from) + (n + 1) * 60_000).filter(
          (time) => time < end && (clock.wall(time) / 60_000) % minutes === 0,
        )
        expect(times, cron).to.deep.equal(expected)
        expect(expected.length - new Set(expected.map((time) => clock.wall(time))).size, 'repeated times').to.equal(
          Math.floor((clock.offset(at(repeats.from)) - clock.offset(end)) / 60_000 / minutes),
        )
      }
    })

    it(`run each minute of a named hour once: ${zone}`, () => {
      const clock = zoneOf(zone)
      const hour = new Date(clock.wall(at(repeats.runs[0] as string))).getUTCHours()
      const table = timetable({ cron: `*/15 ${hour} * * *`, timezone: zone }, undefined)
      const walls = nextRuns(table, at(repeats.from), 4).map((time) =>
        new Date(clock.wall(time)).toISOString().slice(11, 16),
      )
      expect(walls).to.deep.equal(
        ['00', '15', '30', '45'].map((minute) => `${String(hour).padStart(2, '0')}:${minute}`),
      )
      expect(
        (table.next(nextRuns(table, at(repeats.from), 4)[3] as number) as number) - at(repeats.from),
      ).to.be.greaterThan(DAY)
    })

    it(`do not depend on the instant of the question, through a whole year: ${zone}`, function () {
      this.timeout(60_000)
      const asked = timetable({ cron: '*/30 * * * *', timezone: zone }, undefined)
      const jumped = timetable({ cron: ' */30 * * * *', timezone: zone }, undefined)
      const [begin, end] = [at('2026-01-01T00:00:00Z'), at('2027-01-01T00:00:00Z')]
      const times: number[] = []
      for (let time = asked.next(begin) as number; time < end; time = asked.next(time) as number) times.push(time)
      expect(times.length).to.be.within(17_515, 17_522)
      // Ask for every second run backwards, so that no cached run helps.
      for (let n = times.length - 1; n > 0; n -= 2) expect(jumped.next((times[n] as number) - 1)).to.equal(times[n])
    })
  }

  it('survive a zone that skips a day', () => {
    expect(runs('0 12 * * *', 'Pacific/Apia', '2011-12-29T12:00:00Z', 3)).to.deep.equal([
      '2011-12-29T22:00:00Z',
      '2011-12-30T10:00:00Z',
      '2011-12-30T22:00:00Z',
    ])
  })

  it('are found for a date that occurs once in decades, without a look at each minute', () => {
    // A look at each minute would take longer than the limit of a test.
    for (let minute = 0; minute < 60; minute++)
      expect(
        timetable({ cron: `${minute} 0 29 2 1#5`, timezone: 'UTC' }, undefined).next(at('2026-01-01T00:00:00Z')),
      ).to.be.a('number')
  })
})

describe('timetable', () => {
  for (const [expression, field] of Object.entries({
    '60 * * * *': 'minute',
    '* 24 * * *': 'hour',
    '* * 0 * *': 'day of month',
    '* * 32 * *': 'day of month',
    '* * * 13 *': 'month',
    '* * * foo *': 'month',
    '* * * * 8': 'day of week',
    '* * * * sun#6': 'day of week',
    '61 * * * * *': 'second',
    '*/0 * * * *': 'minute',
    '1,,2 * * * *': 'minute',
    '* * 31 2 *': 'day of month',
    '-5 * * * *': 'minute',
    '1e3 * * * *': 'minute',
    '5-1 * * * *': 'minute',
    '55-5/5 * * * *': 'minute',
    '30-10 * * * * *': 'second',
    '0 0 25-5 * *': 'day of month',
    '1,9-3 * * * *': 'minute',
    '*/90 * * * *': 'minute',
    '0 */25 * * *': 'hour',
    '0 0 1-31/40 * *': 'day of month',
    '0 0 1 */13 *': 'month',
    '0 0 * * mon-fri/8': 'day of week',
    '5.5 * * * *': 'minute',
    '* +5 * * *': 'hour',
    '* * 1~9 * *': 'day of month',
    '*/1.5 * * * * *': 'second',
    '* * * * mon&tue': 'day of week',
    '? * * * *': 'minute',
    '5/15 * * * *': 'minute',
    '* * * * L': 'day of week',
    '0 0 0W * *': 'day of month',
  })) {
    it(`names the field of the error in ${expression}`, () => {
      const message = refusalOf(expression)
      expect(message).to.include(`field "${field}"`)
      expect(message).to.include('allowed are')
    })
  }

  it('suggests what to write instead of a backward range, a long step, an unknown name and a zone', () => {
    expect(refusalOf('5-1 * * * *')).to.equal(
      'The cron expression "5-1 * * * *" cannot be used: the field "minute" "5-1" is wrong: ' +
        'allowed are 0-59, *, lists, ranges and steps; ' +
        'a range does not go backwards here: write 5-59,0-1 for one over the end',
    )
    expect(refusalOf('0 0 25-5 * *')).to.include('write 25-31,1-5')
    expect(refusalOf('*/90 * * * *')).to.include('a step goes up to 60')
    expect(refusalOf('@reboot')).to.include('@daily')
    expect(refusalOf('TZ=UTC * * * * *')).to.include('set the time zone as timezone')
    expect(refusalOf('* * * *')).to.include('it has 4 fields; five are minute')
  })

  for (const expression of [
    '',
    ' ',
    '* * * *',
    '* * * * * * *',
    'every day',
    '@fortnightly',
    '\u0000 * * * *',
    '＊ * * * *',
    '* * * * *; rm',
    `${'1,'.repeat(200)}1 * * * *`,
    '0 0 29-30 2-2 * *'.repeat(10),
  ]) {
    it(`refuses ${JSON.stringify(expression.slice(0, 30))}`, () => {
      expect(refusalOf(expression)).to.include('cannot be used')
    })
  }

  it('refuses an unknown zone', () => {
    for (const zone of ['Mars/Olympus', '', 'Europe/Berlin\u0000', '../../etc/passwd', 'x'.repeat(64)])
      expect(refusalOf('* * * * *', zone || 'no')).to.include('There is no time zone')
    expect(refusalOf('* * * * *', 'europe/berlin')).to.equal('taken')
  })
})
