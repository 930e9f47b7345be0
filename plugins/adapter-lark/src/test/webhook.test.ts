import { expect } from 'chai'
import { definePlugin, systemClock, type Host } from '@mynah/kernel'
import { startHost, until } from '@mynah/kernel/testing'
import chat from '@mynah/plugin-chat'
import { Chat, middlewares, type EndpointHandle } from '@mynah/plugin-chat/api'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import type { LarkConfig } from '../config.js'
import { CONTROL, decodeFrame, encodeFrame } from '../frame.js'
import lark from '../index.js'
import { placeOf, Socket } from '../socket.js'
import { Rest } from '../rest.js'
import * as lk from './lark-server.js'

const config = { appId: lk.APP_ID, appSecret: lk.APP_SECRET }
const challenge = { type: 'url_verification', challenge: 'the challenge', token: lk.VERIFICATION_TOKEN }

describe('Lark by webhook', function () {
  this.timeout(60_000)
  let server: lk.LarkServer
  let host: Host | undefined
  const heard: string[] = []
  beforeEach(async () => {
    heard.length = 0
    server = await new lk.LarkServer().listen()
    const listener = definePlugin({
      name: 'listener',
      setup: (ctx) => {
        ctx.contribute(middlewares, { name: 'listener', handle: async ({ text }) => void heard.push(text) })
      },
    })
    const keys = { encryptKey: lk.ENCRYPT_KEY, verificationToken: lk.VERIFICATION_TOKEN }
    const endpoint = { adapter: 'lark', id: 'bot', mode: 'webhook', domain: server.http.url, ...config, ...keys }
    const started = await startHost([
      { plugin: chat as never, config: { endpoints: [endpoint] } },
      { plugin: httpCore as never, config: { port: 0, token: 'owner-token-of-the-tests' } },
      lark,
      listener as never,
    ])
    host = started.host
    await until(() => host?.get(Chat)?.endpoints()[0]?.status === 'online', 'the endpoint to be online')
    server.webhook = `${host.get(Http)?.origin ?? ''}/webhook/lark/bot`
  })
  afterEach(async () => {
    await host?.stop()
    await server.stop()
  })

  it('answers the challenge, and takes what is signed', async () => {
    expect(await server.post(challenge)).to.deep.equal({ status: 200, body: { challenge: 'the challenge' } })
    await server.say('hello')
    await until(() => heard.length === 1, 'the message')
    expect(heard).to.deep.equal(['hello'])
    expect(server.unacknowledged()).to.equal(0)
  })

  it('refuses wrong, missing and old signatures, other keys and other tokens', async () => {
    const event = { schema: '2.0', header: { token: lk.VERIFICATION_TOKEN, event_type: 'other' }, event: {} }
    const old = String(Math.floor(Date.now() / 1_000) - 3_600)
    expect((await server.post(event)).status).to.equal(200)
    for (const options of [{ signature: 'wrong' }, { signature: '' }, { timestamp: old }, { key: 'another-key' }])
      expect((await server.post(event, options)).status).to.equal(401)
    expect((await server.post({ ...event, header: { event_type: 'other' } })).status).to.equal(401)
    expect((await server.post({ ...challenge, token: 'other' })).status).to.equal(401)
    expect((await server.post(challenge, { key: 'another-key' })).status).to.equal(401)
  })
})

describe('The socket of Lark', function () {
  this.timeout(60_000)

  it('answers a pressed button in time, although the store has not taken it', async () => {
    const server = await new lk.LarkServer().listen()
    const hasty = {
      ...systemClock,
      setTimeout: (work: () => void, ms: number) => systemClock.setTimeout(work, ms / 20),
    }
    const signal = new AbortController().signal
    const account = { ...config, domain: server.http.url }
    let release = (): void => {}
    const stored = new Promise<void>((resolve) => (release = resolve))
    const endpoint = { config: account } as EndpointHandle<LarkConfig>
    const place = await placeOf(new Rest(endpoint.config, hasty, signal), account)
    const log = {} as never
    const socket = await Socket.open({ place, clock: hasty, log, signal, onEvent: () => stored, onLost: () => {} })
    try {
      await server.deliver('card.action.trigger', { operator: { open_id: lk.ALICE } })
      await until(() => server.unacknowledged() === 0, 'the acknowledgement before the store has answered')
    } finally {
      release()
      await socket.close()
      await server.stop()
    }
  })

  it('reads the frames that it writes, and refuses others', () => {
    const headers = { type: 'event', 'the key': 'ü' }
    const frame = {
      sequence: 5n,
      log: 2n ** 64n - 1n,
      service: 7,
      method: CONTROL,
      headers,
      payload: Buffer.alloc(300),
    }
    expect(decodeFrame(encodeFrame(frame))).to.deep.equal(frame)
    expect(decodeFrame(encodeFrame({ ...frame, service: -1 })).service).to.equal(-1)
    const cut = encodeFrame(frame)
    for (const length of [1, 20, cut.length - 1]) expect(() => decodeFrame(cut.subarray(0, length))).to.throw('frame')
    expect(() => decodeFrame(Buffer.alloc(20, 0xff))).to.throw('does not end')
  })
})
