import { expect } from 'chai'
import { ask, CONSOLE, DEMO, serve, stopAll, type Served } from './test/support.js'

const OTHERS = [
  'http://localhost:5174',
  'http://localhost',
  'https://localhost:5173',
  'http://localhost:51730',
  'http://localhost:5173.evil.test',
  'http://evil.test',
  'null',
  '*',
  'http://LOCALHOST:5173',
  `${CONSOLE}/`,
  'http://xlocalhost:5173',
  'http://127.0.0.1:5173',
  'file://',
  `${CONSOLE}, http://evil.test`,
]
const PATHS: readonly (readonly [path: string, token: string | undefined, status: number])[] = [
  ['/pub/health', undefined, 200],
  ['/pub/hello', undefined, 200],
  ['/pub/openapi.json', undefined, 200],
  ['/api/things', undefined, 200],
  ['/api/things', '', 401],
  ['/api/things', 'wrong', 401],
  ['/api/nothing', undefined, 404],
  ['/api/echo', undefined, 405],
  ['/api/things', DEMO, 403],
  ['/api/broken', undefined, 500],
  ['/api/search?page=0', undefined, 400],
  ['/nothing', undefined, 404],
  ['/entries', undefined, 404],
  ['/@dev/x', undefined, 404],
]

describe('CORS', () => {
  let served: Served
  before(async () => {
    served = await serve()
  })
  after(stopAll)

  for (const [path, token, expected] of PATHS) {
    it(`lets only allowed origins read ${path} (${expected})`, async () => {
      const init = token === undefined ? {} : { token: token || null }
      const allowed = await served.fetch(path, { ...init, headers: { origin: CONSOLE } })
      expect(allowed.status).to.equal(expected)
      expect(allowed.headers.get('access-control-allow-origin')).to.equal(CONSOLE)
      expect(allowed.headers.get('vary')).to.match(/\borigin\b/i)
      expect(allowed.headers.get('access-control-allow-credentials')).to.equal(null)
      const none = await served.fetch(path, init)
      expect(none.headers.get('access-control-allow-origin')).to.equal(null)
      expect(none.headers.get('vary')).to.match(/\borigin\b/i)
    })
  }

  it('compares whole origins', async () => {
    for (const origin of OTHERS) {
      const response = await served.fetch('/api/things', { headers: { origin } })
      expect(response.headers.get('access-control-allow-origin'), origin).to.equal(null)
      expect(response.headers.get('vary'), origin).to.match(/\borigin\b/i)
    }
  })

  for (const path of [
    '/api/things',
    '/api/nothing',
    '/api',
    '/pub/health',
    '/entries',
    '/@dev/sandbox/client/index.js',
    '/anything',
  ]) {
    it(`answers a preflight of ${path} without a token`, async () => {
      const preflight = (origin: string) =>
        served.fetch(path, {
          method: 'OPTIONS',
          token: null,
          headers: {
            origin,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'authorization, content-type, x-evil',
          },
        })
      const allowed = await preflight(CONSOLE)
      expect(allowed.status).to.equal(204)
      expect(allowed.headers.get('access-control-allow-origin')).to.equal(CONSOLE)
      expect(allowed.headers.get('access-control-allow-headers')?.split(/, */)).to.deep.equal([
        'authorization',
        'content-type',
        'last-event-id',
      ])
      expect(allowed.headers.get('access-control-allow-methods')).to.contain('DELETE')
      expect(allowed.headers.get('access-control-max-age')).to.equal('600')
      expect(allowed.headers.get('vary')).to.match(/\borigin\b/i)
      for (const origin of OTHERS) {
        const refused = await preflight(origin)
        expect(refused.headers.get('vary'), origin).to.match(/\borigin\b/i)
        const allow = Array.from(refused.headers.keys()).filter((name) => name.startsWith('access-control-'))
        expect(allow, origin).to.deep.equal([])
        expect(await refused.text()).to.equal('')
      }
    })
  }

  it('allows no origin by default, and no patterns', async () => {
    const strict = await serve({ corsOrigins: [] })
    expect(
      (await strict.fetch('/pub/health', { headers: { origin: CONSOLE } })).headers.get('access-control-allow-origin'),
    ).to.equal(null)
    for (const origin of ['*', 'null', 'http://*.example', 'http://x/', 'localhost:5173']) {
      const refused = await serve({ corsOrigins: [origin] })
      expect(refused.host.inspect()[0]?.error?.message, origin).to.contain('http.corsOrigins')
      await refused.stop()
    }
  })
})

describe('host guard', () => {
  let served: Served
  before(async () => {
    served = await serve({ hosts: ['bot.example', 'proxy.example:8443'] })
  })
  after(stopAll)

  for (const host of [
    'localhost',
    'localhost:8086',
    'LOCALHOST',
    '127.0.0.1',
    '127.0.0.1:1',
    '127.9.9.9',
    '[::1]',
    '[::1]:8086',
    'bot.example',
    'BOT.example:1',
    'proxy.example:8443',
  ]) {
    it(`answers ${host} on loopback`, async () =>
      expect((await ask(served.port, '/pub/hello', { headers: { host } })).status).to.equal(200))
  }
  for (const host of [
    'evil.test',
    'localhost.evil.test',
    '127.0.0.1.evil.test',
    'evil.test:8086',
    '192.168.0.1',
    '0.0.0.0',
    '[::]',
    'proxy.example',
    'localhost@evil.test',
    '2130706433',
    '0x7f000001',
    '127.1',
    'xbot.example',
    '',
  ]) {
    it(`rejects ${host || '(empty)'} on loopback for every path`, async () => {
      for (const target of ['/pub/hello', '/api/things', '/nothing']) {
        const { status, body } = await ask(served.port, target, { headers: { host } })
        expect(status).to.equal(403)
        expect(body).to.contain('"code":"forbidden"')
      }
    })
  }

  it('rejects an absolute target with an unknown host name', async () => {
    expect((await ask(served.port, 'http://evil.test/pub/hello')).status).to.equal(403)
  })

  it('accepts any host name on an address that is not loopback', async () => {
    const open = await serve({ host: '0.0.0.0', token: 'kT9vQ2mZ7xL4pR8sW1yB', tokens: [] })
    expect((await ask(open.port, '/pub/hello', { headers: { host: 'bot.example' } })).status).to.equal(200)
  })
})

describe('security headers', () => {
  after(stopAll)

  it('are part of every answer', async () => {
    const served = await serve()
    for (const [path, , status] of PATHS) {
      const { headers } = await served.fetch(path, { token: status === 401 ? null : (undefined as never) })
      expect(headers.get('x-content-type-options'), path).to.equal('nosniff')
      expect(headers.get('content-security-policy'), path).to.equal("default-src 'none'; frame-ancestors 'none'")
      expect(headers.get('referrer-policy'), path).to.equal('no-referrer')
      expect(headers.get('cache-control'), path).to.equal('no-store')
      expect(headers.get('content-type'), path).to.match(/^application\/json/)
      expect(headers.get('cross-origin-resource-policy'), path).to.equal(
        path.startsWith('/pub/') ? 'cross-origin' : 'same-origin',
      )
      expect(headers.get('x-powered-by') ?? headers.get('server'), path).to.equal(null)
    }
  })
})
