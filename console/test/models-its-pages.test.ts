// What pages make of what the host says.
import type { ConsoleEntry, ExecApproval } from '@mynah/contract/types'
import { EndpointRow, LogEntry } from '@mynah/contract'
import { exampleOf } from './schema-example.js'
import { EntryError, NetworkError, type EntryState } from '@mynah/sdk'
import { expect } from 'chai'
import {
  byUrgency,
  hourOf,
  memoryHour,
  readinessFromError,
  roundUp,
  trafficOf,
  issues,
} from '../src/pages/dashboard/model.js'
import { lastProblems, nextJobs, usageOf } from '../src/pages/dashboard/summaries.js'
import { completeBase, isAddress, refusalOf, usualPort, verdictOf } from '../src/pages/login/model.js'
import { schemaRows } from '../src/lib/schema-rows.js'
import {
  userFeatures,
  describe as describeIn,
  entriesOf,
  featureCount,
  lineOf,
  linesAround,
  originOf,
  pluginPage,
  statusOf,
  valueAt,
  dependentsOf,
} from '../src/pages/plugins/model.js'
import { plugins } from './stand-in.js'

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

describe('the login page', () => {
  const page = { origin: 'http://console.test', contract: '1.0' }
  const reachable = {
    reachable: true as const,
    base: 'http://h',
    latency: 3.6,
    status: 'ok' as const,
    apiPrefix: '/api',
    name: 'mynah',
    version: '0.1.0',
    contract: '1.2',
  }

  it('says who answers, and warns of another interface or a host that is starting', () => {
    expect(verdictOf(reachable, page)).to.deep.include({ tone: 'ok', title: 'reachable' })
    expect(verdictOf(reachable, page).values).to.include({ latency: 4 })
    expect(verdictOf({ ...reachable, contract: '2.0' }, page)).to.include({ tone: 'warn', text: 'contract' })
    expect(verdictOf({ ...reachable, status: 'starting' }, page)).to.include({ tone: 'warn', text: 'starting' })
  })

  it('names each reason for which a host cannot be reached', () => {
    for (const reason of [
      'invalid-url',
      'refused',
      'cors',
      'mixed-content',
      'local-network',
      'not-mynah',
      'timeout',
    ] as const) {
      expect(verdictOf({ reachable: false, reason }, page)).to.deep.include({ tone: 'err', title: `no.${reason}` })
    }
  })

  it('tells a wrong token from too many wrong ones and from a host that does not answer', () => {
    expect(refusalOf({ status: 401, message: 'The token is not valid' })).to.include({
      title: 'unauthorized',
      said: 'The token is not valid',
    })
    expect(refusalOf({ status: 429, message: '', retryAfter: 30 }).values).to.deep.equal({ seconds: 30 })
    expect(refusalOf(new NetworkError('unreachable', 'no answer'))).to.include({ title: 'network' })
    expect(refusalOf({ status: 503, code: 'not_ready', message: 'starting' })).to.include({ title: 'notReady' })
    expect(refusalOf({ status: 403, message: 'Host not allowed' })).to.include({
      title: 'failed',
      said: 'Host not allowed',
    })
  })

  it('adds the scheme that is meant', () => {
    expect(completeBase(' localhost:8086 ')).to.equal('http://localhost:8086')
    expect(completeBase('bot.example.org')).to.equal('https://bot.example.org')
    expect(completeBase('http://bot.example.org')).to.equal('http://bot.example.org')
    expect(completeBase('')).to.equal('')
  })

  it('cuts off what was copied along, and knows what is no address', () => {
    for (const pasted of ['http://h:8086/api', 'http://h:8086/api/', 'http://h:8086/', 'http://h:8086/pub/health'])
      expect(completeBase(pasted), pasted).to.equal('http://h:8086')
    expect(completeBase('https://h/bot/api')).to.equal('https://h/bot')
    expect(completeBase('https://h/my-api')).to.equal('https://h/my-api')
    for (const good of ['localhost:8086', 'bot.example.org', 'http://[::1]:8086'])
      expect(isAddress(good), good).to.equal(true)
    for (const bad of ['', 'not a url', 'ftp://h', 'http://', 'http://u:p@h', 'http://h/?a=1', 'http://h/#x'])
      expect(isAddress(bad), bad).to.equal(false)
    expect(usualPort('http://10.0.0.1:8068', 8086)).to.equal('http://10.0.0.1:8086')
    expect(usualPort('http://10.0.0.1:8086', 8086)).to.equal(undefined)
    expect(usualPort('https://bot.example.org', 8086)).to.equal(undefined)
  })
})

