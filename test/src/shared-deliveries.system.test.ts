import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import { sign } from '@mynah/plugin-adapter-webhook/api'
import { until } from '@mynah/kernel/testing'
import { needPostgres, startPostgres, type TestServer } from '../../plugins/database/dist/testing/postgres-server.js'
import * as lark from '../../plugins/adapter-lark/dist/test/lark-server.js'
import * as onebot from '../../plugins/adapter-onebot/dist/test/onebot-server.js'
import * as slack from '../../plugins/adapter-slack/dist/test/slack-server.js'
import { ClusterHost } from './cluster-host.js'
import { TelegramServer } from './telegram-server.js'

const PEER_SECRET = 'a-secret-of-the-peer-under-test-32'
const TELEGRAM_SECRET = 'a-secret-of-the-webhook-under-test'
/** The second that all events name, so that the same one can be delivered again. */
const SECOND = Math.floor(Date.now() / 1_000)

/** Sends a message with a number as a platform does. The same number has the same message. */
type Deliver = (base: string, number: number) => Promise<Response>

const post = (url: string, body: string, headers: Record<string, string>): Promise<Response> =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })

/** The adapters whose platforms send requests to the host. */
const DELIVERIES: Readonly<Record<string, Deliver>> = {
  webhook(base, number) {
    const channel = { type: 'group', id: 'lobby' }
    const body = JSON.stringify({ id: `m${number}`, channel, sender: { id: 'ann' }, content: `hello ${number}` })
    return post(`${base}/webhook/chat/bot`, body, { ...sign(PEER_SECRET, body) })
  },
  telegram(base, number) {
    const from = { id: 7, is_bot: false, first_name: 'Alice' }
    const chat = { id: 7, type: 'private', first_name: 'Alice' }
    const message = { message_id: number, date: SECOND, chat, from, text: `hello ${number}` }
    const body = JSON.stringify({ update_id: number, message })
    return post(`${base}/webhook/telegram/bot`, body, { 'x-telegram-bot-api-secret-token': TELEGRAM_SECRET })
  },
  slack(base, number) {
    const event = { type: 'message', channel: slack.ROOM, user: slack.ALICE, text: `hello ${number}` }
    const ts = `${SECOND}.${String(number).padStart(6, '0')}`
    const body = JSON.stringify({ type: 'event_callback', team_id: slack.FIRST.team, event: { ...event, ts } })
    const time = String(Math.floor(Date.now() / 1_000))
    const signature = createHmac('sha256', slack.FIRST.signingSecret).update(`v0:${time}:${body}`).digest('hex')
    return post(`${base}/webhook/slack/bot`, body, {
      'x-slack-request-timestamp': time,
      'x-slack-signature': `v0=${signature}`,
    })
  },
  lark(base, number) {
    const message = {
      message_id: `om_${number}`,
      create_time: String(SECOND * 1_000),
      chat_id: lark.ROOM,
      chat_type: 'group',
      message_type: 'text',
      content: JSON.stringify({ text: `hello ${number}` }),
    }
    const sender = { sender_id: { open_id: lark.ALICE }, sender_type: 'user', tenant_key: 't' }
    const header = { token: lark.VERIFICATION_TOKEN, event_type: 'im.message.receive_v1', event_id: `e${number}` }
    const { body, headers } = lark.encrypted({ schema: '2.0', header, event: { sender, message } })
    return post(`${base}/webhook/lark/bot`, body, headers)
  },
  onebot(base, number) {
    const message = [{ type: 'text', data: { text: `hello ${number}` } }]
    const about = {
      time: SECOND,
      self_id: onebot.SELF,
      post_type: 'message',
      message_type: 'group',
      sub_type: 'normal',
    }
    const sender = { user_id: onebot.ALICE, nickname: 'Alice', card: '', role: 'member' }
    const event = { ...about, message_id: number, user_id: onebot.ALICE, group_id: onebot.GROUP, message, sender }
    const body = JSON.stringify(event)
    const signature = createHmac('sha1', onebot.SECRET).update(body).digest('hex')
    return post(`${base}/webhook/onebot/bot`, body, {
      'x-self-id': String(onebot.SELF),
      'x-signature': `sha1=${signature}`,
    })
  },
}
const ADAPTERS = Object.keys(DELIVERIES)

