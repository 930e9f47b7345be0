import { expect } from 'chai'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { Type } from '@mynah/contract/type'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import { Http, route, routes } from './api.js'
import { Listener, LIMITS } from './listener.js'
import { serve, stopAll, TOKEN } from './test/support.js'

describe('Listener', () => {
  afterEach(stopAll)

  it('fails with a fatal error that names a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    try {
      const { host } = await serve({ port })
      const [view] = host.inspect()
      expect(view?.state).to.equal('failed')
      expect(view?.error).to.include({ name: 'FatalError', exitCode: 3 })
      expect(view?.error?.message).to.contain(`127.0.0.1:${port}`)
      expect(view?.error).to.have.property('hint').that.contains('http.port')
    } finally {
      other.close()
    }
  })

  it('fails with a fatal error that names an address of another machine', async () => {
    const { host } = await serve({ host: '203.0.113.1', token: 'kT9vQ2mZ7xL4pR8sW1yB', tokens: [] })
    expect(host.inspect()[0]?.error).to.include({ name: 'FatalError', exitCode: 2 })
  })

  it('provides its address to other plugins', async () => {
    const served = await serve({ base: '/x' })
    const http = served.host.get(Http)
    expect(http).to.deep.equal({
      apiPrefix: '/x',
      origin: served.origin,
      address: { host: '127.0.0.1', port: served.port },
    })
    expect(served.port).to.be.greaterThan(0)
  })

  it('disconnects clients that never finish their headers or body', async () => {
    const limits = { ...LIMITS, headersTimeout: 60, requestTimeout: 120, connectionsCheckingInterval: 20 }
    const listener = await Listener.open(
      (incoming, response) => {
        incoming.resume().on('end', () => response.end('ok'))
      },
      { host: '127.0.0.1', port: 0 },
      limits,
    )
    try {
      for (const start of [
        'GET / HTTP/1.1\r\nhost: x\r\nx-slow: ',
        'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc',
        'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1\r\n',
      ]) {
        const socket = connect(listener.port, '127.0.0.1', () => socket.write(start))
        let answer = ''
        socket.on('data', (chunk) => {
          answer += String(chunk)
        })
        await once(socket, 'close')
        expect(answer).to.match(/^HTTP\/1\.1 408 /)
      }
    } finally {
      await listener.close()
    }
  })

  it('keeps idle connections open longer than proxies do', async () => {
    const { origin } = await serve()
    const answer = await fetch(`${origin}/`)
    await answer.body?.cancel()
    expect(answer.headers.get('keep-alive')).to.equal('timeout=72')
  })

  it('closes slow headers within eight seconds', () => {
    expect(LIMITS.headersTimeout + LIMITS.connectionsCheckingInterval).to.be.at.most(8_000)
    expect(LIMITS.drain).to.be.lessThan(5_000)
  })

  it('aborts the signal of a handler when its client disconnects', async () => {
    const served = await serve()
    const asked = request(`${served.origin}/api/open`, { headers: { authorization: `Bearer ${TOKEN}` } })
    asked.on('error', () => {})
    const answer = once(asked.end(), 'response') as Promise<[IncomingMessage]>
    await served.streams.reach(1)
    await answer
    asked.destroy()
    await served.streams.reach(0)
  })
})

describe('Listener.close', () => {
  afterEach(stopAll)

  const slow = (began: () => void, gate: Promise<void>): AnyPlugin =>
    definePlugin({
      name: 'slow',
      setup(ctx) {
        const rest = { 'GET /slow': { summary: 'Waits', data: Type.String() } }
        ctx.contribute(
          routes,
          route(rest, 'GET /slow', async () => {
            began()
            await gate
            return 'done'
          }),
        )
      },
    }) as unknown as AnyPlugin

  it('ends streams, waits for requests, closes idle connections and frees the port', async () => {
    let began = (): void => {}
    const started = new Promise<void>((resolve) => {
      began = resolve
    })
    let open = (): void => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const served = await serve({}, { plugins: [slow(began, gate)] })
    await (await served.fetch('/api/things')).text()
    const stream = await served.fetch('/api/open')
    await served.streams.reach(1)
    const pending = served.fetch('/api/slow')
    await started
    const stopped = served.host.stop()
    expect(await stream.text()).to.equal(': open\n\n')
    open()
    expect(await (await pending).json()).to.deep.equal({ success: true, data: 'done' })
    await stopped
    expect(await served.fetch('/pub/health').catch(() => 'refused')).to.equal('refused')
    expect(served.host.residue()).to.include({ effects: 0, contributions: 0, listeners: 0, watchers: 0 })
    const again = createServer().listen(served.port, '127.0.0.1')
    await once(again, 'listening')
    again.close()
  })

  it('disconnects requests that do not finish by the deadline', async () => {
    let cut: Promise<void> | undefined
    const listener = await Listener.open(
      (incoming) => {
        cut = new Promise((resolve) => {
          incoming.once('error', () => {}).once('close', resolve)
        })
      },
      { host: '127.0.0.1', port: 0 },
      { ...LIMITS, drain: 50 },
    )
    const asked = request({ port: listener.port, host: '127.0.0.1' })
    const broke = once(asked, 'error')
    asked.end()
    const socket = connect(listener.port, '127.0.0.1')
    await once(socket, 'connect')
    await until(() => cut !== undefined)
    await listener.close()
    await Promise.all([cut, broke, socket.destroyed ? undefined : once(socket, 'close')])
  })
})
