import { expect } from 'chai'
import { figuresOf } from './figures.js'
import { append, EMPTY_BUFFER } from './log-buffer.js'

const line = (id: number, message = `line ${id}`) => ({
  id: String(id),
  level: 'info' as const,
  name: 'p',
  message,
  source: 'p',
  timestamp: new Date(1_790_000_000_000 + id * 1000).toISOString(),
})
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => line(to - index))

describe('figuresOf', () => {
  it('counts lines, not rows into which repeats are folded', () => {
    const { rows } = append(EMPTY_BUFFER, [line(4, 'again'), line(3, 'again'), line(2, 'again'), line(1)])
    expect(rows).to.have.length(2)
    expect(figuresOf({ total: 4, byLevel: { info: 4 }, oldestTimestamp: line(1).timestamp }, rows, rows)).to.deep.equal(
      {
        shown: 4,
        total: 4,
        byLevel: { error: 0, warn: 0, info: 4, debug: 0 },
      },
    )
  })

  it('never shows more than there are: lines that came before the count, and lines that the host deleted', () => {
    const { rows } = append(EMPTY_BUFFER, lines(1, 50))
    const before = { total: 40, byLevel: { info: 40 }, oldestTimestamp: line(1).timestamp }
    expect(figuresOf(before, rows, rows)).to.include({ shown: 50, total: 50 })
    const after = { total: 10, byLevel: { info: 10 }, oldestTimestamp: line(41).timestamp }
    expect(figuresOf(after, rows, rows)).to.include({ shown: 10, total: 10 })
    expect(figuresOf(after, rows, rows.slice(0, 3))).to.include({ shown: 3, total: 10 })
  })

  it('counts what is loaded until the host has counted', () => {
    const { rows } = append(EMPTY_BUFFER, lines(1, 5))
    expect(figuresOf(undefined, rows, rows)).to.include({ shown: 5, total: 5 })
  })
})
