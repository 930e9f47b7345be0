import { expect } from 'chai'
import { Activity } from '@mynah/contract'
import { exampleOf } from '../../../test/schema-example.js'
import {
  countStates,
  dayTicks,
  endpointPage,
  hourTicks,
  lastEvent,
  NEWEST,
  newestChanges,
  outages,
  parseTarget,
  settingRows,
} from './model.js'
import { endpointRows } from '../../../test/example-data.js'

const NOW = 1_800_000_000_000

describe('endpoints', () => {
  it('are sorted with problems first, and counted by state', () => {
    const rows = endpointRows(NOW)
    expect(endpointPage(rows, {}).rows.map(({ name }) => name)).to.deep.equal([
      'oftc',
      'alerts',
      'libera',
      'support',
      'sandbox',
    ])
    expect(countStates(rows)).to.deep.equal({ online: 3, pending: 1, offline: 1 })
    expect(endpointPage(rows, { status: 'online', filter: 'SUPPORT' }).rows.map(({ name }) => name)).to.deep.equal([
      'support',
    ])
  })

  it('know their last message, within the activity of the host', () => {
    const [row] = endpointRows(NOW)
    if (!row) throw new Error('no row')
    const activity = (received: number[], sent: number[]): Activity =>
      exampleOf(Activity, {
        from: 0,
        step: 60_000,
        answers: { count: 0, medianMs: 0 },
        endpoints: [{ adapter: row.adapter, endpointId: row.name, received, sent, failed: [], status: '' }],
      })
    expect(lastEvent(activity([0, 2, 0, 0], [0, 0, 1, 0]), row)).to.equal(180_000)
    expect(lastEvent(activity([0, 0], [0, 0]), row)).to.equal(undefined)
    expect(lastEvent(null, row)).to.equal(undefined)
  })

  it('show the hour of the host, else the samples of this browser', () => {
    expect(hourTicks('oox-p', [], 'k', NOW)).to.deep.include({ up: 2, seen: 4 })
    expect(
      hourTicks(undefined, [{ minute: Math.floor(NOW / 60_000), events: 0, up: { k: true } }], 'k', NOW),
    ).to.deep.include({ up: 1, seen: 1 })
  })

  it('list the newest changes of all endpoints', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      at: NOW - index * 1000,
      status: index % 2 === 0 ? ('online' as const) : ('offline' as const),
    }))
    expect(
      newestChanges([
        { row: { name: 'a' }, changes: [{ at: NOW - 1500, status: 'pending' }] },
        { row: { name: 'b' }, changes: many },
        { row: { name: 'c' }, changes: [] },
      ]).map(({ row, at }) => [row.name, NOW - at]),
    ).to.deep.equal([['b', 0], ['b', 1000], ['a', 1500], ...[2000, 3000, 4000, 5000, 6000].map((ago) => ['b', ago])])
    expect(newestChanges([{ row: {}, changes: many }])).to.have.length(NEWEST)
  })

  it('show a day of changes, unknown before the first, with outages', () => {
    const changes = [
      { at: NOW - 3_600_000, status: 'online' as const },
      { at: NOW - 7_200_000, status: 'offline' as const, reason: 'closed' },
      { at: NOW - 10_800_000, status: 'online' as const },
    ]
    const { ticks, share } = dayTicks(changes, NOW)
    expect(ticks).to.have.length(144)
    expect(ticks[0]?.tone).to.equal('off')
    expect(ticks.at(-1)?.tone).to.equal('on')
    expect(share).to.be.within(0.5, 0.8)
    expect(outages(changes)).to.deep.equal([{ from: NOW - 7_200_000, until: NOW - 3_600_000, reason: 'closed' }])
  })

  it('list settings by path, and parse the stored target', () => {
    expect(settingRows({ a: { b: true }, c: ['x', 1] })).to.deep.equal([
      { path: 'a.b', value: 'true' },
      { path: 'c', value: 'x, 1' },
    ])
    expect(parseTarget('{"type":"group","id":"#a"}')).to.deep.equal({ type: 'group', id: '#a' })
    for (const text of [null, '{', '{"type":"x","id":"a"}', 'null']) expect(parseTarget(text)).to.equal(undefined)
  })
})
