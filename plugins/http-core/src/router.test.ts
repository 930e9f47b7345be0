import { expect } from 'chai'
import { contract } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { answered, route, routes, type Answered } from './api.js'
import { ask, json, sample, serve, stopAll, TOKEN, type Served } from './test/support.js'

describe('RouteTable', () => {
  let served: Served
  before(async () => {
    served = await serve()
  })
  after(stopAll)

  it('finds the handler of a method and a path', async () => {
    expect(await json(await served.fetch('/api/things'))).to.deep.equal({ success: true, data: { text: 'all' } })
    expect(await json(await served.fetch('/api/things/x%20y'))).to.deep.equal({ success: true, data: { text: 'x y' } })
    const put = await served.fetch('/api/things', { method: 'PUT', body: '{"text":"new","other":1}' })
    expect(put.status).to.equal(201)
    expect(await json(put)).to.deep.equal({ success: true, data: { text: 'new' } })
    expect(await (await served.fetch('/pub/hello', { token: null })).json()).to.deep.equal({ text: 'hello' })
  })

  it('decodes a parameter', async () => {
    for (const name of ['@scope/name', '..', '../../etc', 'a%b', 'ü', '%2F', 'a;b', 'a?b', 'a#b', '.']) {
      const { body } = await ask(served.port, `/api/things/${encodeURIComponent(name).replaceAll('.', '%2E')}`, {
        headers: { authorization: `Bearer ${TOKEN}` },
      })
      expect((JSON.parse(body) as { data: unknown }).data, name).to.deep.equal({ text: name })
    }
    const long = await served.fetch(`/api/things/${'x'.repeat(65)}`)
    expect(long.status).to.equal(400)
    expect((await json(long)).details?.[0]?.path).to.equal('params.name')
  })

  it('keeps raw and encoded slashes in the rest of a path', async () => {
    expect((await json(await served.fetch('/pub/file/a/b.js'))).data).to.deep.equal({ text: 'a/b.js' })
    expect((await json(await served.fetch('/pub/file/@scope%2Fname'))).data).to.deep.equal({ text: '@scope/name' })
    expect((await served.fetch('/pub/file/')).status).to.equal(404)
  })

  it('answers a malformed percent sequence with 400', async () => {
    for (const target of ['/api/things/%', '/api/things/%zz', '/api/things/%E0%A4%A', '/pub/file/%ff']) {
      expect(
        (await ask(served.port, target, { headers: { authorization: `Bearer ${TOKEN}` } })).status,
        target,
      ).to.equal(400)
    }
  })

  it('validates and converts the query and ignores undeclared fields', async () => {
    expect((await json(await served.fetch('/api/search?page=7&flag=true&text=12&other=1'))).data).to.deep.equal({
      page: 7,
      flag: true,
      text: '12',
    })
    expect((await json(await served.fetch('/api/search'))).data).to.deep.equal({ page: 1 })
    for (const [query, path] of [
      ['page=0', 'query.page'],
      ['page=101', 'query.page'],
      ['page=1.5', 'query.page'],
      ['page=x', 'query.page'],
      ['page=', 'query.page'],
      ['page=1&page=2', 'query.page'],
      ['flag=maybe', 'query.flag'],
      [`text=${'x'.repeat(33)}`, 'query.text'],
      ['page=NaN', 'query.page'],
      ['page=99999999999999999999', 'query.page'],
    ] as const) {
      const response = await served.fetch(`/api/search?${query}`)
      expect(response.status, query).to.equal(400)
      expect(
        (await json(response)).details?.map((detail) => detail.path),
        query,
      ).to.include(path)
    }
    for (const query of ['__proto__=1', 'constructor=1', 'toString=1', '%', '&&&', '=', 'page[]=1'])
      expect((await served.fetch(`/api/search?${query}`)).status, query).to.equal(200)
  })

  it('answers an unknown path with 404 and an unknown method with 405 and the known ones', async () => {
    const missing = await served.fetch('/api/nothing')
    expect(missing.status).to.equal(404)
    expect(await json(missing)).to.deep.equal({
      success: false,
      error: 'Not found',
      code: 'not_found',
    })
    for (const path of [
      '/api/THINGS/x',
      '/api/things/x/',
      '/api/things/x/y',
      '/pub/FILE/a',
      '/pub/hello/',
      '/PUB/hello',
    ])
      expect((await served.fetch(path)).status, path).to.equal(404)
    for (const [method, path, allow] of [
      ['POST', '/api/things', 'DELETE, GET, HEAD, OPTIONS, PUT'],
      ['PATCH', '/api/things', 'DELETE, GET, HEAD, OPTIONS, PUT'],
      ['DELETE', '/api/things/x', 'GET, HEAD, OPTIONS'],
      ['GET', '/api/echo', 'OPTIONS, POST'],
      ['HEAD', '/api/echo', 'OPTIONS, POST'],
      ['POST', '/pub/hello', 'GET, HEAD, OPTIONS'],
      ['GET', '/hooks/webhook/x', 'OPTIONS, POST'],
    ] as const) {
      const response = await served.fetch(path, { method })
      expect(response.status, `${method} ${path}`).to.equal(405)
      expect(response.headers.get('allow'), `${method} ${path}`).to.equal(allow)
      if (method !== 'HEAD') expect((await json(response)).code).to.equal('method_not_allowed')
    }
    const trace = await ask(served.port, '/api/things', {
      method: 'TRACE',
      headers: { authorization: `Bearer ${TOKEN}`, 'x-secret': 'echo' },
    })
    expect(trace.status).to.equal(405)
    expect(trace.body).not.to.contain('echo')
  })

  it('answers OPTIONS with the methods', async () => {
    const response = await served.fetch('/api/things', { method: 'OPTIONS' })
    expect(response.status).to.equal(204)
    expect(response.headers.get('allow')).to.equal('DELETE, GET, HEAD, OPTIONS, PUT')
    expect((await served.fetch('/api/nothing', { method: 'OPTIONS' })).status).to.equal(404)
  })

  it('answers HEAD like GET without a body and without opening a stream', async () => {
    const head = await served.fetch('/api/things', { method: 'HEAD' })
    expect(head.status).to.equal(200)
    expect(head.headers.get('content-length')).to.equal(String('{"success":true,"data":{"text":"all"}}'.length))
    expect(await head.text()).to.equal('')
    const stream = await served.fetch('/api/open', { method: 'HEAD' })
    expect(stream.status).to.equal(200)
    expect(stream.headers.get('content-type')).to.match(/^text\/event-stream/)
    expect(served.streams.open).to.equal(0)
  })
})

