import { expect } from 'chai'
import { contract } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { TestClock } from '@mynah/kernel/testing'
import { route, routes } from './api.js'
import { DEMO, json, serve, stopAll, TOKEN } from './test/support.js'

const MONITOR = 'monitor-token-5510'
const tokens = [
  { token: DEMO, scope: 'demo', name: 'visitor' },
  { token: MONITOR, scope: 'monitor', name: 'probe' },
]

const { rest } = contract({
  rest: {
    'GET /figures': { summary: 'For monitors', data: Type.Integer(), monitored: true },
    'GET /both': { summary: 'For monitors and visitors', data: Type.Integer(), scope: 'demo', monitored: true },
    'POST /say': {
      summary: 'Gives the length of a text',
      body: Type.Object({ text: Type.String() }),
      data: Type.Integer(),
      scope: 'demo',
    },
  },
})
const figures = definePlugin({
  name: 'figures',
  setup(ctx) {
    ctx.contribute(
      routes,
      route(rest, 'GET /figures', () => 7),
    )
    ctx.contribute(
      routes,
      route(rest, 'GET /both', () => 8),
    )
    ctx.contribute(
      routes,
      route(rest, 'POST /say', ({ body }) => body.text.length),
    )
  },
}) as unknown as AnyPlugin

describe('TokenRateLimiter', () => {
  afterEach(stopAll)

  it('allows 120 requests a minute of a limited token and tells when to retry', async () => {
    const clock = new TestClock()
    const served = await serve({ tokens }, { clock })
    const ask = (token: string) => served.fetch('/api/look', { token })
    for (let asked = 0; asked < 120; asked++) expect((await ask(DEMO)).status).to.equal(200)
    await clock.advance(20_500)
    const refused = await ask(DEMO)
    expect(refused.status).to.equal(429)
    expect(refused.headers.get('retry-after')).to.equal('40')
    expect(await json(refused)).to.include({ success: false, code: 'rate_limited' })
    expect((await ask(MONITOR)).status, 'another token').to.equal(403)
    expect((await ask(TOKEN)).status, 'another token').to.equal(200)
    await clock.advance(39_500)
    expect((await ask(DEMO)).status).to.equal(200)
  })

  it('counts forbidden requests too', async () => {
    const served = await serve({ tokens }, { clock: new TestClock() })
    for (let asked = 0; asked < 120; asked++)
      expect((await served.fetch('/api/things', { token: DEMO })).status).to.equal(403)
    expect((await served.fetch('/api/look', { token: DEMO })).status).to.equal(429)
  })

  it('counts a full token only from another machine', async () => {
    const served = await serve({ rateLimit: 60, trustedProxies: ['127.0.0.1'] }, { clock: new TestClock() })
    for (let asked = 0; asked < 61; asked++) expect((await served.fetch('/api/things')).status).to.equal(200)
    const far = () => served.fetch('/api/things', { headers: { 'x-forwarded-for': '192.0.2.7' } })
    for (let asked = 0; asked < 60; asked++) expect((await far()).status).to.equal(200)
    expect((await far()).status).to.equal(429)
    expect((await served.fetch('/api/things')).status).to.equal(200)
  })

  it('keeps the count of a token when the configuration changes', async () => {
    const served = await serve({ tokens }, { clock: new TestClock() })
    for (let asked = 0; asked < 120; asked++) await served.fetch('/api/look', { token: DEMO })
    await served.host.update('http-core', { port: 0, token: TOKEN, tokens, corsOrigins: ['http://other.example'] })
    expect((await served.fetch('/api/look', { token: DEMO })).status).to.equal(429)
  })

  it('lets a monitor token read only monitored routes', async () => {
    const served = await serve({ tokens }, { plugins: [figures] })
    expect((await json(await served.fetch('/api/figures', { token: MONITOR }))).data).to.equal(7)
    expect((await json(await served.fetch('/api/both', { token: MONITOR }))).data).to.equal(8)
    expect((await served.fetch('/api/figures', { token: DEMO })).status).to.equal(403)
    expect((await json(await served.fetch('/api/both', { token: DEMO }))).data).to.equal(8)
    for (const path of ['/api/look', '/api/things', '/api/open', '/api/nowhere', '/api']) {
      const response = await served.fetch(path, { token: MONITOR })
      expect(response.status, path).to.equal(403)
      expect(await json(response)).to.include({ code: 'forbidden' })
    }
  })

  it('lets a limited token send 64 KiB', async () => {
    const served = await serve({ tokens }, { plugins: [figures] })
    const send = (length: number, token: string) =>
      served.fetch('/api/say', { token, method: 'POST', body: JSON.stringify({ text: 'x'.repeat(length - 11) }) })
    expect((await send(65_536, DEMO)).status).to.equal(200)
    expect((await send(65_537, DEMO)).status).to.equal(413)
    expect((await send(65_537, TOKEN)).status).to.equal(200)
  })

  for (const [change, path] of [
    [{ token: 'schlüssel-1234567' }, 'http.token'],
    [{ token: 'two words here' }, 'http.token'],
    [{ token: 'line\nfeed-12345' }, 'http.token'],
    [{ tokens: [{ token: '密码密码密码', scope: 'demo', name: 'x' }] }, 'http.tokens[0].token'],
  ] as const) {
    it(`rejects ${JSON.stringify(Object.values(change)[0])}, which no header could carry`, async () => {
      const { host } = await serve(change)
      const [view] = host.inspect()
      expect(view?.state).to.equal('failed')
      expect(view?.error?.message).to.contain(path).and.contain('printable ASCII')
    })
  }

  it('rejects a token in the environment that no header could carry', async () => {
    process.env.HTTP_TOKEN = 'with a space'
    try {
      const { host } = await serve({ token: undefined })
      expect(host.inspect()[0]?.error?.message).to.contain('HTTP_TOKEN').and.contain('printable ASCII')
    } finally {
      delete process.env.HTTP_TOKEN
    }
  })
})
