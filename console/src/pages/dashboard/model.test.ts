import type { ConsoleEntry, ExecApproval } from '@mynah/contract/types'
import { EndpointRow, LogEntry } from '@mynah/contract'
import { exampleOf } from '../../../test/schema-example.js'
import { EntryError, type EntryState } from '@mynah/sdk'
import { expect } from 'chai'
import { issues } from './issues.js'
import { byUrgency, hourOf, memoryHour, readinessFromError, roundUp } from './model.js'
import { lastProblems, MOST_PROBLEMS, nextJobs, usageOf } from './summaries.js'
import { trafficOf } from './traffic-figures.js'
import { plugins } from '../../../test/stand-in.js'

const entry = (id: string, more: Partial<EntryState> = {}): EntryState => ({
  id,
  entry: {
    id,
    resolvedModule: `/@dev/${id}/client/index.js`,
    order: 1,
    enabled: true,
    meta: { name: id, version: '1' },
  } satisfies ConsoleEntry,
  status: 'loaded',
  routes: [],
  tools: [],
  ...more,
})

describe('the dashboard model', () => {
  const now = 100 * 60_000
  const endpoint = (name: string, more: Partial<EndpointRow> = {}): EndpointRow =>
    exampleOf(EndpointRow, {
      name,
      adapter: 'irc',
      connected: true,
      status: 'online',
      capabilities: [],
      unread: { messages: 0, requests: 0, notices: 0 },
      since: 0,
      ...more,
    })

  it('lists what waits for a person, then each issue once, errors first, with the message of the host', () => {
    const items = issues({
      now,
      endpoints: [
        endpoint('up'),
        endpoint('gone', { connected: false, status: 'offline', error: 'No route', since: 5 }),
        endpoint('new', { status: 'pending', since: now - 10_000 }),
        endpoint('slow', { status: 'pending', since: now - 70_000 }),
      ],
      plugins: [
        ...plugins,
        { name: 'half', status: 'active', description: '', features: [], state: 'degraded', error: 'no disk' },
        { name: 'late', status: 'inactive', description: '', features: [], state: 'pending', waitingFor: ['Chat'] },
        { name: 'off', status: 'inactive', description: '', features: [], state: 'disabled' },
        { name: 'up', status: 'active', description: '', features: [] },
      ],
      ready: {
        status: 'degraded',
        checks: {
          chat: { status: 'ok' },
          marketplace: { status: 'failed', reason: 'reported by the plugin itself' },
          disk: { status: 'failed', reason: 'full' },
          half: { status: 'degraded', reason: 'reported by the plugin itself' },
          up: { status: 'degraded', reason: 'a part of it is unavailable' },
        },
      },
      approvals: [
        {
          id: 'a',
          kind: 'bash',
          title: 'touch list',
          command: 'touch list',
          parts: [],
          status: 'pending',
          createdAt: 9,
          expiresAt: now,
          endpointId: 'sandbox',
        } as unknown as ExecApproval,
        { id: 'b', status: 'approved' } as unknown as ExecApproval,
      ],
      cron: {
        memory: [],
        persistent: [
          {
            id: 'j',
            label: 'Digest',
            prompt: 'p',
            enabled: true,
            lastStatus: 'error',
            lastError: 'refused',
            lastRun: 7,
          },
          { id: 'k', prompt: 'p', enabled: false, lastStatus: 'error' },
        ],
      },
      entries: [
        entry('good'),
        entry('bad', { status: 'failed', error: new EntryError('not-found', 'not there') }),
        entry('shown'),
      ],
      pageFailures: { shown: 'crashed' },
    })
    expect(items.map(({ tone, id, said }) => [tone, id, said])).to.deep.equal([
      ['warn', 'approval:a', undefined],
      ['err', 'endpoint:irc:gone', 'No route'],
      ['err', 'plugin:marketplace', 'marketplace.registry: must be an address'],
      ['err', 'check:disk', 'full'],
      ['err', 'job:j', 'refused'],
      ['err', 'entry:bad', 'not there'],
      ['err', 'entry:shown', 'crashed'],
      ['warn', 'endpoint:irc:slow', undefined],
      ['warn', 'plugin:half', 'no disk'],
      ['warn', 'plugin:late', 'Chat'],
      ['warn', 'check:up', 'a part of it is unavailable'],
    ])
    expect(issues({ entries: [], pageFailures: {}, now })).to.deep.equal([])
  })

  it('puts first of all what can be answered for the shortest time', () => {
    const approval = (id: string, expiresAt: number): ExecApproval =>
      ({
        id,
        kind: 'bash',
        title: id,
        parts: [],
        status: 'pending',
        createdAt: 1,
        expiresAt,
      }) as unknown as ExecApproval
    const items = issues({
      now,
      entries: [],
      pageFailures: {},
      endpoints: [endpoint('gone', { status: 'offline' })],
      approvals: [approval('later', 900), approval('soon', 100)],
      turns: [
        { id: 't1', sessionKey: 'a|b|private|c', startedAt: 4, waitingFor: { kind: 'question', text: 'Which?' } },
        { id: 't2', sessionKey: 'd', startedAt: 5, waitingFor: { kind: 'question', text: 'When?', expiresAt: 500 } },
        { id: 't3', sessionKey: 'e', startedAt: 6, waitingFor: { kind: 'approval', text: 'shown as an approval' } },
        { id: 't4', sessionKey: 'f', startedAt: 7 },
      ],
    })
    expect(items.map(({ id, waits }) => [id, waits ?? false])).to.deep.equal([
      ['approval:soon', true],
      ['question:t2', true],
      ['approval:later', true],
      ['question:t1', true],
      ['endpoint:irc:gone', false],
    ])
  })

  it('reads the checks from the 503 answer of a host', () => {
    const data = { status: 'starting', checks: { chat: { status: 'failed' } } }
    expect(readinessFromError({ status: 503, data })).to.equal(data)
    const other = new Error('no answer')
    expect(() => readinessFromError(other)).to.throw(other)
  })

  it('sums the traffic of all endpoints on a round scale', () => {
    const activity = {
      from: 0,
      step: 60_000,
      answers: { count: 1, medianMs: 900 },
      endpoints: [
        { adapter: 'irc', endpointId: 'a', received: [1, 0, 30], sent: [1, 0, 0], failed: [0, 2, 0], status: 'oox' },
        { adapter: 'irc', endpointId: 'b', received: [2, 0, 0], sent: [0, 0, 0], failed: [0, 0, 1], status: '-po' },
      ],
    }
    expect(trafficOf(activity)).to.deep.equal({ received: [3, 0, 30], sent: [1, 0, 0], failed: 3, total: 33, top: 40 })
    expect([0, 1, 3, 4.1, 9, 11, 400, 401].map(roundUp)).to.deep.equal([1, 1, 4, 5, 10, 20, 400, 500])
    expect(hourOf({ adapter: 'irc', name: 'a' }, activity, [], now)).to.deep.equal({
      ticks: [
        { value: 1, tone: 'on' },
        { value: 1, tone: 'on' },
        { value: 0.35, tone: 'err' },
      ],
      up: 2,
      seen: 3,
      messages: 32,
      last: 120_000,
    })
    expect(hourOf({ adapter: 'irc', name: 'b' }, activity, [], now)).to.include({
      up: 1,
      seen: 2,
      messages: 2,
      last: 0,
    })
    const rows = byUrgency([
      { row: endpoint('quiet'), hour: hourOf(endpoint('b'), activity, [], now) },
      { row: endpoint('busy'), hour: hourOf(endpoint('a'), activity, [], now) },
      { row: endpoint('away', { status: 'offline' }), hour: { ticks: [], up: 0, seen: 0 } },
    ])
    expect(rows.map(({ row }) => row.name)).to.deep.equal(['away', 'busy', 'quiet'])
  })

  it('shows samples of this browser if the host has no counts', () => {
    const ring = [
      { minute: 98, events: 4, memory: 100, up: { 'irc/a': true } },
      { minute: 99, events: 0, down: true, up: { 'irc/a': false } },
      { minute: 100, events: 2 },
    ]
    expect(hourOf({ adapter: 'irc', name: 'a' }, undefined, ring, now))
      .to.include({ up: 1, seen: 2 })
      .and.not.have.property('messages')
    expect(hourOf({ adapter: 'irc', name: 'other' }, undefined, ring, now)).to.include({ up: 0, seen: 0 })
    expect(memoryHour(ring, now).ticks.filter((tick) => tick.tone === 'on')).to.have.length(1)
    expect(memoryHour(ring, now).top).to.equal(100)
  })

  it('folds repeated lines, sums models, and lists the next runs', () => {
    const line = (id: string, message: string, timestamp: string): LogEntry =>
      exampleOf(LogEntry, {
        id,
        level: 'warn',
        name: 'irc',
        message,
        source: 'irc',
        timestamp,
      })
    expect(
      lastProblems(
        [
          line('1', 'slow', '2026-01-01T00:00:00Z'),
          line('2', 'gone', '2026-01-01T00:00:02Z'),
          line('3', 'slow', '2026-01-01T00:00:03Z'),
        ],
        5,
      ).map(({ id, times }) => [id, times]),
    ).to.deep.equal([
      ['3', 2],
      ['2', 1],
    ])
    // A page that is full may be cut off: the count is a lower limit.
    const full = Array.from({ length: MOST_PROBLEMS }, (_, index) => line(`${index}`, 'slow', '2026-01-01T00:00:00Z'))
    expect(lastProblems(full, 5).map(({ times, atLeast }) => [times, atLeast])).to.deep.equal([[MOST_PROBLEMS, true]])
    expect(lastProblems(full.slice(1), 5)[0]).to.include({ times: MOST_PROBLEMS - 1, atLeast: false })
    expect(
      usageOf({
        days: [
          { calls: 2, input: 100, cachedInput: 50, output: 5 },
          { calls: 1, input: 100, cachedInput: 0, output: 5, cost: 0.25 },
        ],
      }),
    ).to.deep.equal({ calls: 3, input: 200, cachedShare: 0.25, output: 10, cost: 0.25 })
    expect(usageOf({ days: [] })).to.not.have.property('cost')
    expect(
      nextJobs(
        {
          memory: [
            { id: 'm', plugin: 'logs', nextRun: 5 },
            { id: 'n', plugin: 'x', nextRun: null },
          ],
          persistent: [
            { id: 'p', prompt: 'Say hello', enabled: true, nextRun: 3 },
            { id: 'q', prompt: 'off', enabled: false, nextRun: 1 },
          ],
        },
        3,
      ).map(({ name }) => name),
    ).to.deep.equal(['Say hello', 'logs: m'])
  })
})
