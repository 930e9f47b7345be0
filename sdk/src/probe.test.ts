import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { probe } from './index.js'
import { rejection } from './test/collector.js'
import { TestClock } from './test/test-clock.js'
import { deadBase, json, TestHost, text } from './test/test-host.js'

describe('probe', () => {
  let host: TestHost
  beforeEach(async () => {
    host = await new TestHost('/v2').start()
  })
  afterEach(() => host.stop())

  it('returns the name, version and latency of a host', async () => {
    const result = await probe(`${host.base}/`)
    expect(result).to.include({
      reachable: true,
      base: host.base,
      apiPrefix: '/v2',
      name: 'mynah',
      version: '0.1.0',
      contract: '1.0',
      status: 'ok',
    })
    expect(result).to.have.property('latency').that.is.at.least(0)
  })

  it('reports a starting host as reachable', async () => {
    host.health({ status: 'starting' }, 503)
    expect(await probe(host.base)).to.include({ reachable: true, status: 'starting' })
  })

  it('reports an invalid address', async () => {
    expect(await probe('localhost')).to.include({ reachable: false, reason: 'invalid-url' })
  })

  it('reports a closed port as refused', async () => {
    expect(await probe(await deadBase())).to.include({ reachable: false, reason: 'refused' })
  })

  it('reports a server that is no Mynah host', async () => {
    for (const answer of [
      text('<html></html>', 'text/html'),
      json({ status: 'ok' }),
      json([]),
      text('nope', 'text/plain', 404),
    ]) {
      host.on('GET /pub/health', answer)
      expect(await probe(host.base)).to.include({ reachable: false, reason: 'not-mynah' })
    }
  })

  it('times out when the address does not respond', async () => {
    const clock = new TestClock()
    let connected: () => void
    const connection = new Promise<void>((resolve) => {
      connected = resolve
    })
    const silent = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.once('data', () => connected())
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    try {
      const result = probe(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, { clock, timeout: 3000 })
      await connection
      clock.advance(3000)
      expect(await result).to.include({ reachable: false, reason: 'timeout' })
    } finally {
      await new Promise((resolve) => silent.close(resolve))
    }
  })

  it('rejects with the reason of its signal', async () => {
    const controller = new AbortController()
    const reason = new Error('typed on')
    host.on('GET /pub/health', () => controller.abort(reason))
    expect(await rejection(probe(host.base, { signal: controller.signal }))).to.equal(reason)
  })

  it('does not send a request that an https page may not send', async () => {
    Object.defineProperty(globalThis, 'location', { value: { protocol: 'https:' }, configurable: true })
    try {
      expect(await probe('http://192.168.1.9:8086')).to.include({ reachable: false, reason: 'mixed-content' })
      expect(await probe(host.base)).to.include({ reachable: true })
    } finally {
      Reflect.deleteProperty(globalThis, 'location')
    }
  })
})
