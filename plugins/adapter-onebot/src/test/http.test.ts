import { expect } from 'chai'
import { TestClock, until } from '@mynah/kernel/testing'
import { Account } from './account.js'
import { ALICE, OneBotServer, SECRET, SELF, TOKEN } from './onebot-server.js'

describe('A OneBot server over HTTP that dies', () => {
  let server: OneBotServer
  let clock: TestClock
  let account: Account
  const asked = (): number => server.called('get_status').length
  /** Waits until no request is open: each has a timer, and the connection has one. */
  const answered = (): Promise<void> => until(() => clock.pending === 1, 'the answer of the server')
  beforeEach(async () => {
    server = await new OneBotServer().listen()
    clock = new TestClock()
    account = new Account({ mode: 'http', url: server.httpUrl, token: TOKEN, secret: SECRET }, clock)
    await account.bot.connect()
    server.requests.length = 0
  })
  afterEach(async () => {
    await account.stop()
    await server.stop()
    server.check()
  })

  it('is noticed within 90 seconds where it is gone', async () => {
    await server.kill()
    await clock.advance(60_000)
    await until(() => account.lost.length > 0, 'the loss')
    expect(account.lost[0]).to.match(/^The OneBot server cannot be reached/)
  })

  it('is noticed within 90 seconds where it answers nothing', async () => {
    server.freeze()
    await clock.advance(60_000)
    expect(account.lost).to.deep.equal([])
    await clock.advance(30_000)
    await until(() => account.lost.length > 0, 'the loss')
    expect(account.lost[0]).to.include('has not answered get_status within 30 s')
  })

  it('is asked only while nothing arrives from it', async () => {
    const heartbeat = { time: 1, self_id: SELF, post_type: 'meta_event', meta_event_type: 'heartbeat', user_id: ALICE }
    for (let time = 0; time < 6; time++) {
      await account.bot.post(heartbeat)
      await clock.advance(30_000)
    }
    expect(asked()).to.equal(0)
    await clock.advance(30_000)
    await answered()
    expect([asked(), account.lost]).to.deep.equal([1, []])
  })

  it('counts as there where it refuses the question', async () => {
    server.script('get_status', { status: 'failed', retcode: 1404, data: null })
    await clock.advance(60_000)
    await answered()
    expect(asked()).to.equal(1)
    server.limit.start(90_000, () => clock.now(), 'get_status')
    for (let time = 0; time < 3; time++) {
      await clock.advance(30_000)
      await answered()
    }
    expect([server.limit.early, account.lost]).to.deep.equal([1, []])
  })
})
