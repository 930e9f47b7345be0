// Sessions as turns, traces as steps, approvals as parts, models and endpoints in the order of their trouble.
import { expect } from 'chai'
import { checkRule, pieces, waiting } from '../src/pages/approvals/model.js'
import type { ExecApproval } from '@mynah/contract/types'
import { Activity, Trace } from '@mynah/contract'
import { exampleOf } from './schema-example.js'
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
} from '../src/pages/endpoints/model.js'
import { curl, marked, resourceOf } from '../src/pages/introspection/model.js'
import { shortName, webAddress } from '../src/pages/marketplace/model.js'
import { capabilityNames, providersInOrder, serversInOrder, countProblems } from '../src/pages/models/model.js'
import { activePoint, turnBlocks, parseKeys, parseSessionKey, rememberKey } from '../src/pages/sessions/model.js'
import { filterTraces, groupOf, scaleMarks, timedSteps } from '../src/pages/traces/model.js'
import { lineDiff } from '../src/kit/diff.js'
import { timeLeft, compactNumber, elapsed } from '../src/kit/time-format.js'
import { endpointRows, laterAnswers } from './example-data.js'

const NOW = 1_800_000_000_000

describe('a session', () => {
  it('is one block a message of a person, with its tools, its answer and what both took', () => {
    const { entries } = laterAnswers(NOW)['agent:session'] as { entries: Parameters<typeof turnBlocks>[0] }
    const blocks = turnBlocks(entries)
    expect(blocks).to.have.length(6)
    expect(blocks[4]).to.deep.include({
      asked: 'is it reachable from outside?',
      sender: 'carol',
      steps: 2,
      model: 'gpt-5-mini',
    })
    expect(blocks[4]?.tools).to.deep.equal([
      {
        id: 'c4',
        name: 'web_search',
        input: '{"query":"fast-glob advisory","path":"workspace/site/ci"}',
        failed: true,
        output: 'no answer from api.search.example within 30 s',
        ms: 1200,
      },
    ])
    expect(blocks[4]?.usage).to.deep.equal({ input: 18_200, cachedInput: 16_100, output: 410 })
  })

  it('leaves out what is no part of the conversation, and names what cannot be shown', () => {
    const beside = { parentId: null, timestamp: 1 }
    const blocks = turnBlocks([
      { ...beside, id: 1, kind: 'head', content: '2 tools: bash, read' },
      {
        ...beside,
        id: 2,
        kind: 'message',
        role: 'user',
        content: [
          { type: 'text', text: 'see ' },
          { type: 'file', mediaType: 'application/pdf' },
        ],
      },
      { ...beside, id: 3, kind: 'cut', content: '1 results are sent no more' },
      { ...beside, id: 4, kind: 'branch_summary', content: 'what was tried' },
    ])
    expect(blocks.map(({ role, asked }) => [role, asked])).to.deep.equal([
      ['user', 'see [application/pdf]'],
      ['summary', 'what was tried'],
    ])
  })

  it('continues from the chosen point, else from the last', () => {
    const points = [
      { index: 1, messageId: 10, preview: 'a' },
      { index: 2, messageId: 20, preview: 'b' },
    ]
    const tree = { sessionKey: 'k', sessionId: 's', points }
    expect(activePoint({ ...tree, activeLeafMessageId: 10 })?.index).to.equal(1)
    expect(activePoint({ ...tree, activeLeafMessageId: null })?.index).to.equal(2)
    expect(activePoint({ ...tree, activeLeafMessageId: 99 })?.index).to.equal(2)
    expect(activePoint({ ...tree, points: [], activeLeafMessageId: null })).to.equal(undefined)
  })

  it('remembers keys, the last first, and says where a key is', () => {
    expect(rememberKey(['a', 'b'], 'b')).to.deep.equal(['b', 'a'])
    expect(parseKeys('["a", 5]')).to.deep.equal(['a'])
    expect(parseKeys('{')).to.deep.equal([])
    expect(parseSessionKey('irc|libera|group|%23mynah-dev')).to.deep.equal({ place: '#mynah-dev', endpoint: 'libera' })
    expect(parseSessionKey('job|%zz')).to.deep.equal({ place: '%zz', endpoint: '' })
  })
})