describe('routes', () => {
  afterEach(stopAll)

  it('come and go with their plugin', async () => {
    const served = await serve()
    expect((await served.fetch('/api/things')).status).to.equal(200)
    await served.host.enable('sample', false)
    expect((await served.fetch('/api/things')).status).to.equal(404)
    expect((await served.fetch('/api/things', { method: 'POST' })).status).to.equal(404)
    await served.host.enable('sample', true)
    expect((await served.fetch('/api/things')).status).to.equal(200)
  })

  it('do not break others when they are malformed, and report it to their plugin', async () => {
    const { rest } = contract({ rest: { 'GET /bad/:': { summary: 'Malformed', data: Type.Unknown() } } })
    const bad = definePlugin({
      name: 'bad',
      setup(ctx) {
        ctx.contribute(
          routes,
          route(rest, 'GET /bad/:', () => 1),
        )
      },
    }) as unknown as AnyPlugin
    const served = await serve({}, { plugins: [bad] })
    expect((await served.fetch('/api/things')).status).to.equal(200)
    expect(served.host.inspect().find(({ name }) => name === 'bad')?.errors[0]?.message).to.contain('GET /bad/:')
  })

  it('must have /webhook in their path to be webhooks', () => {
    const operations = { 'POST /signal': { summary: 'x', raw: 'text/plain', scope: 'webhook' } } as const
    expect(() => route(operations, 'POST /signal', () => {})).to.throw('/webhook')
  })

  it('are counted by their declared path', async () => {
    const seen: Answered[] = []
    const counter = definePlugin({
      name: 'counter',
      setup(ctx) {
        ctx.on(answered, (answer) => void seen.push(answer))
      },
    }) as unknown as AnyPlugin
    const served = await serve({}, { plugins: [counter] })
    await served.fetch('/api/things/secret-name')
    await served.fetch('/api/nothing')
    expect(seen.map(({ method, route, status }) => `${method} ${route} ${status}`)).to.deep.equal([
      'GET /api/things/:name 200',
      'GET - 404',
    ])
    expect(seen[0]?.ms).to.be.a('number')
  })
})

