import { expect } from 'chai'
import { LogEntry } from '@mynah/contract'
import { exampleOf } from '../../../test/schema-example.js'
import { append, countLevels, EMPTY_BUFFER, levelsOf, lineOf, prepend, BUFFER_ROWS } from './log-buffer.js'

const NOW = Date.parse('2026-01-01T12:00:00.000Z')

const entry = (id: number, name: string, message: string, level: LogEntry['level'] = 'info'): LogEntry =>
  exampleOf(LogEntry, {
    id: String(id),
    name,
    message,
    level,
    source: name,
    timestamp: new Date(NOW + id).toISOString(),
  })

const shape = (ring: typeof EMPTY_BUFFER): string[] =>
  ring.rows.map((row) => `${row.entry.id}${row.count > 1 ? `×${row.count}` : ''}`)

describe('log buffer', () => {
  it('puts newer lines above and older ones below', () => {
    const ring = append(
      prepend(append(EMPTY_BUFFER, [entry(5, 'a', 'five'), entry(4, 'a', 'four')]), [
        entry(7, 'b', 'seven'),
        entry(6, 'a', 'six'),
      ]),
      [entry(3, 'a', 'three')],
    )
    expect(shape(ring)).to.deep.equal(['7', '6', '5', '4', '3'])
    expect(ring).to.include({ newest: '7', oldest: '3', lines: 5 })
  })

  it('folds repeats of a plugin into the newest row, across lines of others, and keeps the first time', () => {
    let ring = append(EMPTY_BUFFER, [
      entry(3, 'irc', 'no connection'),
      entry(2, 'chat', 'said'),
      entry(1, 'irc', 'no connection'),
    ])
    expect(shape(ring)).to.deep.equal(['3×2', '2'])
    ring = prepend(ring, [entry(5, 'irc', 'no connection'), entry(4, 'chat', 'other')])
    expect(shape(ring)).to.deep.equal(['5×3', '4', '2'])
    expect(ring.rows[0]?.firstAt).to.equal(NOW + 1)
    expect(countLevels(ring.rows).info).to.equal(5)
  })

  it('folds retries whose seconds differ, and no lines that differ otherwise', () => {
    const ring = prepend(append(EMPTY_BUFFER, [entry(1, 'irc', 'No connection; again in 3.2 s')]), [
      entry(8, 'irc', '1 分钟后重试'),
      entry(7, 'irc', '30 秒后重试'),
      entry(6, 'irc', 'port 6667 of 2 servers'),
      entry(5, 'irc', 'port 6697 of 2 servers'),
      entry(4, 'irc', 'No connection; again in 1 min 15 s'),
      entry(3, 'irc', 'No connection; again in 7s'),
    ])
    expect(shape(ring)).to.deep.equal(['8×2', '6', '5', '4×3'])
    expect(ring.rows[3]?.entry.message).to.equal('No connection; again in 1 min 15 s')
  })

  it('folds repeated problems across other lines of the plugin, as of two accounts that are offline', () => {
    const rounds = Array.from({ length: 3 }, (_, round) => [
      entry(3 * round + 3, 'irc', `hackint: connection refused; again in ${round + 1} s`, 'warn'),
      entry(3 * round + 2, 'irc', 'libera: no connection within 20 s', 'error'),
      entry(3 * round + 1, 'irc', `said line ${round}`),
    ]).reverse()
    const expected = ['9×3', '8×3', '7', '4', '1']
    expect(shape(append(EMPTY_BUFFER, rounds.flat()))).to.deep.equal(expected)
    const followed = rounds.reduceRight((ring, lines) => prepend(ring, lines), EMPTY_BUFFER)
    expect(shape(followed)).to.deep.equal(expected)
    expect(followed.rows[0]).to.include({ firstAt: NOW + 3, at: NOW + 9 })
    expect(countLevels(followed.rows)).to.deep.equal({ error: 3, warn: 3, info: 3, debug: 0 })
  })

  it('does not fold lines of another plugin or level, or across another line of the plugin', () => {
    const ring = prepend(EMPTY_BUFFER, [
      entry(5, 'a', 'x'),
      entry(4, 'a', 'y'),
      entry(3, 'a', 'x'),
      entry(2, 'b', 'x'),
      entry(1, 'a', 'x', 'warn'),
    ])
    expect(shape(ring)).to.deep.equal(['5', '4', '3', '2', '1'])
  })

  it('keeps at most the maximum number of rows', () => {
    const many = Array.from({ length: BUFFER_ROWS + 500 }, (_, index) =>
      entry(BUFFER_ROWS + 500 - index, 'a', `line ${index}`),
    )
    const ring = prepend(append(EMPTY_BUFFER, many), [entry(BUFFER_ROWS + 501, 'a', 'new')])
    expect(ring.rows).to.have.length(BUFFER_ROWS)
    expect(ring.rows[0]?.entry.message).to.equal('new')
  })

  it('adds a thousand lines to a full buffer without making its rows again', () => {
    const full = append(
      EMPTY_BUFFER,
      Array.from({ length: BUFFER_ROWS }, (_, index) => entry(BUFFER_ROWS - index, `p${index % 12}`, `line ${index}`)),
    )
    const added = Array.from({ length: 1000 }, (_, index) =>
      entry(BUFFER_ROWS + 1000 - index, `p${index % 12}`, `new ${index}`),
    )
    const { rows } = prepend(full, added)
    expect(rows.slice(0, 1000).every(({ entry }, index) => entry === added[index])).to.equal(true)
    expect(rows.slice(1000).every((row, index) => row === full.rows[index])).to.equal(true)
  })

  it('reads levels from an address, by default all but debug', () => {
    expect([...levelsOf('')]).to.deep.equal(['error', 'warn', 'info'])
    expect([...levelsOf('debug,nonsense')]).to.deep.equal(['debug'])
    expect(lineOf(entry(1, 'chat', 'said'))).to.equal('2026-01-01T12:00:00.001Z INFO chat: said')
  })
})
