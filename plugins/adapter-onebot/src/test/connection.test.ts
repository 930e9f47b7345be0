import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { expect } from 'chai'
import { TestClock, until } from '@mynah/kernel/testing'
import { Text } from '@mynah/plugin-chat/api'
import { mutate, randomJson, SeededRandom } from '@mynah/plugin-chat/testing'
import { systemClock } from '@mynah/kernel'
import type { OneBotConfig } from '../config.js'
import { probe } from '../probe.js'
import { Account, failure } from './account.js'
import { ALICE, failed, GROUP, OneBotServer, SELF, TOKEN } from './onebot-server.js'

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, fatal() {} } as never
const never = new AbortController().signal
const tried = (config: OneBotConfig) =>
  probe({ config, log: silent, clock: systemClock, signal: never }, true, () => undefined)

describe('Connection to a OneBot server', () => {
  let server: OneBotServer
  const accounts: Account[] = []
  const connect = async (config: OneBotConfig = {}, clock?: TestClock): Promise<Account> => {
    const account = await Account.forward(server, config, clock)
    accounts.push(account)
    return account
  }
  beforeEach(async () => {
    server = await new OneBotServer().listen()
  })
  afterEach(async () => {
    for (const account of accounts.splice(0)) await account.stop()
    await server.stop()
    server.check()
  })

  it('names the option that is wrong, without the token', async () => {
    for (const [config, words] of [
      [{ token: 'wrong-token-of-the-owner' }, 'refuses the token (401): check `token`'],
      [{ selfId: '99999' }, '`selfId` names 99999'],
      [{ url: 'ws://127.0.0.1:1' }, 'ECONNREFUSED'],
      [{ url: server.httpUrl }, 'begins with ws://'],
      [{ mode: 'http' as const }, 'needs `secret`'],
      [{ mode: 'http' as const, secret: 'x'.repeat(16) }, 'begins with http://'],
      [{ mode: 'reverse' as const, token: undefined as never }, 'needs `token`'],
    ] as const) {
      const error = await failure(Account.forward(server, config))
      expect(error.message).to.include(words)
      expect(error.message).to.not.match(/wrong-token|token-of-the/)
    }
  })

  it('reports a token that is refused after the connection, and an account that is logged out', async () => {
    server.script('get_login_info', failed(1403, 'token验证失败'))
    expect((await failure(connect())).message).to.include('check `token`')
    server.online = false
    expect((await failure(connect())).message).to.include('is not logged in to QQ')
    server.script('get_login_info', { status: 'ok', retcode: 0, data: null })
    expect((await failure(connect())).message).to.include('without an account')
    server.online = true
    server.script('get_status', failed(1404, ''))
    await connect()
  })

  it('is lost after 90 s of silence', async () => {
    const clock = new TestClock()
    const account = await connect({}, clock)
    server.freeze()
    await clock.advance(84_000)
    expect(account.lost).to.deep.equal([])
    await clock.advance(6_000)
    expect(account.lost).to.deep.equal(['The OneBot server has said nothing for 90 s'])
    expect(clock.pending).to.equal(0)
  })

  it('is lost when three heartbeats are missing', async () => {
    const clock = new TestClock()
    const account = await connect({}, clock)
    await server.heartbeat(5_000)
    await server.say('after it')
    await account.hears(1)
    await clock.advance(15_000)
    expect(account.lost).to.deep.equal([])
    await clock.advance(5_000)
    expect(account.lost).to.deep.equal(['3 heartbeats of the OneBot server are missing'])
  })

  it('leaves a message unknown whose answer is lost, and refuses one without a connection', async () => {
    const clock = new TestClock()
    const account = await connect({}, clock)
    server.script('send_group_msg', 'swallow', 'drop')
    const waiting = failure(account.send([Text('x')]))
    await until(() => server.called('send_group_msg').length === 1)
    await clock.advance(35_000)
    const swallowed = await waiting
    expect([swallowed.kind, swallowed.message]).to.deep.equal([
      undefined,
      'The OneBot server has not answered send_group_msg within 30 s; the message may have arrived',
    ])
    const dropped = await failure(account.send([Text('y')]))
    expect([dropped.kind, dropped.message.includes('connection ended before')]).to.deep.equal([undefined, true])
    expect(account.lost).to.have.length(1)
    await account.bot.disconnect()
    expect((await failure(account.send([Text('z')]))).kind).to.equal('offline')
  })

  it('hears a good message after each hundred of a thousand frames of nonsense', async () => {
    const account = await connect()
    const chance = new SeededRandom(7)
    const good = {
      time: 1,
      self_id: SELF,
      post_type: 'message',
      message_type: 'group',
      group_id: GROUP,
      user_id: ALICE,
      sender: {},
    }
    let said = 0
    for (let index = 1; index <= 1_000; index++) {
      const event = { ...good, message_id: index, message: [{ type: 'text', data: { text: 'x' } }] }
      server.emitRaw(JSON.stringify(chance.below(2) ? randomJson(chance) : mutate(chance, event)) ?? 'null')
      if (index % 50 === 0) server.emitRaw(['{"post_type":', 'NaN', '', '\u0000', '[[[['][chance.below(5)] ?? '')
      if (index % 100 > 0) continue
      server.emitRaw(JSON.stringify({ ...good, message_id: `good-${++said}`, message: `number ${said}` }))
      await until(
        () => account.texts.includes(`number ${said}`),
        () => `number ${said}; lost ${account.lost.join()}`,
      )
    }
    expect(account.lost).to.deep.equal([])
  })

  it('ends with the reason when a frame is larger than the limit', async () => {
    const account = await connect()
    server.emitRaw(Buffer.alloc(9 * 1024 * 1024, 120))
    await until(() => account.lost.length > 0, 'the loss')
    expect(account.lost[0]).to.match(/Max payload size exceeded/)
  })

  it('gives up on a server that accepts and says nothing, or redirects', async () => {
    const raw = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () =>
        socket.end('HTTP/1.1 302 Found\r\nlocation: ws://169.254.169.254/\r\ncontent-length: 0\r\n\r\n'),
      )
    })
    await once(raw.listen(0, '127.0.0.1'), 'listening')
    const url = `ws://127.0.0.1:${(raw.address() as AddressInfo).port}`
    try {
      expect((await failure(Account.forward(server, { url }))).message).to.include('answers 302: check `url`')
    } finally {
      raw.close()
    }
    const mute = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(mute, 'listening')
    const account = new Account({ mode: 'forward', url: `ws://127.0.0.1:${(mute.address() as AddressInfo).port}` })
    try {
      const connecting = failure(account.bot.connect())
      await once(mute, 'connection')
      await account.bot.disconnect()
      expect((await connecting).message).to.match(/connection ended|cannot be reached|while connecting/)
    } finally {
      for (const socket of mute.clients) socket.terminate()
      mute.close()
      await account.stop()
    }
  })

  it('keeps the order of what waits, and reads no more than it can pass on', async () => {
    const account = await connect()
    for (let index = 0; index < 1_000; index++) void server.say(`line ${index}`)
    await account.hears(1_000)
    expect(account.texts).to.deep.equal(Array.from({ length: 1_000 }, (_, index) => `line ${index}`))
  })

  it('reads the history of groups with a position, as late messages', async () => {
    const account = await connect({ history: 5 })
    await server.say('before')
    await account.hears(1)
    await account.bot.disconnect()
    await until(() => server.connections === 0, 'the end of the connection')
    expect(server.called('get_group_msg_history')).to.deep.equal([])
    for (const line of ['one', 'two', 'three']) await server.say(line)
    await account.bot.connect()
    await account.hears(5)
    await server.say('live')
    await account.hears(6)
    expect(account.texts.slice(1)).to.deep.equal(['before', 'one', 'two', 'three', 'live'])
    expect(account.messages.map(({ late }) => late === true)).to.deep.equal([false, true, true, true, true, false])
    expect(new Set(account.messages.map(({ id }) => id)).size).to.equal(5)
    // The other group has no position yet.
    expect(server.called('get_group_msg_history')).to.deep.equal([{ group_id: GROUP, count: 5 }])
  })

  it('can be tried without receiving anything, and names what the server lacks', async () => {
    server.script('can_send_record', { status: 'ok', retcode: 0, data: { yes: false } })
    const result = await tried({ mode: 'forward', url: server.url, token: TOKEN })
    expect([result.id, result.name]).to.deep.equal([String(SELF), 'Mynah'])
    expect(result.missing).to.have.length(1)
    expect(result.missing?.[0]).to.include('voice messages (can_send_record)')
    await until(() => server.connections === 0, 'the end of the connection')
    expect((await failure(tried({ mode: 'forward', url: server.url, token: 'not-the-token' }))).message).to.include(
      'check `token`',
    )
    expect((await tried({ token: TOKEN })).missing?.[0]).to.include('/webhook/onebot/<id>')
  })
})
