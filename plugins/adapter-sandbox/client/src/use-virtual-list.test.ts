import { expect } from 'chai'
import { rowOffsets, visibleRange } from './use-virtual-list.js'

describe('useVirtualList', () => {
  const keys = Array.from({ length: 500 }, (_, index) => String(index))

  it('keeps the rows in view and a few more, at any position', () => {
    const offsets = rowOffsets(keys, new Map(keys.map((key) => [key, 20])))
    expect(offsets.at(-1)).to.equal(10_000)
    expect(visibleRange(offsets, 0, 400)).to.deep.equal({ first: 0, end: 28 })
    expect(visibleRange(offsets, 5_000, 400)).to.deep.equal({ first: 242, end: 278 })
    expect(visibleRange(offsets, 9_600, 400)).to.deep.equal({ first: 472, end: 500 })
    expect(visibleRange(rowOffsets([], new Map()), 0, 400)).to.deep.equal({ first: 0, end: 0 })
  })

  it('uses measured heights, and estimates the others', () => {
    expect(rowOffsets(['a', 'b', 'c'], new Map([['b', 300]]))).to.deep.equal([0, 56, 356, 412])
  })
})
