import { expect } from 'chai'
import { incidentsOf, uptime } from './incidents.js'

const NOW = Date.UTC(2026, 10, 20, 12)
const HOUR = 3_600_000
const changes = [
  { at: NOW - 3 * 24 * HOUR, status: 'online' as const },
  { at: NOW - 4 * HOUR, status: 'offline' as const, reason: 'closed' },
  { at: NOW - 3 * HOUR, status: 'pending' as const },
  { at: NOW - 3 * HOUR + 1, status: 'offline' as const, reason: 'refused' },
  { at: NOW - 2 * HOUR, status: 'online' as const },
  { at: NOW - HOUR, status: 'offline' as const, reason: 'gone' },
]

describe('incidents of an endpoint', () => {
  it('are one for all tries of an outage, with its length', () => {
    expect(incidentsOf(changes, NOW)).to.deep.equal([
      { from: NOW - HOUR, until: undefined, reason: 'gone', length: HOUR, retries: 0 },
      { from: NOW - 4 * HOUR, until: NOW - 2 * HOUR, reason: 'closed', length: 2 * HOUR, retries: 1 },
    ])
    expect(incidentsOf([], NOW)).to.deep.equal([])
  })

  it('are the rest of the uptime of a day and of a week, of the time that is known', () => {
    expect(uptime(changes, NOW, 1)).to.deep.equal({ share: 21 / 24, known: 24 * HOUR })
    expect(uptime(changes, NOW, 7)).to.deep.equal({ share: 69 / 72, known: 72 * HOUR })
    expect(uptime([], NOW, 7)).to.deep.equal({ share: undefined, known: 0 })
  })
})
