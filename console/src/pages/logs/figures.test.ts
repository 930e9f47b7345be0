import { expect } from 'chai'
import { figuresOf } from './figures.js'
import { append, EMPTY_BUFFER, levels } from './log-buffer.js'

const line = (id: number, message = `line ${id}`) => ({
  id: String(id),
  level: 'info' as const,
  name: 'p',
  message,
  source: 'p',
  timestamp: new Date(1_790_000_000_000 + id * 1000).toISOString(),
})
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => line(to - index))

const all = { levels: new Set(levels), isMinute: false }

describe('figuresOf', () => {
  it('counts lines, not rows into which repeats are folded', () => {
    const { rows } = append(EMPTY_BUFFER, [line(4, 'again'), line(3, 'again'), line(2, 'again'), line(1)])
    expect(rows).to.have.length(2)
    expect(
      figuresOf({ total: 4, byLevel: { info: 4 }, oldestTimestamp: line(1).timestamp }, rows, rows, all),
    ).to.deep.equal({
      shown: 4,
      matching: 4,
      total: 4,
      byLevel: { error: 0, warn: 0, info: 4, debug: 0 },
    })
  })

  it('never shows more than there are: lines that came before the count, and lines that the host deleted', () => {
    const { rows } = append(EMPTY_BUFFER, lines(1, 50))
    const before = { total: 40, byLevel: { info: 40 }, oldestTimestamp: line(1).timestamp }
    expect(figuresOf(before, rows, rows, all)).to.include({ shown: 50, total: 50 })
    const after = { total: 10, byLevel: { info: 10 }, oldestTimestamp: line(41).timestamp }
    expect(figuresOf(after, rows, rows, all)).to.include({ shown: 10, total: 10 })
    expect(figuresOf(after, rows, rows.slice(0, 3), all)).to.include({ shown: 3, total: 10 })
  })

  it('counts what is loaded until the host has counted', () => {
    const { rows } = append(EMPTY_BUFFER, lines(1, 5))
    expect(figuresOf(undefined, rows, rows, all)).to.include({ shown: 5, total: 5 })
  })

  it('counts what the chosen levels let through by the store, and the lines of one minute by their rows', () => {
    const { rows } = append(EMPTY_BUFFER, lines(1, 5))
    const stats = { total: 90, byLevel: { info: 60, error: 20, debug: 10 }, oldestTimestamp: line(1).timestamp }
    const levelsOf = (...chosen: (typeof levels)[number][]) => ({ levels: new Set(chosen), isMinute: false })
    expect(figuresOf(stats, rows, rows, levelsOf('info', 'error'))).to.include({ shown: 5, matching: 80, total: 90 })
    expect(figuresOf(stats, rows, [], levelsOf('debug'))).to.include({ shown: 0, matching: 10, total: 90 })
    expect(figuresOf(stats, rows, rows, { ...all, isMinute: true })).to.include({ shown: 5, matching: 5 })
  })
})