describe('the dashboard', () => {
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

  it('lists what is wrong, the worst first, each thing once and in the host’s words', () => {
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
          marketplace: { status: 'failed', reason: 'told by the plugin itself' },
          disk: { status: 'failed', reason: 'full' },
          half: { status: 'degraded', reason: 'told by the plugin itself' },
          up: { status: 'degraded', reason: 'a part of it is away' },
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
      ['err', 'endpoint:irc:gone', 'No route'],
      ['err', 'plugin:marketplace', 'marketplace.registry: must be an address'],
      ['err', 'check:disk', 'full'],
      ['err', 'job:j', 'refused'],
      ['err', 'entry:bad', 'not there'],
      ['err', 'entry:shown', 'crashed'],
      ['warn', 'endpoint:irc:slow', undefined],
      ['warn', 'plugin:half', 'no disk'],
      ['warn', 'plugin:late', 'Chat'],
      ['warn', 'check:up', 'a part of it is away'],
      ['warn', 'approval:a', undefined],
    ])
    expect(issues({ entries: [], pageFailures: {}, now })).to.deep.equal([])
  })

  it('reads the checks of a host that is not ready from its failure', () => {
    const data = { status: 'starting', checks: { chat: { status: 'failed' } } }
    expect(readinessFromError({ status: 503, data })).to.equal(data)
    const other = new Error('no answer')
    expect(() => readinessFromError(other)).to.throw(other)
  })

  it('adds the traffic of all endpoints up, on a scale of round numbers', () => {
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

  it('shows what this browser saw where the host does not count', () => {
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

  it('folds repeated lines, adds models up, and names what runs next', () => {
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

describe('the plugin pages', () => {
  it('put what fails first, filter by text and state, sort, and tell how many there are without a filter', () => {
    const names = (query: Record<string, string>): string[] =>
      pluginPage(plugins, query).rows.map((plugin) => plugin.name)
    expect(names({})).to.deep.equal(['marketplace', 'chat', 'http-core'])
    expect(names({ status: 'failed' })).to.deep.equal(['marketplace'])
    expect(names({ filter: 'COMMANDS' })).to.deep.equal(['chat'])
    expect(names({ sort: '-brings' })[0]).to.equal('http-core')
    expect(pluginPage(plugins, { filter: 'nothing has this' })).to.include({ total: 0, of: 3 })
    expect(plugins.map(featureCount)).to.deep.equal([3, 31, 0])
  })

  it('say in four words how a plugin stands, also of a host that does not tell its state', () => {
    const item = (more: object) => ({ name: 'p', status: 'inactive' as const, description: '', features: [], ...more })
    expect(
      ['failed', 'disabled', 'pending', 'starting', 'degraded', 'active'].map((state) => statusOf(item({ state }))),
    ).to.deep.equal(['failed', 'off', 'waiting', 'waiting', 'running', 'running'])
    expect(statusOf(item({ status: 'active' }))).to.equal('running')
    expect(statusOf(item({}))).to.equal('off')
    expect(statusOf(item({ error: 'x' }))).to.equal('failed')
  })

  it('tell what a plugin brings to people, whose it is, and describe it in the language of the reader', () => {
    const item = {
      name: 'p',
      status: 'active' as const,
      description: 'Text',
      descriptions: { 'zh-CN': '文字' },
      features: [
        { name: 'routes', count: 9, items: [] },
        { name: 'commands', count: 2, items: [] },
      ],
    }
    expect(userFeatures(item)).to.deep.equal([{ kind: 'commands', count: 2 }])
    expect([describeIn(item, 'zh-CN'), describeIn(item, 'en')]).to.deep.equal(['文字', 'Text'])
    expect(
      ['@mynah/plugin-chat', 'mynah-plugin-weather', './plugins/own.js', 'plugins/notes', 'single.js', undefined].map(
        (filePath) => originOf({ ...item, ...(filePath ? { filePath } : {}) }),
      ),
    ).to.deep.equal([
      'ours',
      'third',
      { path: './plugins/own.js' },
      { path: 'plugins/notes' },
      { path: 'single.js' },
      'ours',
    ])
  })

  it('find the line that an error names, the value of a setting, and who waits for a plugin', () => {
    expect(lineOf('mynah.config.yml:41 weather.units: expected "metric"')).to.equal(41)
    expect(lineOf(`${'x'.repeat(5_000)} mynah.config.yml:41`)).to.equal(undefined)
    expect(linesAround('a\nb\nc\nd', 2, 1)).to.deep.equal([
      { number: 1, text: 'a', isError: false },
      { number: 2, text: 'b', isError: true },
      { number: 3, text: 'c', wrong: false },
    ])
    expect([
      valueAt({ a: { b: 0 } }, 'a.b'),
      valueAt({ a: [1] }, 'a[].b'),
      valueAt(null, 'a'),
      valueAt({}, '__proto__'),
    ]).to.deep.equal([0, undefined, undefined, undefined])
    const waits = (waitingFor: string[]) => ({
      name: 'w',
      status: 'inactive' as const,
      description: '',
      features: [],
      waitingFor,
    })
    expect(dependentsOf({ name: 'weather', provides: ['Forecast'] }, [waits(['Forecast (weather)'])])).to.have.length(1)
    expect(dependentsOf({ name: 'weather', provides: [] }, [waits(['weather-pro'])])).to.have.length(0)
  })

  it('walk a schema: nested keys, items, unions, any key', () => {
    const rows = schemaRows({
      type: 'object',
      required: ['a'],
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
    const of = (id: string, plugin?: string): EntryState => ({
      ...entry(id),
      entry: { ...entry(id).entry, meta: { name: id, version: '1', ...(plugin ? { plugin } : {}) } },
    })
    expect(
      entriesOf('adapter-sandbox', [of('any', 'adapter-sandbox'), of('adapter-sandbox', 'other'), of('sandbox')]).map(
        (state) => state.id,
      ),
    ).to.deep.equal(['any'])
  })
})