describe('deliveries of platforms to hosts that share a database', function () {
  this.timeout(300_000)
  const hosts: ClusterHost[] = []
  let server: TestServer
  let url: string
  let telegram: TelegramServer
  const platforms = {
    slack: new slack.SlackServer(),
    lark: new lark.LarkServer(),
    onebot: new onebot.OneBotServer(),
  }
  const [one, two] = [() => hosts[0] as ClusterHost, () => hosts[1] as ClusterHost]

  before(async function () {
    await needPostgres(this)
    // Two hosts start, one after the other.
    this.timeout(300_000)
    server = await startPostgres()
    url = await server.create()
    telegram = await TelegramServer.start()
    for (const platform of Object.values(platforms)) await platform.listen()
    const of = (adapter: string, more: object): string =>
      JSON.stringify({ adapter, id: 'bot', hosts: ['one', 'two'], ...more })
    const options = {
      plugins: ADAPTERS.map((name) => `adapter-${name}`),
      endpoints: [
        of('webhook', { secret: PEER_SECRET }),
        of('telegram', {
          token: '1:token',
          apiRoot: telegram.url,
          mode: 'webhook',
          publicUrl: 'https://bot.example.com',
          webhookSecret: TELEGRAM_SECRET,
        }),
        of('slack', {
          botToken: slack.FIRST.botToken,
          signingSecret: slack.FIRST.signingSecret,
          apiRoot: platforms.slack.apiRoot,
          replies: 'channel',
        }),
        of('lark', {
          appId: lark.APP_ID,
          appSecret: lark.APP_SECRET,
          mode: 'webhook',
          domain: platforms.lark.http.url,
          encryptKey: lark.ENCRYPT_KEY,
          verificationToken: lark.VERIFICATION_TOKEN,
        }),
        of('onebot', {
          mode: 'http',
          url: platforms.onebot.httpUrl,
          token: platforms.onebot.token,
          secret: onebot.SECRET,
        }),
        JSON.stringify({
          adapter: 'onebot',
          id: 'reverse',
          mode: 'reverse',
          token: onebot.TOKEN,
          hosts: ['one', 'two'],
        }),
      ],
    }
    for (const name of ['one', 'two']) {
      hosts.push(await ClusterHost.start(name, url, options))
      await until(() => areOnline(hosts.at(-1) as ClusterHost))
    }
  })
  after(async () => {
    for (const host of hosts) await host.remove()
    await telegram?.stop()
    for (const platform of Object.values(platforms)) await platform.stop()
    if (server) await server.drop(url)
  })

  for (const [adapter, deliver] of Object.entries(DELIVERIES))
    it(`of ${adapter} are accepted by way of any host, each once`, async () => {
      const statuses: number[] = []
      for (const [host, number] of [
        [one(), 1],
        [two(), 2],
        [two(), 1],
        [one(), 2],
      ] as const)
        statuses.push((await deliver(host.base, number)).status)
      expect(
        statuses.every((status) => status >= 200 && status < 300),
        statuses.join(),
      ).to.equal(true)
      expect(await textsOf(url, adapter)).to.deep.equal(['hello 1', 'hello 2'])
    })

  it('that connect to a host without the endpoint are refused for now', async () => {
    const statusOf = (host: ClusterHost): Promise<number> =>
      new Promise((resolve, reject) => {
        const socket = platforms.onebot.open(`${host.base.replace('http', 'ws')}/webhook/onebot/reverse`)
        socket.once('open', () => resolve(101))
        socket.once('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode))
        socket.once('error', reject)
      })
    expect(await statusOf(two())).to.equal(503)
    expect(await statusOf(one())).to.equal(101)
  })

  it('are repeated by the platform while no host has the endpoint, and are then accepted once', async () => {
    await one().kill()
    const refused = new Set<string>()
    for (const [adapter, deliver] of Object.entries(DELIVERIES))
      await until(async () => {
        const answer = await deliver(two().base, 3)
        if (answer.ok) return true
        refused.add(`${adapter}: ${answer.status}, ${answer.headers.get('retry-after')}`)
        return false
      })
    for (const refusal of refused) expect(refusal).to.match(/^\w+: 503, \d+$/)
    for (const [adapter, deliver] of Object.entries(DELIVERIES)) {
      expect((await deliver(two().base, 3)).ok).to.equal(true)
      expect(await textsOf(url, adapter), adapter).to.deep.equal(['hello 1', 'hello 2', 'hello 3'])
    }
  })
})

/** Whether a host says that all endpoints that need no server to connect first are online. */
async function areOnline({ client }: ClusterHost): Promise<boolean> {
  const { endpoints } = await client.rpc('endpoint:list', {}).catch(() => ({ endpoints: [] }))
  return endpoints.filter(({ name, status }) => name === 'bot' && status === 'online').length === ADAPTERS.length
}

/** Returns the texts of the messages that an adapter has received. */
async function textsOf(url: string, adapter: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ readonly text: string }>(
      `SELECT text FROM message WHERE adapter = '${adapter}' AND direction = 'in' ORDER BY text`,
    )
    return rows.map(({ text }) => text)
  } finally {
    await client.end()
  }
}
