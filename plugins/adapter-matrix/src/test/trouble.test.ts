import { expect } from 'chai'
import { createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { systemClock } from '@mynah/kernel'
import { failingStore, mutate, randomJson, SeededRandom } from '@mynah/plugin-chat/testing'
import { Homeserver, BOT, PASSWORD, TOKEN } from './homeserver.js'
import { MatrixHost, until } from './matrix-host.js'
import { matrix as adapter } from '../adapter.js'

describe('The connection to a homeserver', () => {
  let matrix: MatrixHost | undefined
  afterEach(async () => {
    await matrix?.stop()
    matrix = undefined
  })
  const started = async (...given: Parameters<typeof MatrixHost.start>): Promise<MatrixHost> =>
    (matrix = await MatrixHost.start(...given))

  it('hears everything that was missed, also more than one answer has room for', async () => {
    const host = await (await started()).online()
    const { server } = host
    const room = server.room('Town')
    server.say(room, 'before')
    await host.hears(1)
    await server.http.kill()
    await until(() => host.status() !== 'online', 'the loss to be noticed')
    const said = Array.from({ length: 250 }, (_, index) => `missed ${index}`)
    for (const text of said) server.say(room, text)
    await server.http.start()
    await host.hears(251)
    expect(host.texts).to.deep.equal(['before', ...said])
  })

  it('begins again, and says so, where the homeserver has lost its past', async () => {
    const host = await (await started()).online()
    const { server } = host
    server.http.fail(/sync/, { status: 400, body: { errcode: 'M_UNKNOWN', error: 'Invalid stream token' } })
    server.wake()
    server.say(server.room(), 'wakes it')
    await until(() => host.status() !== 'online', 'the loss')
    server.http.fail(/sync/, { status: 400, body: { errcode: 'M_UNKNOWN', error: 'Invalid stream token' } })
    await host.online()
    expect(host.log.some(({ message }) => message.includes('what was said since is lost'))).to.equal(true)
    server.say(server.room(), 'hello')
    await until(() => host.texts.includes('hello'), 'the message')
  })

  it('counts as lost when the homeserver is silent', async () => {
    const host = await (await started({ silenceMs: 300 })).online()
    host.server.http.fail(/sync/, 'silence', 1)
    host.server.wake()
    await until(() => host.status() !== 'online', 'the silence to be noticed')
    expect(await host.error()).to.equal('The homeserver cannot be reached: there is no answer within 0.3 s')
    host.server.http.forgive()
    await host.online()
    host.server.say(host.server.room(), 'hello')
    await host.hears(1)
  })

  it('survives a thousand values that are no events, and hears those between them', async () => {
    const host = await (await started()).online()
    const { server } = host
    const room = server.room('Town')
    const random = new SeededRandom(28)
    const good = {
      event_id: '$x',
      type: 'm.room.message',
      sender: '@eve:mock.test',
      content: { msgtype: 'm.text', body: 'x', 'm.relates_to': { rel_type: 'm.replace', event_id: '$x' } },
    }
    for (let round = 1; round <= 10; round++) {
      for (let index = 0; index < 100; index++)
        server.nonsense.push(index % 2 ? randomJson(random) : mutate(random, good))
      server.say(room, `good ${round}`)
      await until(() => host.texts.includes(`good ${round}`), `good ${round}`)
    }
    expect(host.texts.filter((text) => text.startsWith('good'))).to.have.length(10)
    expect(host.status()).to.equal('online')
  })

  it('is lost, and not the host, when answers are nonsense', async () => {
    const host = await (await started()).online()
    for (const body of ['<html>', '[]', '{"next_batch":7}', '{}']) {
      host.server.http.fail(/sync/, { headers: { 'content-type': 'application/json' }, body })
      host.server.wake()
      await until(() => host.status() !== 'online', `${body} to be refused`)
      expect(await host.error()).to.match(/check `homeserver`/)
      await host.online()
    }
  })

  it('waits for a store that takes nothing, and then hears all', async () => {
    let isAvailable = true
    const host = await (await started({ plugins: [failingStore(() => isAvailable)] })).online()
    const room = host.server.room()
    isAvailable = false
    host.server.say(room, 'one')
    host.server.say(room, 'two')
    await until(() => host.log.some(({ message }) => message.includes('failed to accept an event')), 'the refusal')
    isAvailable = true
    await host.hears(2)
    expect(host.texts).to.deep.equal(['one', 'two'])
  })

  it('handles what is delivered again once', async () => {
    const host = await (await started()).online()
    const room = host.server.room()
    host.server.say(room, 'once')
    for (let round = 0; round < 3; round++) host.server.repeatLast(room)
    host.server.say(room, 'last')
    await until(() => host.texts.includes('last'), 'the last message')
    expect(host.texts).to.deep.equal(['once', 'last'])
  })
})

describe('The login', () => {
  const wrong = async (config: Record<string, unknown>, reason: RegExp): Promise<void> => {
    const matrix = await MatrixHost.start({ config })
    try {
      await until(async () => (await matrix.error()) !== undefined, 'the refusal')
      expect(await matrix.error()).to.match(reason)
      const { calls } = matrix.server.http
      await until(() => matrix.clock.waits.length >= 4, 'further attempts')
      // Only the first attempt reaches the homeserver for a minute.
      expect(matrix.server.http.calls).to.equal(calls)
      for (const secret of ['wrong-secret', PASSWORD])
        expect(JSON.stringify([matrix.log, await matrix.error()])).not.to.include(secret)
    } finally {
      await matrix.stop()
    }
  }

  it('names the key that is wrong, and is tried once a minute', async () => {
    await wrong({ token: 'wrong-secret' }, /M_UNKNOWN_TOKEN.*check `token`/)
    await wrong({ token: undefined, user: 'bot', password: 'wrong-secret' }, /M_FORBIDDEN.*check `user` and `password`/)
  })

  it('asks for a password or a token', async () => {
    const matrix = await MatrixHost.start({ config: { token: undefined, user: 'bot' } })
    await until(async () => (await matrix.error()) !== undefined, 'the refusal')
    expect(await matrix.error()).to.equal('The account needs `user` and `password`, or `token`')
    await matrix.stop()
  })

  it('with a password uses one device, also after a restart and when its session has ended', async () => {
    const config = { token: undefined, user: 'bot', password: PASSWORD }
    const matrix = await (await MatrixHost.start({ config })).online()
    const { server } = matrix
    server.tokens.clear()
    server.wake()
    await until(() => server.logins.length === 2, 'the second login')
    await matrix.online()
    await matrix.halt()
    await matrix.run()
    await matrix.online()
    expect(new Set(server.logins).size).to.equal(1)
    expect(server.logins[0]).to.match(/^MYNAH[0-9A-F]{10}$/)
    await matrix.stop()
  })
})

describe('The test of an account', () => {
  let server: Homeserver
  beforeEach(async () => {
    server = await Homeserver.start()
  })
  afterEach(() => server.http.stop())
  const log = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, fatal() {} }
  const probe = (config: Record<string, unknown>) =>
    adapter.probe!({
      config: { homeserver: server.http.origin, ...config },
      clock: systemClock,
      log: log as never,
      signal: new AbortController().signal,
    })

  it('says whose it is, and leaves nothing behind', async () => {
    server.room('Town')
    expect(await probe({ user: 'bot', password: PASSWORD })).to.deep.equal({ id: BOT, name: 'Mynah' })
    expect(Array.from(server.tokens.keys())).to.deep.equal([TOKEN])
    await until(() => server.http.connections === 0, 'its connections to close')
  })

  it('says what is missing', async () => {
    const alone = await probe({ token: TOKEN })
    expect((alone as any).missing[0])
      .to.include('in no room')
      .and.include('`autoJoin`')
    server.room('Town').isEncrypted = true
    const encrypted = await probe({ token: TOKEN })
    expect((encrypted as any).missing[0]).to.include('m.room.encryption')
  })

  it('names what is wrong', async () => {
    const reason = (config: Record<string, unknown>): Promise<string> =>
      Promise.resolve(probe(config)).then(
        () => 'it works',
        ({ message }: Error) => message,
      )
    expect(await reason({ token: 'wrong' })).to.include('check `token`')
    expect(await reason({ user: 'bot', password: 'wrong' })).to.include('check `user` and `password`')
    expect(await reason({ token: TOKEN, homeserver: 'http://127.0.0.1:9' })).to.include('cannot be reached')
    server.http.fail(/login/, { status: 404, body: '<html>' })
    expect(await reason({ user: 'bot', password: PASSWORD }))
      .to.include('No Matrix homeserver answers')
      .and.include('`homeserver`')
  })
})

describe('A hostile server', () => {
  let server: Server
  const sockets = new Set<Socket>()
  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  it('that sends without end is left at the limit', async () => {
    let written = 0
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n')
      const chunk = Buffer.alloc(1 << 20, 32)
      const pump = (): void => {
        while (!socket.destroyed && socket.write(chunk)) written += chunk.length
      }
      socket.on('drain', pump)
      pump()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const homeserver = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const matrix = await MatrixHost.start({ config: { homeserver } })
    await until(async () => (await matrix.error()) !== undefined, 'the limit', 60_000)
    expect(await matrix.error()).to.include('more than 33554432 bytes')
    expect(written).to.be.lessThan(200_000_000)
    await matrix.stop()
  })
})