describe('a trace', () => {
  const trace = (steps: Trace['steps'], durationMs = 100): Trace =>
    exampleOf(Trace, {
      messageId: 'm',
      endpointId: 'e',
      adapter: 'a',
      channel: { type: 'private', id: 'c' },
      sender: { id: 's', name: 'Sue' },
      text: 'hello',
      startedAt: 0,
      durationMs,
      steps,
      replies: 0,
    })
  it('gives each step the time since the one before, in the groups of the way of a message', () => {
    const steps = timedSteps(
      trace([
        { stage: 'store', name: 'accept', outcome: 'stored', ms: 3 },
        { stage: 'ai', name: 'main', outcome: 'matched', ms: 10 },
        { stage: 'tool', name: 'bash', outcome: 'refused', ms: 30 },
        { stage: 'send', name: 'x', outcome: 'sent', ms: 90 },
      ]),
    )
    expect(
      [...steps].map(([group, items]) => [group, items.map(({ from, duration: time, tone }) => [from, time, tone])]),
    ).to.deep.equal([
      ['accepted', [[0, 3, 'plain']]],
      ['decided', [[3, 7, 'plain']]],
      ['answered', [[10, 20, 'wrong']]],
      ['sent', [[30, 60, 'plain']]],
    ])
    expect(groupOf('something new')).to.equal('decided')
  })

  it('is found by text, sender and id, by what went wrong and by how long it took', () => {
    const all = [
      trace([]),
      { ...trace([{ stage: 'model', name: 'm', outcome: 'failed', ms: 1 }], 5000), messageId: 'bad' },
    ]
    expect(filterTraces(all, { filter: 'SUE', show: '' })).to.have.length(2)
    expect(filterTraces(all, { filter: '', show: 'wrong' }).map(({ messageId }) => messageId)).to.deep.equal(['bad'])
    expect(filterTraces(all, { filter: 'bad', show: 'slow' })).to.have.length(1)
    expect(scaleMarks(4820)).to.deep.equal([0, 2000, 4000])
    expect(scaleMarks(0.01).length).to.be.greaterThan(1)
  })
})

describe('approvals', () => {
  const parts = [
    { text: 'cd a', verdict: 'allow' as const, rule: '', reason: '' },
    { text: 'rm b', verdict: 'ask' as const, rule: '', reason: '' },
  ]
  it('show a command in the parts that were judged, and lose nothing of it', () => {
    const found = pieces('cd a && rm b | x', parts)
    expect(found.map(({ text }) => text).join('')).to.equal('cd a && rm b | x')
    expect(found.filter(({ part }) => part?.verdict === 'ask').map(({ text }) => text)).to.deep.equal(['rm b'])
    expect(pieces('other', parts)).to.deep.equal([{ text: 'other', part: undefined }])
  })

  it('wait oldest first until they run out', () => {
    const approval = (
      id: string,
      createdAt: number,
      expiresAt: number,
      status: ExecApproval['status'] = 'pending',
    ): ExecApproval => ({ id, kind: 'bash', title: 'x', command: 'x', reason: '', status, createdAt, expiresAt })
    expect(
      waiting(
        [approval('b', 2, 99), approval('a', 1, 99), approval('gone', 0, 10), approval('done', 0, 99, 'used')],
        50,
      ).map(({ id }) => id),
    ).to.deep.equal(['a', 'b'])
  })

  it('check a rule against what it must and must not match', () => {
    expect(checkRule('^npm test$', 'npm test', 'npm publish')).to.equal(undefined)
    expect(checkRule('(', '', '')).to.equal('invalid')
    expect(checkRule('', '', '')).to.equal('invalid')
    expect(checkRule('^a$', 'b', '')).to.equal('matchFails')
    expect(checkRule('npm', 'npm test', ''), 'covers the whole').to.equal('matchFails')
    expect(checkRule('npm .*', 'npm test', 'npm publish')).to.equal('noMatchFails')
  })
})

