import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import { FIRST, ROOM, SECOND, SlackServer, type Json } from './slack-server.js'
import { SlackHost, until } from './slack-host.js'

const WEB = { plugin: httpCore, config: { port: 0, token: 'owner-token-of-the-tests' } }

describe('Calls of Slack', function () {
  this.timeout(60_000)
  let bot: SlackHost
  beforeEach(async () => {
    bot = await SlackHost.start({ appToken: undefined, signingSecret: FIRST.signingSecret }, [WEB])
    bot.server.callsTo = `${bot.host?.get(Http)?.origin}/webhook/slack/bot`
  })
  afterEach(() => bot.stop())

  const event = (text: string): string =>
    JSON.stringify({
      type: 'event_callback',
      team_id: FIRST.team,
      event: { type: 'message', channel: ROOM, user: 'U0ALICE001', text, ts: bot.server.newTs() },
    })

  it('that are signed are taken', async () => {
    const { status } = await bot.server.call(event('hello'))
    expect(status).to.equal(200)
    await bot.hears(1)
    expect(bot.texts).to.deep.equal(['hello'])
  })

  it('with a wrong, missing or old signature are refused with 401', async () => {
    expect((await bot.server.call(event('one'), { secret: SECOND.signingSecret })).status).to.equal(401)
    expect((await bot.server.call(event('two'), { age: 301 })).status).to.equal(401)
    expect((await bot.server.call(event('three'), { age: -301 })).status).to.equal(401)
    const unsigned = await fetch(String(bot.server.callsTo), { method: 'POST', body: event('four') })
    expect(unsigned.status).to.equal(401)
    const time = String(Math.floor(Date.now() / 1_000))
    const signature = createHmac('sha256', FIRST.signingSecret).update(`v0:${time}:other`).digest('hex')
    const changed = await fetch(String(bot.server.callsTo), {
      method: 'POST',
      body: event('five'),
      headers: { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${signature}` },
    })
    expect(changed.status).to.equal(401)
    const { callsTo } = bot.server
    bot.server.callsTo = String(callsTo).replace('/bot', '/nobody')
    expect((await bot.server.call(event('six'))).status).to.equal(401)
    bot.server.callsTo = callsTo
    expect((await bot.server.call(event('right'), { age: 290 })).status).to.equal(200)
    await bot.hears(1)
    expect(bot.texts).to.deep.equal(['right'])
  })

  it('check the address of the host', async () => {
    const answer = await bot.server.call(JSON.stringify({ type: 'url_verification', challenge: 'c-1', token: 'x' }))
    expect([answer.status, await answer.json()]).to.deep.equal([200, { challenge: 'c-1' }])
    const unsigned = await bot.server.call(JSON.stringify({ type: 'url_verification', challenge: 'c-1' }), { age: 999 })
    expect(unsigned.status).to.equal(401)
    expect((await bot.server.call('neither')).status).to.equal(400)
  })

  it('bring commands and buttons as forms', async () => {
    await bot.server.interact('slash_commands', { command: '/roll', text: '2 dice' })
    await bot.hears(1)
    expect(bot.texts).to.deep.equal(['/roll 2 dice'])
    expect(bot.messages[0]?.addressed).to.equal(true)
  })
})

describe('The way in from Slack', function () {
  this.timeout(60_000)

  it('needs http-core for calls, and says so', async () => {
    const { signingSecret } = FIRST
    const bot = new SlackHost(await new SlackServer().listen(), { appToken: undefined, signingSecret })
    try {
      await bot.run()
      await until(async () => (await bot.reason()) !== '', 'a reason')
      expect(await bot.reason()).to.include('http-core')
    } finally {
      await bot.stop()
    }
  })

  it('is closed for calls where there is a socket', async () => {
    const { signingSecret } = FIRST
    const bot = await SlackHost.start({ signingSecret }, [WEB])
    try {
      const body: Json = { type: 'url_verification', challenge: 'c-1' }
      bot.server.callsTo = `${bot.host?.get(Http)?.origin}/webhook/slack/bot`
      expect((await bot.server.call(JSON.stringify(body))).status).to.equal(401)
    } finally {
      await bot.stop()
    }
  })
})
