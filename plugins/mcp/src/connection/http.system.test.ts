import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { freePort } from '@mynah/kernel/testing'
import { SessionServer } from '../test/session-server.js'
import { eachTest, failure, published, until, type Rig } from '../test/support.js'

describe('connect over HTTP', function () {
  this.timeout(20_000)
  const rigs = eachTest()
  const children: ChildProcess[] = []
  const servers: Server[] = []
  afterEach(async () => {
    for (const child of children.splice(0))
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  async function everything(transport: 'streamableHttp' | 'sse', port: number): Promise<ChildProcess> {
    const child = spawn(process.execPath, [published('everything'), transport], {
      env: { ...process.env, PORT: String(port) },
      stdio: 'ignore',
    })
    children.push(child)
    await until(() =>
      fetch(`http://127.0.0.1:${port}/nothing`).then(
        (response) => response.body?.cancel().then(() => true) ?? true,
        () => false,
      ),
    )
    return child
  }
  async function listen(answer: Parameters<typeof createServer>[1]): Promise<string> {
    const server = createServer(answer as never).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  }
  const reason = async (rig: Rig, name: string): Promise<string> => {
    await until(() => rig.server(name).lastError !== undefined)
    return rig.server(name).lastError as string
  }

  it('reconnects when a server returns', async () => {
    const port = await freePort()
    const first = await everything('streamableHttp', port)
    const rig = await rigs.start({ web: { url: `http://127.0.0.1:${port}/mcp` } })
    await rig.connected('web')
    expect(rig.server('web').transport).to.equal('http')
    expect(await rig.text('web', 'echo', { message: 'one' })).to.include('one')
    const running = failure(rig.servers.call('web', 'trigger-long-running-operation', { duration: 60, steps: 60 }))
    await until(async () => (await rig.text('web', 'echo', { message: 'x' })).length > 0)
    first.kill('SIGKILL')
    await once(first, 'exit')
    expect(await running).to.have.property('code', 'not_ready')
    await until(() => !rig.server('web').connected)
    await everything('streamableHttp', port)
    await rig.clock.advance(1_000)
    await rig.connected('web')
    expect(await rig.text('web', 'echo', { message: 'two' })).to.include('two')
  })

  it('reconnects by a call after a lost session', async () => {
    const port = await freePort()
    const first = await everything('streamableHttp', port)
    const rig = await rigs.start({ web: { url: `http://127.0.0.1:${port}/mcp` } })
    await rig.connected('web')
    first.kill('SIGKILL')
    await once(first, 'exit')
    await everything('streamableHttp', port)
    // Which of both is noticed first is the network's affair; the call after it works.
    await rig.servers.call('web', 'echo', { message: 'lost' }).catch(() => undefined)
    await until(
      async () =>
        (await rig.servers.call('web', 'echo', { message: 'found' }).catch(() => undefined))?.text.includes('found') ??
        false,
    )
  })

  for (const status of [404, 400]) {
    it(`opens a new session where the server has ended it (${status}), and repeats the call once`, async () => {
      const server = new SessionServer(status)
      const rig = await rigs.start({ web: { url: await listen(server.answer) } })
      await rig.connected('web')
      for (const text of ['one', 'two', 'three']) {
        expect(await rig.text('web', 'note', { text })).to.equal('noted')
        server.endSession()
      }
      expect(server.calls).to.deep.equal(['s1 one', 's2 two', 's3 three'])
    })

    it(`opens one session for all calls that find it ended (${status})`, async () => {
      const server = new SessionServer(status)
      const rig = await rigs.start({ web: { url: await listen(server.answer) } })
      await rig.connected('web')
      server.endSession()
      const texts = ['a', 'b', 'c', 'd']
      await Promise.all(texts.map((text) => rig.text('web', 'note', { text })))
      expect(server.calls.toSorted()).to.deep.equal(texts.map((text) => `s2 ${text}`))
    })

    it(`does not repeat a call that alone is refused (${status})`, async () => {
      const server = new SessionServer(status)
      const rig = await rigs.start({ web: { url: await listen(server.answer) } })
      await rig.connected('web')
      server.refusesOne = true
      expect((await failure(rig.servers.call('web', 'note', { text: 'one' }))).message).to.include('No such session')
      expect(await rig.text('web', 'note', { text: 'two' })).to.equal('noted')
      expect(server.calls).to.deep.equal(['s1 two'])
    })
  }

  it('uses SSE with old servers', async () => {
    const port = await freePort()
    await everything('sse', port)
    const rig = await rigs.start({ old: { url: `http://127.0.0.1:${port}/sse` } })
    await rig.connected('old')
    expect(rig.server('old').transport).to.equal('sse')
    expect(await rig.text('old', 'echo', { message: 'hello' })).to.include('hello')
  })

  it('sends the configured headers, and reports a refusal', async () => {
    const seen: IncomingHttpHeaders[] = []
    const url = await listen(
      (request: { headers: IncomingHttpHeaders }, response: import('node:http').ServerResponse) => {
        seen.push(request.headers)
        response.writeHead(403, { 'content-type': 'text/html' }).end('<h1>No</h1>')
      },
    )
    const rig = await rigs.start({ web: { url, headers: { authorization: 'Bearer of-tests' } } })
    expect(await reason(rig, 'web')).to.include('<h1>No</h1>')
    expect(seen[0]).to.include({ authorization: 'Bearer of-tests' })
  })

  it('masks headers that the server repeats, also partly', async () => {
    for (const before of [0, 900, 930]) {
      const url = await listen(
        (_request: unknown, response: import('node:http').ServerResponse) =>
          void response.writeHead(500).end(`${'x'.repeat(before)}a-token-of-tests-only`),
      )
      const rig = await rigs.start({ web: { url, headers: { authorization: 'Bearer a-token-of-tests-only' } } })
      expect(await reason(rig, 'web'), String(before)).not.to.match(/a-token|tests-only/)
      expect(JSON.stringify(rig.log)).not.to.match(/a-token|tests-only/)
    }
  })

  it('fails on malformed answers', async () => {
    const odd: Record<string, (response: import('node:http').ServerResponse) => void> = {
      html: (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>'),
      empty: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(),
      half: (response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0","id":0,"resu'),
      vast: (response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(`{"jsonrpc":"2.0","id":0,"result":"${'x'.repeat(9 * 1024 * 1024)}"}`),
    }
    for (const [name, answer] of Object.entries(odd)) {
      const url = await listen(
        (request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => {
          request.resume().on('end', () => answer(response))
        },
      )
      const rig = await rigs.start({ [name]: { url } })
      const said = await reason(rig, name)
      expect(said.length, name).to.be.within(5, 1_000)
      if (name === 'vast') expect(said).to.include('more than 8 MB')
    }
  })

  it('ends at the deadline of the handshake without an answer', async () => {
    const url = await listen(() => {})
    const rig = await rigs.start({ mute: { url } })
    await until(() => rig.clock.pending > 0)
    await rig.clock.advance(60_000)
    expect(await reason(rig, 'mute')).to.equal('The server did not finish the first exchange within 60 s')
  })

  it('reports an unreachable server', async () => {
    const rig = await rigs.start({ nobody: { url: `http://127.0.0.1:${await freePort()}/mcp` } })
    expect(await reason(rig, 'nobody')).to.include('ECONNREFUSED')
  })
})
