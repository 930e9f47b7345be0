import { expect } from 'chai'
import { systemClock } from '@mynah/kernel'
import type { LarkConfig } from './config.js'
import { probe } from './probe.js'
import * as lk from './test/lark-server.js'

const signal = new AbortController().signal

describe('the test of an account on Lark', function () {
  this.timeout(60_000)
  let server: lk.LarkServer
  beforeEach(async () => {
    server = await new lk.LarkServer().listen()
  })
  afterEach(() => server.stop())

  const test = (more: Partial<LarkConfig> = {}) => {
    const config = { appId: lk.APP_ID, appSecret: lk.APP_SECRET, domain: server.http.url, ...more }
    return probe({ config, clock: systemClock, log: {} as never, signal })
  }
  const failure = async (more?: Partial<LarkConfig>): Promise<string> =>
    test(more).then(
      (result) => {
        throw new Error(`it did not fail: ${JSON.stringify(result)}`)
      },
      ({ message }: Error) => message,
    )

  it('names the bot, and opens no connection', async () => {
    expect(await test()).to.deep.equal({ id: 'ou_bot', name: 'Mynah' })
    expect(server.pings).to.equal(0)
    expect(server.http.transcript.join('\n')).to.contain('/callback/ws/endpoint')
  })

  it('asks for no address of a socket where Lark posts to this host', async () => {
    await test({ mode: 'webhook', encryptKey: lk.ENCRYPT_KEY })
    expect(server.http.transcript.join('\n')).to.contain('/bot/v3/info').and.not.to.contain('/callback/ws/endpoint')
  })

  it('names the permission that is missing, and where to grant it', async () => {
    server.hasPermission = false
    const { id, missing } = await test()
    expect(id).to.equal('ou_bot')
    expect(missing).to.have.length(1)
    expect(missing?.[0]).to.contain('im:chat:readonly').and.contain('Permissions & Scopes')
  })

  it('names the keys of a refused account, and neither its secret nor an address', async () => {
    const message = await failure({ appSecret: 'not-the-secret' })
    expect(message).to.contain('`appId` and `appSecret`').and.contain('app secret invalid')
    expect(message).not.to.contain('not-the-secret').and.not.to.contain('127.0.0.1')
  })

  it('says that an application has no bot', async () => {
    server.http.fault(/bot\/v3\/info/, { body: { code: 0, msg: 'ok', bot: {} } })
    expect(await failure()).to.contain('add the feature Bot')
  })

  it('passes on what Lark says about other failures', async () => {
    server.http.fault(/\/chats/, { status: 500, body: { code: 1, msg: 'internal error' } })
    expect(await failure()).to.equal('Lark refuses: internal error (500, 1)')
    server.http.fault(/callback\/ws\/endpoint/, { body: { code: 1_000_040_350, msg: 'too many connections' } })
    expect(await failure()).to.contain('too many connections')
  })

  it('says that nothing answers', async () => {
    await server.http.kill()
    expect(await failure()).to.match(/^Lark cannot be reached: [A-Z_]+$/)
    await server.http.restart()
  })
})
