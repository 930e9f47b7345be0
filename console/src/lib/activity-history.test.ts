import { expect } from 'chai'
import { parseHistory, recordMinute, minuteSlots } from './activity-history.js'

describe('activity history', () => {
  const minute = 60_000
  it('counts into the current minute and drops minutes older than an hour', () => {
    let ring = recordMinute([], 0, (item) => ({ ...item, events: item.events + 1 }))
    ring = recordMinute(ring, 30_000, (item) => ({ ...item, events: item.events + 1 }))
    ring = recordMinute(ring, minute, (item) => ({ ...item, memory: 5 }))
    expect(ring).to.deep.equal([
      { minute: 0, events: 2 },
      { minute: 1, events: 0, memory: 5 },
    ])
    expect(recordMinute(ring, 60 * minute, (item) => item).map((item) => item.minute)).to.deep.equal([1, 60])
  })

  it('returns sixty slots with gaps', () => {
    const all = minuteSlots([{ minute: 100, events: 3 }], 101 * minute)
    expect(all).to.have.length(60)
    expect(all.at(-2)).to.deep.equal({ minute: 100, events: 3 })
    expect(all.at(-1)).to.equal(undefined)
  })

  it('survives any stored value', () => {
    for (const text of [null, '', '{', '{}', '[1,null,"x",{"minute":"1"}]'])
      expect(parseHistory(text), String(text)).to.deep.equal([])
    expect(parseHistory('[{"minute":1,"events":2}]')).to.deep.equal([{ minute: 1, events: 2 }])
  })
})
