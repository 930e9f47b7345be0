import { expect } from 'chai'
import { ago, bytes, duration } from './format.js'

describe('formats', () => {
  it('write durations, sizes and ages', () => {
    expect(duration(533_520, 'en')).to.equal('6d 04:12')
    expect(duration(533_520, 'zh-CN')).to.equal('6 天 04:12')
    expect(duration(61.9, 'en')).to.equal('00:01:01')
    expect(bytes(999)).to.equal('999 B')
    expect(bytes(61_000_000)).to.equal('58.2 MB')
    expect(bytes(1000)).to.equal('0.977 KB')
    const day = 86_400_000
    const spoken = (time: number, locale: string): string => ago(time, 10 * day, locale)
    expect(
      [0, -12_000, -7_200_000, -day, -3 * day, 240_000, day, 5 * day].map((distance) =>
        spoken(10 * day + distance, 'en'),
      ),
    ).to.deep.equal(['now', '12 s ago', '2 h ago', 'yesterday', '3 days ago', 'in 4 min', 'tomorrow', 'in 5 days'])
    expect([0, -12_000, -day, -3 * day, 240_000].map((distance) => spoken(10 * day + distance, 'zh-CN'))).to.deep.equal(
      ['刚刚', '12 秒前', '昨天', '3 天前', '4 分钟后'],
    )
  })
})