describe('errorBoundary', () => {
  afterEach(stopAll)

  it('logs an error of a handler only in the log of its plugin', async () => {
    const served = await serve()
    const response = await served.fetch('/api/broken')
    expect(response.status).to.equal(500)
    const text = await response.text()
    expect(JSON.parse(text)).to.include({ success: false, code: 'internal' })
    expect(text).not.to.match(/secret cause|passwd|\bat \b|\.js|\.ts/)
    const line = served.log.find(({ level }) => level === 'error')
    expect(line?.name).to.equal('sample')
    expect(line?.fields?.requestId).to.equal(response.headers.get('x-request-id'))
    expect(line?.fields?.stack).to.contain('secret cause at /etc/passwd')
  })

  it('passes a WireError on to the client', async () => {
    const { WireError } = await import('@mynah/contract')
    const failing = definePlugin({
      name: 'failing',
      setup(ctx) {
        const { rest } = contract({
          rest: {
            'GET /busy': { summary: 'Busy', data: Type.Unknown() },
            'GET /torn': { summary: 'Torn', raw: 'text/plain' },
            'GET /late': { summary: 'Late', raw: 'text/plain' },
            'GET /loop': { summary: 'No JSON', data: Type.Unknown() },
          },
        })
        ctx.contribute(
          routes,
          route(rest, 'GET /busy', () => {
            throw new WireError('not_ready:model', 'Wait', {
              data: { items: [] },
              retryAfter: 7,
              details: [{ path: 'a', message: 'b' }],
            })
          }),
        )
        ctx.contribute(
          routes,
          route(rest, 'GET /late', () => {
            throw new WireError('conflict', 'Before anything was sent')
          }),
        )
        ctx.contribute(
          routes,
          route(rest, 'GET /torn', (_, { response }) => {
            response.write('half')
            throw new Error('torn')
          }),
        )
        ctx.contribute(
          routes,
          route(rest, 'GET /loop', () => {
            const loop: { self?: unknown } = {}
            loop.self = loop
            return loop
          }),
        )
      },
    }) as unknown as AnyPlugin
    const served = await serve({}, { plugins: [failing] })
    const busy = await served.fetch('/api/busy')
    expect(busy.status).to.equal(503)
    expect(busy.headers.get('retry-after')).to.equal('7')
    expect(await json(busy)).to.deep.equal({
      success: false,
      error: 'Wait',
      code: 'not_ready:model',
      details: [{ path: 'a', message: 'b' }],
      data: { items: [] },
    })
    const late = await served.fetch('/api/late')
    expect(late.status).to.equal(409)
    expect(late.headers.get('content-type')).to.match(/^application\/json/)
    expect((await served.fetch('/api/loop')).status).to.equal(500)
    const torn = await served
      .fetch('/api/torn')
      .then((response) => response.text())
      .catch((error: unknown) => error)
    expect(torn, 'half an answer must not look whole').to.be.instanceOf(Error)
  })

  it('drops fields that are not declared', async () => {
    const served = await serve()
    expect((await json(await served.fetch('/api/leaky'))).data).to.deep.equal({ text: 'shown' })
  })
})

it('covers every scope with the sample routes', () => {
  expect(
    new Set(Object.values(sample.rest).map((operation) => ('scope' in operation ? operation.scope : 'full'))),
  ).to.have.length(4)
})