describe('endpoints', () => {
  it('stand with what is wrong first, and are counted by state', () => {
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

  it('say when something last came or went, as far as the host counts', () => {
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

  it('show the hour that the host tells, else the one that was seen here', () => {
    expect(hourTicks('oox-p', [], 'k', NOW)).to.deep.include({ up: 2, seen: 4 })
    expect(
      hourTicks(undefined, [{ minute: Math.floor(NOW / 60_000), events: 0, up: { k: true } }], 'k', NOW),
    ).to.deep.include({ up: 1, seen: 1 })
  })

  it('show the newest changes of all of them, each with whose it is', () => {
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

  it('show a day of changes, unknown before the first, and name the outages', () => {
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

  it('list settings by path and keep the last target, whatever storage says', () => {
    expect(settingRows({ a: { b: true }, c: ['x', 1] })).to.deep.equal([
      { path: 'a.b', value: 'true' },
      { path: 'c', value: 'x, 1' },
    ])
    expect(parseTarget('{"type":"group","id":"#a"}')).to.deep.equal({ type: 'group', id: '#a' })
    for (const text of [null, '{', '{"type":"x","id":"a"}', 'null']) expect(parseTarget(text)).to.equal(undefined)
  })
})

describe('models and servers', () => {
  it('stand with what is wrong first, and are counted', () => {
    const { providers } = laterAnswers(NOW)['models:list'] as { providers: Parameters<typeof providersInOrder>[0] }
    const { servers } = laterAnswers(NOW)['mcp:list'] as { servers: Parameters<typeof serversInOrder>[0] }
    expect(providersInOrder(providers).map(({ alias }) => alias)).to.deep.equal(['anthropic', 'openai', 'local'])
    expect(serversInOrder(servers).map(({ name }) => name)).to.deep.equal(['browser', 'tickets', 'calendar', 'archive'])
    expect(countProblems(providers, servers, NOW)).to.deep.equal({ failed: 1, cooling: 1, disconnected: 1, held: 1 })
    expect(countProblems(providers, servers, NOW + 200_000).cooling).to.equal(0)
    expect(
      capabilityNames({ id: 'm', score: 1, capabilities: { vision: true, streaming: true, thinking: false } }),
    ).to.deep.equal(['vision'])
  })
})

describe('texts', () => {
  it('are marked where a filter finds them, and never as an expression', () => {
    expect(marked('Rebuild the docs', 're')).to.deep.equal(['', 'Re', 'build the docs'])
    expect(marked('a.b', '.')).to.deep.equal(['a', '.', 'b'])
    expect(marked('abc', '')).to.deep.equal(['abc'])
    expect(resourceOf('tools')).to.equal('tools')
    expect(resourceOf('constructor')).to.equal('commands')
    expect(curl("http://h/x?filter='")).to.equal(`curl -H "Authorization: Bearer $TOKEN" 'http://h/x?filter=%27'`)
  })

  it('of packages become links only where they are addresses of the web', () => {
    expect(webAddress('git+https://git.example.org/a.git')).to.equal('https://git.example.org/a')
    for (const text of ['javascript:alert(1)', 'file:///etc/passwd', 'nothing'])
      expect(webAddress(text), text).to.equal(undefined)
    expect([shortName('@mynah/plugin-irc'), shortName('mynah-plugin-x'), shortName('@a/mynah-plugin-x')]).to.deep.equal(
      ['irc', 'x', '@a/mynah-plugin-x'],
    )
  })

  it('differ by lines, with unchanged stretches folded', () => {
    const before = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n')
    const lines = lineDiff(before, before.replace('line 10', 'changed'))
    expect(lines.map((line) => (line.kind === 'fold' ? `fold ${line.count}` : line.kind))).to.deep.equal([
      'fold 7',
      'same',
      'same',
      'same',
      'del',
      'add',
      'same',
      'same',
      'same',
      'fold 6',
    ])
    expect(lineDiff('a\n', 'a\n')).to.deep.equal([{ kind: 'fold', count: 1 }])
  })

  it('of durations and amounts are short', () => {
    expect([elapsed(12), elapsed(4820), elapsed(300_000), elapsed(334_000), elapsed(7_260_000)]).to.deep.equal([
      '12 ms',
      '4.82 s',
      '5 min',
      '5 min 34 s',
      '2 h 1 min',
    ])
    expect([timeLeft(0), timeLeft(102_000), timeLeft(3_723_000)]).to.deep.equal(['0:00', '1:42', '1:02:03'])
    expect([compactNumber(999), compactNumber(21_000), compactNumber(400_000), compactNumber(1_000_000)]).to.deep.equal(
      ['999', '21.0k', '400k', '1.0M'],
    )
  })
})
