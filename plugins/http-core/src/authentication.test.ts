import { expect } from 'chai'
import { ask, json, serve, stopAll, TOKEN, type Served } from './test/support.js'

const BELOW = [
  '/api',
  '/api/',
  '/api/things',
  '/api/things/',
  '/api/things/x',
  '/api/nothing',
  '/api/a/b/c/d',
  '/api?x=1',
  '/api/?x',
  '/api/things?token=TOKEN',
  '/api/things?access_token=TOKEN',
  '/api//things',
  '//api/things',
  '///api',
  '//api//things//',
  '/./api/things',
  '/api/./things',
  '/x/../api/things',
  '/pub/../api/things',
  '/pub/../../api',
  '/api/../pub/hello',
  '/api/..',
  '/api/%2e%2e/pub/hello',
  '/%61pi/things',
  '/%61%70%69/things',
  '/ap%69',
  '/%2Fapi/things',
  '/%2fapi',
  '/api%2Fthings',
  '/api%2fthings/x',
  '/%2e/api/things',
  '/pub/%2e%2e/api/things',
  '/pub/..%2Fapi/things',
  '/pub%2F..%2Fapi',
  '/pub/%2E%2E%2Fapi',
  '/%2561pi/things',
  '/%25%36%31pi',
  '/api%252Fthings',
  '/%252Fapi',
  '/pub/%252e%252e/api',
  '/\\api\\things',
  '/pub\\..\\api',
  '/api\\things',
  '/%5Capi',
  '/api%5Cthings',
  '/pub/..%5Capi',
  '/api;x=1/things',
  '/api;/things',
  '/;/api',
  '/api/things;v=2',
  '/api%3Bx/things',
  '/api/webhook',
  '/api/webhook/other',
  '/api/plugins/webhook',
  '/api/things/webhook',
  '/api/%77ebhook/below',
  '/api/webhook/below/',
  '/api/pub/hello',
  '/api/entries',
  '/api/events',
  '/api/console/request',
  '/api/%',
  '/api/%zz',
  '/api/%00',
  '/api/%0d%0aset-cookie:x',
  '/api/things#fragment',
  '/api/@dev/x',
  '/api/*',
  '/api/things/%E0%A4%A',
  '/%25252561pi',
]
const ELSEWHERE = [
  '/',
  '/API',
  '/API/things',
  '/Api/things',
  '/apix',
  '/apis/things',
  '/ap',
  '/xapi/things',
  '/x/api/things',
  '/pub',
  '/pub/api',
  '/pub/x',
  '/pub/api/things',
  '/things',
  '/.api',
  '/api.json',
  '/%41PI/things',
  '/entries/api',
  '/webhook',
]

describe('authentication', () => {
  let served: Served
  before(async () => {
    served = await serve()
  })
  after(stopAll)

  it(`requires a token for ${BELOW.length} spellings of paths below the prefix`, async () => {
    const wrong: string[] = []
    for (const target of BELOW) {
      const { status, body } = await ask(served.port, target.replace('TOKEN', TOKEN))
      if (status !== 401 || !body.includes('"code":"unauthorized"')) wrong.push(`${target} ${status}`)
    }
    expect(wrong).to.deep.equal([])
    expect(BELOW.length).to.be.at.least(60)
  })

  it('answers 401 before 405 for every method, and for OPTIONS requests that are no preflights', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      expect((await ask(served.port, '/api/things', { method })).status, method).to.equal(401)
      expect((await ask(served.port, '/api/nothing', { method })).status, method).to.equal(401)
    }
  })

  it('requires a token for an absolute request target', async () => {
    expect((await ask(served.port, `http://127.0.0.1:${served.port}/api/things`)).status).to.equal(401)
    expect((await ask(served.port, `http://localhost/pub/..%2fapi/things`)).status).to.equal(401)
  })

  it('finds a route only under its one spelling', async () => {
    const headers = { authorization: `Bearer ${TOKEN}` }
    expect((await ask(served.port, '/api/things', { headers })).status).to.equal(200)
    expect((await ask(served.port, '/api/things?x=1#y', { headers })).status).to.equal(200)
    for (const target of [
      '/api/things/',
      '/api//things',
      '//api/things',
      '/%61pi/things',
      '/api/./things',
      '/x/../api/things',
      '/API/things',
      '/api/Things',
      '/api%2Fthings',
    ]) {
      expect((await ask(served.port, target, { headers })).status, target).to.equal(404)
    }
  })

  it('does not mention tokens outside the prefix', async () => {
    for (const target of ELSEWHERE) expect((await ask(served.port, target)).status, target).to.equal(404)
    expect((await ask(served.port, '/pub/hello')).status).to.equal(200)
    expect((await ask(served.port, '*', { method: 'OPTIONS' })).status).to.equal(400)
  })

  it('ignores tokens in the query, in cookies and in other headers', async () => {
    expect((await ask(served.port, `/api/things?token=${TOKEN}&authorization=Bearer%20${TOKEN}`)).status).to.equal(401)
    for (const name of ['cookie', 'x-token', 'x-api-key', 'proxy-authorization']) {
      expect((await ask(served.port, '/api/things', { headers: { [name]: `Bearer ${TOKEN}` } })).status, name).to.equal(
        401,
      )
    }
  })

  it('names the scheme in a 401 and forbids caching', async () => {
    const response = await served.fetch('/api/things', { token: null })
    expect(response.status).to.equal(401)
    expect(response.headers.get('www-authenticate')).to.equal('Bearer')
    expect(response.headers.get('cache-control')).to.equal('no-store')
    expect(response.headers.get('x-request-id')).to.be.a('string').with.length.greaterThan(10)
    expect((await json(response)).code).to.equal('unauthorized')
  })

  it('follows http.base', async () => {
    const other = await serve({ base: '/admin/v1' })
    expect((await other.fetch('/admin/v1/things')).status).to.equal(200)
    expect((await other.fetch('/admin/v1/things', { token: null })).status).to.equal(401)
    expect((await other.fetch('/admin/v1', { token: null })).status).to.equal(401)
    expect((await other.fetch('/admin', { token: null })).status).to.equal(404)
    expect((await other.fetch('/api/things', { token: null })).status).to.equal(404)
    expect((await json(await other.fetch('/pub/health'))).apiPrefix).to.equal('/admin/v1')
  })
})

describe('http.base', () => {
  for (const base of ['', '/', 'api', '/api/', '/pub', '/entries', '/@dev', '/a b', '/a/../b', '/:x', '/a//b', '/*']) {
    it(`rejects ${JSON.stringify(base)}`, async () => {
      const served = await serve({ base })
      expect(served.host.inspect()[0]?.state).to.equal('failed')
      expect(served.host.inspect()[0]?.error?.message).to.contain('http.base')
      await served.stop()
    })
  }
})
