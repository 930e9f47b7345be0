import { once } from 'node:events'
import type { WebSocket } from 'ws'
import { expect } from 'chai'
import { until } from '@mynah/kernel/testing'
import { Door } from '../reverse.js'
import { failure } from './account.js'
import { ALICE, GROUP, OneBotServer, SECRET, SELF, TOKEN } from './onebot-server.js'
import { QqHost } from './qq-host.js'

/** Returns the status that a host refuses a connection with. */
const refusal = (socket: WebSocket): Promise<number> =>
  new Promise((resolve, reject) => {
    socket.once('unexpected-response', (_, response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    socket.once('open', () => reject(new Error('it was accepted')))
  })

describe('Reverse connection of a OneBot server', () => {
  let server: OneBotServer
  let qq: QqHost
  beforeEach(async () => {
    server = new OneBotServer()
    qq = await QqHost.start([{}, { mode: 'http', url: 'http://127.0.0.1:1/' }])
  })
  afterEach(async () => {
    await qq.stop()
    await server.stop()
    server.check()
  })

  it('is taken with the token only, for a known endpoint, as one universal connection', async () => {
    const url = qq.socketAddress()
    for (const [address, headers, status] of [
      [url, { authorization: '' }, 401],
      [url, { authorization: 'Bearer wrong' }, 401],
      [qq.socketAddress('none'), {}, 401],
      [qq.socketAddress('qq-2'), {}, 401],
      [url, { 'x-client-role': 'Event' }, 400],
    ] as const)
      expect(await refusal(server.open(address, headers)), JSON.stringify([address, headers])).to.equal(status)
    const socket = server.open(`${url}?access_token=${TOKEN}`, { authorization: '' })
    await once(socket, 'open')
    await qq.online()
  })

  it('is for one account', async () => {
    server.dial(qq.socketAddress())
    await qq.online()
    server.self = SELF + 1
    expect(await refusal(server.open(qq.socketAddress()))).to.equal(409)
    server.self = SELF
    expect(qq.status()).to.equal('online')
  })

  it('is replaced by a second one of the same account, which loses nothing', async () => {
    const first = server.open(qq.socketAddress())
    await once(first, 'open')
    await qq.online()
    const closed = once(first, 'close')
    const second = server.open(qq.socketAddress())
    await once(second, 'open')
    await closed
    await server.say('over the second')
    await qq.online()
    await qq.hears(1)
    expect(qq.messages.map(({ text }) => text)).to.deep.equal(['over the second'])
    expect(await qq.error()).to.include('another connection')
    expect(second.readyState).to.equal(second.OPEN)
  })

  it('ends with the host, at once and cleanly', async () => {
    const socket = server.open(qq.socketAddress())
    await once(socket, 'open')
    await qq.online()
    const closed = once(socket, 'close') as Promise<[number]>
    await qq.stop()
    expect((await closed)[0]).to.equal(1001)
    expect(qq.host.residue()).to.include({ effects: 0, contributions: 0, listeners: 0, watchers: 0 })
  })

  it('waits unread while none is awaited, and the reason says what to enter', async () => {
    const door = new Door()
    const waiting = door.next('/webhook/onebot/qq', new AbortController().signal, 1)
    expect((await failure(waiting)).message).to.include('connected to /webhook/onebot/qq yet: enter this address')
    const aborted = new AbortController()
    const ended = failure(door.next('/', aborted.signal))
    aborted.abort()
    expect((await ended).message).to.include('disconnected')
  })

  it('shows no secret anywhere', async () => {
    server.dial(qq.socketAddress())
    await qq.online()
    await server.say('hello')
    await qq.hears(1)
    await server.kill()
    await until(() => qq.status() !== 'online', 'the loss')
    const shown = JSON.stringify([qq.log, await qq.chat.info('onebot', 'qq'), await qq.chat.info('onebot', 'qq-2')])
    for (const secret of [TOKEN, SECRET]) expect(shown).to.not.include(secret)
  })
})

describe('Two accounts of QQ', () => {
  it('get their own messages and answers', async () => {
    const servers = [new OneBotServer(), new OneBotServer()] as const
    servers[1].self = SELF + 1
    servers[1].token = 'another-token-of-another'
    const qq = await QqHost.start([{}, { token: servers[1].token }])
    try {
      servers[0].dial(qq.socketAddress())
      servers[1].dial(qq.socketAddress('qq-2'))
      await Promise.all([qq.online(), qq.online('qq-2')])
      await Promise.all([servers[0].say('to one'), servers[1].say('to two')])
      await qq.hears(2)
      expect(new Map(qq.messages.map(({ endpoint, text }) => [endpoint, text]))).to.deep.equal(
        new Map([
          ['qq', 'to one'],
          ['qq-2', 'to two'],
        ]),
      )
      await qq.chat.send('onebot', 'qq-2', { type: 'private', id: String(ALICE) }, 'from two')
      expect([
        servers[0].called('send_private_msg').length,
        servers[1].called('send_private_msg').length,
      ]).to.deep.equal([0, 1])
      expect(await refusal(servers[1].open(qq.socketAddress()))).to.equal(401)
    } finally {
      await qq.stop()
      for (const server of servers) {
        await server.stop()
        server.check()
      }
    }
  })
})

describe('OneBot over HTTP', () => {
  let server: OneBotServer
  let qq: QqHost
  beforeEach(async () => {
    server = await new OneBotServer().listen()
    qq = await QqHost.start([{ mode: 'http', url: server.httpUrl }, {}])
    await qq.online()
    server.postTo(qq.address())
  })
  afterEach(async () => {
    await qq.stop()
    await server.stop()
    server.check()
  })

  const event = {
    time: 1,
    self_id: SELF,
    post_type: 'message',
    message_type: 'group',
    group_id: GROUP,
    user_id: ALICE,
    message_id: 1,
    message: 'hi',
  }

  it('takes events with the right signature only', async () => {
    for (const signature of ['', 'sha1=', `sha1=${'0'.repeat(40)}`, `sha256=${'0'.repeat(64)}`])
      expect(await server.post(event, signature)).to.equal(401)
    expect(await server.post(event, undefined, qq.address('none'))).to.equal(401)
    expect(await server.post(event, undefined, qq.address('qq-2'))).to.equal(401)
    expect(qq.messages).to.deep.equal([])
    for (let time = 0; time < 3; time++) expect(await server.post(event)).to.equal(204)
    expect(await server.post([] as never)).to.equal(400)
    expect(await server.post({ pad: 'x'.repeat(1024 * 1024) })).to.equal(413)
    server.self = SELF + 1
    expect(await server.post(event)).to.equal(409)
    server.self = SELF
    await qq.hears(1)
    expect(qq.messages.map(({ text }) => text)).to.deep.equal(['hi'])
  })

  it('sends, and knows what a failure means', async () => {
    const send = () => qq.chat.send('onebot', 'qq', { type: 'group', id: String(GROUP) }, 'hello')
    expect((await send()).messageId).to.match(new RegExp(`^${GROUP}:\\d+$`))
    server.script('send_group_msg', 'drop')
    expect((await failure(send())).code).to.equal('upstream_unavailable:unknown')
    await server.kill()
    // The first one may go over a connection that was kept open.
    await failure(send())
    expect((await failure(send())).code).to.equal('not_ready')
  })
})
