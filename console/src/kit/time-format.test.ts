import { expect } from 'chai'
import { compactNumber, dateTime, dayOf, elapsed, moment, momentSeconds, weekday } from './time-format.js'
import { groupThousands } from '../lib/format.js'

const NUMBERS = [0, 7, 999, 1000, -1000, 12_345, 412_806, 1_234_567.891, 4.82, 0.1 + 0.2, 1e9, 999_999.9996]

const TIMES = [
  Date.UTC(2026, 0, 1, 12),
  Date.UTC(2026, 1, 28, 12),
  Date.UTC(2026, 10, 21, 12),
  Date.UTC(2024, 1, 29, 12),
]

describe('numbers and days', () => {
  for (const locale of ['en', 'zh-CN']) {
    it(`are those of the browser in ${locale}`, () => {
      const number = new Intl.NumberFormat(locale)
      const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
      const name = new Intl.DateTimeFormat(locale, { weekday: 'short' })
      for (const value of NUMBERS) expect(groupThousands(value)).to.equal(number.format(value))
      for (const time of TIMES) {
        expect(dayOf(time, locale)).to.equal(day.format(time))
        expect(weekday(time, locale)).to.equal(name.format(time))
      }
    })
  }

  it('of a moment are the clock today, and the day with the clock on another one', () => {
    const now = new Date(2026, 10, 21, 14, 5, 9).getTime()
    const yesterday = new Date(2026, 10, 20, 23, 59, 1).getTime()
    expect([moment(now, now, 'en'), moment(yesterday, now, 'en')]).to.deep.equal(['14:05', 'Nov 20 23:59'])
    expect([momentSeconds(now, now, 'en'), momentSeconds(yesterday, now, 'zh-CN')]).to.deep.equal([
      '14:05:09',
      '11月20日 23:59:01',
    ])
  })

  it('of a moment of another year name the year', () => {
    const now = new Date(2026, 0, 2, 14, 5).getTime()
    const before = new Date(2025, 11, 31, 23, 59, 1).getTime()
    expect(moment(before, now, 'en')).to.equal('Dec 31, 2025 23:59')
    expect(momentSeconds(before, now, 'zh-CN')).to.equal('2025年12月31日 23:59:01')
  })

  it('of a length have units of the language', () => {
    expect([12, 4820, 334_000, 3_660_000].map((ms) => elapsed(ms, 'zh-CN'))).to.deep.equal([
      '12 毫秒',
      '4.82 秒',
      '5 分钟 34 秒',
      '1 小时 1 分钟',
    ])
  })

  it('never round up into the next unit', () => {
    expect([999.4, 999.6, 1_000, 59_949, 59_999, 60_000, 3_599_600].map((ms) => elapsed(ms, 'en'))).to.deep.equal([
      '999 ms',
      '1.00 s',
      '1.00 s',
      '59.9 s',
      '1 min',
      '1 min',
      '1 h 0 min',
    ])
    expect([999, 1_200, 999_499, 999_500, 1_000_000].map(compactNumber)).to.deep.equal([
      '999',
      '1.2k',
      '999k',
      '1.0M',
      '1.0M',
    ])
  })

  it('need no Intl formatter in the zone of the browser', () => {
    const { DateTimeFormat, NumberFormat } = Intl
    const made: string[] = []
    const counted = (name: string): never =>
      class {
        constructor() {
          made.push(name)
        }
        format() {
          return name
        }
      } as never
    Object.assign(Intl, { DateTimeFormat: counted('date'), NumberFormat: counted('number') })
    try {
      const time = new Date(2026, 10, 21, 14, 5, 9).getTime()
      expect([
        groupThousands(412_806),
        dayOf(time, 'en'),
        weekday(time, 'en'),
        dateTime(time, 'en'),
        dateTime(time, 'zh-CN'),
      ]).to.deep.equal(['412,806', 'Nov 21', 'Sat', 'Nov 21, 2026 14:05:09', '2026年11月21日 14:05:09'])
    } finally {
      Object.assign(Intl, { DateTimeFormat, NumberFormat })
    }
    expect(made).to.deep.equal([])
  })
})
