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

  it('says what host it is and how fast', async () => {
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

  it('reaches a host that is starting', async () => {
    host.health({ status: 'starting' }, 503)
    expect(await probe(host.base)).to.include({ reachable: true, status: 'starting' })
  })

  it('knows an address that is none', async () => {
    expect(await probe('localhost')).to.include({ reachable: false, reason: 'invalid-url' })
  })

  it('knows an address where nobody listens', async () => {
    expect(await probe(await deadBase())).to.include({ reachable: false, reason: 'refused' })
  })

  it('knows something else that answers', async () => {
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

  it('gives up an address that does not answer', async () => {
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

  it('ends with the reason of its signal', async () => {
    const controller = new AbortController()
    const reason = new Error('typed on')
    host.on('GET /pub/health', () => controller.abort(reason))
    expect(await rejection(probe(host.base, { signal: controller.signal }))).to.equal(reason)
  })

  it('does not try what an https page may not do', async () => {
    Object.defineProperty(globalThis, 'location', { value: { protocol: 'https:' }, configurable: true })
    try {
      expect(await probe('http://192.168.1.9:8086')).to.include({ reachable: false, reason: 'mixed-content' })
      expect(await probe(host.base)).to.include({ reachable: true })
    } finally {
      Reflect.deleteProperty(globalThis, 'location')
    }
  })
})
