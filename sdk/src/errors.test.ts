import { expect } from 'chai'
import { createClient, HostError, NetworkError } from './index.js'
import { rejection } from './test/collector.js'
import { MemoryStorage } from './test/memory-storage.js'
import { TestClock } from './test/test-clock.js'
import { deadBase, json, ok, TestHost, text } from './test/test-host.js'

describe('a failed call', () => {
  let host: TestHost
  beforeEach(async () => {
    host = await new TestHost().start()
  })
  afterEach(() => host.stop())

  const failure = async (answer: Parameters<TestHost['on']>[1]) => {
    host.on('GET /api/stats', answer)
    return rejection(createClient({ base: host.base, token: 't' }).rest('GET /stats'))
  }

  it('carries code, status, text, details and data', async () => {
    const error = await failure(
      json(
        {
          success: false,
          error: 'page: must be >= 1',
          code: 'invalid_request:query',
          details: [{ path: '/page', message: 'must be >= 1' }, 7],
          data: { items: [] },
        },
        400,
      ),
    )
    expect(error).to.be.instanceOf(HostError)
    expect(error).to.include({ code: 'invalid_request:query', status: 400, message: 'page: must be >= 1' })
    expect(error).to.deep.include({ details: [{ path: '/page', message: 'must be >= 1' }], data: { items: [] } })
  })

  it('has the time to wait, from seconds or a date', async () => {
    expect(
      await failure(json({ success: false, error: 'slow down', code: 'rate_limited' }, 429, { 'retry-after': '300' })),
    ).to.include({ code: 'rate_limited', retryAfter: 300 })
    expect(await failure(json({}, 503, { 'retry-after': 'Thu, 01 Jan 2099 00:00:00 GMT' })))
      .to.have.property('retryAfter')
      .greaterThan(1_000_000)
    expect(await failure(json({}, 503, { 'retry-after': 'soon' }))).to.have.property('retryAfter', undefined)
  })

  it('has the code of its status when the answer has none', async () => {
    for (const [status, code] of [
      [403, 'forbidden'],
      [404, 'not_found'],
      [418, 'invalid_request'],
      [502, 'upstream_unavailable'],
      [503, 'not_ready'],
      [504, 'internal'],
    ] as const) {
      expect(await failure(text('<h1>Bad</h1>', 'text/html', status))).to.include({
        code,
        status,
        message: `HTTP ${status} for /stats`,
      })
    }
  })

  it('is a NetworkError when the body is broken or a page', async () => {
    expect(await failure(text('{"success":', 'application/json')))
      .to.be.instanceOf(NetworkError)
      .and.include({ reason: 'bad-response' })
    expect(await failure(text('<html></html>', 'text/html')))
      .to.be.instanceOf(NetworkError)
      .and.include({ reason: 'bad-response' })
    expect(
      await failure((response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
        response.write('{', () => response.destroy())
      }),
    )
      .to.be.instanceOf(NetworkError)
      .and.include({ reason: 'unreachable' })
  })

  it('is a NetworkError when the port is closed', async () => {
    const base = await deadBase()
    const error = await rejection(createClient({ base }).rest('GET /pub/health'))
    expect(error)
      .to.be.instanceOf(NetworkError)
      .and.include({ reason: 'unreachable', message: `${base} did not respond to /pub/health` })
  })

  it('never follows a redirect with its token', async () => {
    const other = await new TestHost().start()
    try {
      const error = await failure(
        (response) => void response.writeHead(307, { location: `${other.base}/api/stats` }).end(),
      )
      expect(error).to.be.instanceOf(NetworkError)
      expect(other.requests).to.deep.equal([])
    } finally {
      await other.stop()
    }
  })

  it('rejects at its time limit, also while the body is read', async () => {
    const clock = new TestClock()
    const begun = new Promise<void>((resolve) =>
      host.on('GET /api/stats', (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write('{', () => resolve())
      }),
    )
    const call = rejection(createClient({ base: host.base, token: 't', clock }).rest('GET /stats', { timeout: 2000 }))
    await begun
    clock.advance(2000)
    expect(await call)
      .to.be.instanceOf(NetworkError)
      .and.include({ reason: 'timeout', message: '/stats did not respond within 2 s' })
  })

  it('rejects with the reason of its signal', async () => {
    const controller = new AbortController()
    const reason = new Error('left the page')
    host.on('GET /api/stats', () => controller.abort(reason))
    const client = createClient({ base: host.base, token: 't' })
    expect(await rejection(client.rest('GET /stats', { signal: controller.signal }))).to.equal(reason)
    expect(await rejection(client.rpc('ping', {}, { signal: controller.signal }))).to.equal(reason)
  })

  it('removes a refused token from the client and the storage, and notifies the page', async () => {
    const storage = new MemoryStorage()
    const told: unknown[] = []
    const page = Object.assign(new EventTarget(), {})
    page.addEventListener('mynah:auth-required', (event) => told.push((event as CustomEvent).detail))
    Object.defineProperty(globalThis, 'window', { value: page, configurable: true })
    try {
      host.on('GET /api/stats', json({ success: false, error: 'no', code: 'unauthorized' }, 401))
      storage.setItem('mynah_api_base', host.base)
      storage.setItem('mynah_api_token', 'old')
      const client = createClient({ base: host.base, token: 'old', storage })
      expect(await rejection(client.rest('GET /stats'))).to.include({ code: 'unauthorized', status: 401 })
      expect(client.token).to.equal(undefined)
      expect([...storage.values]).to.deep.equal([['mynah_api_base', host.base]])
      expect(told).to.deep.equal([{ base: host.base }])
    } finally {
      Reflect.deleteProperty(globalThis, 'window')
    }
  })

  it('leaves another stored token alone after a refusal', async () => {
    const storage = new MemoryStorage()
    storage.setItem('mynah_api_base', host.base)
    storage.setItem('mynah_api_token', 'good')
    host.on('GET /api/stats', json({}, 401))
    await rejection(createClient({ base: host.base, token: 'typo', storage }).rest('GET /stats'))
    expect(storage.getItem('mynah_api_token')).to.equal('good')
  })

  it('rejects when the answer belongs to another RPC call', async () => {
    host.on('POST /api/console/request', json({ success: true, data: 1, requestId: 99 }))
    expect(await rejection(createClient({ base: host.base }).rpc('ping')))
      .to.be.instanceOf(NetworkError)
      .and.include({ reason: 'bad-response' })
    host.on('POST /api/console/request', ok({ type: 'pong' }))
    expect(await createClient({ base: host.base }).rpc('ping')).to.deep.equal({ type: 'pong' })
  })
})
