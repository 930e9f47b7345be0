// What pages make of what the host says.
import type { ConsoleEntry } from '@mynah/contract/types'
import { EntryError, type EntryState } from '@mynah/sdk'
import { expect } from 'chai'
import { attention, eventTicks, memoryTicks, readyOf, upTicks } from '../src/pages/dashboard/model.js'
import { completeBase, refusalOf, verdictOf } from '../src/pages/login/model.js'
import { entriesOf, featureCount, pluginPage, schemaRows, stateBadge } from '../src/pages/plugins/model.js'
import { plugins } from './stand-in.js'

const entry = (id: string, more: Partial<EntryState> = {}): EntryState => ({ id, entry: { id, resolvedModule: `/@dev/${id}/client/index.js`, order: 1, enabled: true, meta: { name: id, version: '1' } } satisfies ConsoleEntry, status: 'loaded', routes: [], tools: [], ...more })

describe('the login page', () => {
  const page = { origin: 'http://console.test', contract: '1.0' }
  const reachable = { reachable: true as const, base: 'http://h', latency: 3.6, status: 'ok' as const, apiPrefix: '/api', name: 'mynah', version: '0.1.0', contract: '1.2' }

  it('says who answers, and warns of another interface or a host that is starting', () => {
    expect(verdictOf(reachable, page)).to.deep.include({ tone: 'ok', title: 'login.reachable' })
    expect(verdictOf(reachable, page).values).to.include({ latency: 4 })
    expect(verdictOf({ ...reachable, contract: '2.0' }, page)).to.include({ tone: 'warn', text: 'login.contract' })
    expect(verdictOf({ ...reachable, status: 'starting' }, page)).to.include({ tone: 'warn', text: 'login.starting' })
  })

  it('names each reason for which a host cannot be reached', () => {
    for (const reason of ['invalid-url', 'refused', 'cors', 'mixed-content', 'local-network', 'not-mynah', 'timeout'] as const) {
      expect(verdictOf({ reachable: false, reason }, page)).to.deep.include({ tone: 'err', title: `login.${reason}` })
    }
  })

  it('tells a wrong token from too many wrong ones and from a host that does not answer', () => {
    expect(refusalOf({ status: 401, message: 'The token is not valid' })).to.include({ title: 'login.unauthorized', said: 'The token is not valid' })
    expect(refusalOf({ status: 429, message: '', retryAfter: 30 }).values).to.deep.equal({ seconds: 30 })
    expect(refusalOf(new Error('no answer'))).to.include({ title: 'list.network' })
    expect(refusalOf({ status: 503, code: 'not_ready', message: 'starting' })).to.include({ title: 'list.notReady' })
    expect(refusalOf({ status: 403, message: 'Host not allowed' })).to.include({ title: 'login.failed', said: 'Host not allowed' })
  })

  it('adds the scheme that is meant', () => {
    expect(completeBase(' localhost:8086 ')).to.equal('http://localhost:8086')
    expect(completeBase('bot.example.org')).to.equal('https://bot.example.org')
    expect(completeBase('http://bot.example.org')).to.equal('http://bot.example.org')
    expect(completeBase('')).to.equal('')
  })
})

describe('the dashboard', () => {
  it('lists what needs attention, the worst first, each plugin once', () => {
    const items = attention({
      endpoints: [{ name: 'a', adapter: 'irc', connected: true, status: 'online' }, { name: 'b', adapter: 'irc', connected: false, status: 'offline' }],
      plugins,
      ready: { status: 'degraded', checks: { chat: { status: 'ok' }, marketplace: { status: 'degraded', reason: 'no registry' } } },
      entries: [entry('good'), entry('bad', { status: 'failed', error: new EntryError('not-found', 'not there') }), entry('late')],
      pageFailures: { late: 'crashed' },
    })
    expect(items.map((item) => [item.tone, item.id])).to.deep.equal([['err', 'endpoint:irc:b'], ['err', 'entry:bad'], ['err', 'entry:late'], ['warn', 'check:marketplace']])
    expect(attention({ entries: [], pageFailures: {} })).to.deep.equal([])
  })

  it('reads the checks of a host that is not ready from its failure', () => {
    const data = { status: 'starting', checks: { chat: { status: 'failed' } } }
    expect(readyOf({ status: 503, data })).to.equal(data)
    const other = new Error('no answer')
    expect(() => readyOf(other)).to.throw(other)
  })

  it('draws events, memory and availability of sixty minutes', () => {
    const now = 100 * 60_000
    const ring = [{ minute: 98, events: 4, memory: 100, up: { 'irc/a': true } }, { minute: 99, events: 0, down: true, up: { 'irc/a': false } }, { minute: 100, events: 2 }]
    const { ticks, count } = eventTicks(ring, now)
    expect(count).to.equal(6)
    expect(ticks.slice(-4)).to.deep.equal([{ value: 0, tone: 'off' }, { value: 1, tone: 'on' }, { value: 1, tone: 'err' }, { value: 0.5, tone: 'on' }])
    expect(memoryTicks(ring, now).filter((tick) => tick.tone === 'on')).to.have.length(1)
    expect(upTicks(ring, 'irc/a', now)).to.include({ up: 1, seen: 2 })
    expect(upTicks(ring, 'irc/other', now)).to.include({ up: 0, seen: 0 })
  })
})

describe('the plugin pages', () => {
  it('filter by text and state and sort by the number of features', () => {
    const names = (query: Record<string, string>): string[] => pluginPage(plugins, query).rows.map((plugin) => plugin.name)
    expect(names({ status: 'inactive' })).to.deep.equal(['marketplace'])
    expect(names({ filter: 'COMMANDS' })).to.deep.equal(['chat'])
    expect(names({ sort: '-features' })[0]).to.equal('http-core')
    expect(plugins.map(featureCount)).to.deep.equal([3, 31, 0])
  })

  it('give each state a shape of its own kind', () => {
    expect(stateBadge('active')).to.deep.equal({ tone: 'ok', shape: 'full' })
    expect(stateBadge('failed')).to.deep.equal({ tone: 'err', shape: 'ring' })
    expect(stateBadge('starting')).to.deep.equal({ tone: 'warn', shape: 'half' })
  })

  it('walk a schema: nested keys, items, unions, any key', () => {
    const rows = schemaRows({
      type: 'object', required: ['a'],
      properties: {
        a: { type: 'string', default: '/', description: 'First' },
        b: { type: 'array', items: { type: 'object', properties: { c: { enum: ['x', 1] } } } },
        d: { anyOf: [{ type: 'string' }, { const: 3 }] },
        e: { type: 'object', additionalProperties: { type: 'integer' } },
      },
    })
    expect(rows).to.deep.equal([
      { path: 'a', type: 'string', required: true, fallback: '"/"', description: 'First' },
      { path: 'b', type: 'object[]', required: false },
      { path: 'b[].c', type: '"x" | 1', required: false },
      { path: 'd', type: 'string | 3', required: false },
      { path: 'e', type: 'object', required: false },
      { path: 'e.*', type: 'integer', required: false },
    ])
  })

  it('end on schemas without an end, and on what is none', () => {
    const circle: Record<string, unknown> = { type: 'object' }
    circle['properties'] = { again: circle }
    expect(schemaRows(circle).length).to.be.within(1, 500)
    for (const schema of [null, 'x', true, [], {}]) expect(schemaRows(schema)).to.deep.equal([])
  })

  it('find the console entries of a plugin', () => {
    expect(entriesOf('adapter-sandbox', [entry('sandbox'), entry('other')]).map((state) => state.id)).to.deep.equal(['sandbox'])
  })
})
