import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { WireError } from '@mynah/contract'
import { definePlugin, type AnyPlugin } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import { upgrades, type UpgradeCall } from './api.js'
import { LIMITS, Listener } from './listener.js'
import { ask, exchange, serve, stopAll, TOKEN, type Served } from './test/support.js'

const UPGRADE = { connection: 'Upgrade', upgrade: 'websocket' }

describe('Upgrades', () => {
  afterEach(stopAll)

  const calls: UpgradeCall[] = []
  const plugin = definePlugin({
    name: 'echo',
    setup(ctx) {
      ctx.contribute(upgrades, {
        path: '/webhook/echo/',
        summary: 'Echoes',
        accept(call) {
          calls.push(call)
          if (call.request.headers.authorization !== 'Bearer right')
            throw new WireError('unauthorized', 'The token is missing or wrong')
          if (call.rest === 'broken') throw new Error('secret cause at /etc/passwd')
          call.socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n')
          call.socket.write(call.head)
          call.socket.pipe(call.socket)
          call.signal.addEventListener('abort', () => call.socket.end('goodbye'))
        },
      })
    },
  }) as unknown as AnyPlugin
  let served: Served
  beforeEach(async () => {
    calls.length = 0
    served = await serve({}, { plugins: [plugin] })
  })

  /** Opens a connection, and returns what it has received. */
  async function open(extra = ''): Promise<{ readonly socket: Socket; readonly received: () => string }> {
    const lines = ['GET /webhook/echo/a%20b?x=1 HTTP/1.1', `host: 127.0.0.1:${served.port}`, 'connection: Upgrade']
    lines.push('upgrade: WebSocket', 'authorization: Bearer right', '', extra)
    const socket = connect(served.port, '127.0.0.1', () => socket.write(lines.join('\r\n')))
    let received = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text
    })
    await until(
      () => received.includes('101'),
      () => `the upgrade: ${received}`,
    )
    return { socket, received: () => received }
  }

  it('are accepted with the rest of the path and what was sent early', async () => {
    const { socket, received } = await open('early ')
    socket.write('late')
    await until(() => received().endsWith('early late'), received)
    expect(calls.map(({ rest, query }) => [rest, query.get('x')])).to.deep.equal([['a b', '1']])
    socket.end()
    await once(socket, 'close')
  })

  it('are refused with the reason, and too many wrong tokens with 429', async () => {
    const statuses: number[] = []
    for (let attempt = 0; attempt < 12; attempt++) {
      const { status, body, headers } = await ask(served.port, '/webhook/echo/a', { headers: UPGRADE })
      statuses.push(status)
      expect(JSON.parse(body).success).to.equal(false)
      expect(headers).to.include('x-content-type-options: nosniff')
    }
    expect(statuses).to.deep.equal([...Array.from({ length: 10 }, () => 401), 429, 429])
    const { socket } = await open()
    socket.destroy()
  })

  it('hide the cause of a failure', async () => {
    const headers = { ...UPGRADE, authorization: 'Bearer right' }
    const { status, body } = await ask(served.port, '/webhook/echo/broken', { headers })
    expect(status).to.equal(500)
    expect(body).to.not.include('secret')
    expect((await ask(served.port, '/webhook/echo/%zz', { headers })).status).to.equal(400)
  })

  it('need a known host name', async () => {
    const headers = { ...UPGRADE, authorization: 'Bearer right', host: 'evil.example' }
    expect((await ask(served.port, '/webhook/echo/a', { headers })).status).to.equal(403)
    expect(calls).to.deep.equal([])
  })

  it('that no plugin takes are answered as other requests are', async () => {
    for (const [target, upgrade, status] of [
      ['/api/things', 'h2c', 200],
      ['/webhook/echo/a', 'h2c', 404],
      ['/webhook/other', 'websocket', 404],
      ['/api/none', 'websocket', 404],
    ] as const) {
      const headers = { connection: 'Upgrade', upgrade, authorization: `Bearer ${TOKEN}` }
      const answer = await ask(served.port, target, { headers })
      expect(answer.status, target).to.equal(status)
      expect(JSON.parse(answer.body).success, target).to.equal(status === 200)
    }
    const post = `POST /webhook/echo/a HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n`
    expect((await exchange(served.port, post)).status).to.equal(404)
  })

  it('end when the host stops', async () => {
    const { socket, received } = await open()
    const closed = once(socket, 'close')
    await served.host.stop()
    await closed
    expect(received().endsWith('goodbye')).to.equal(true)
    expect(served.host.residue()).to.include({ effects: 0, contributions: 0, listeners: 0, watchers: 0 })
  })

  it('are cut at the deadline when they stay open', async () => {
    const listener = await Listener.open(() => {}, { host: '127.0.0.1', port: 0 }, { ...LIMITS, drain: 50 })
    let taken = false
    listener.onUpgrade((_, socket) => {
      taken = true
      socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
    })
    const socket = connect(listener.port, '127.0.0.1', () =>
      socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n'),
    )
    socket.on('error', () => {}).resume()
    const closed = once(socket, 'close')
    await until(() => taken)
    await listener.close()
    await closed
  })
})
