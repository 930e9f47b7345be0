// Starts a bot of `npm create mynah` on each platform, with the real command line: a person writes to it there, and it
// answers there.
import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { freePort, until } from '@mynah/kernel/testing'
import * as dingtalk from '../../plugins/adapter-dingtalk/dist/test/dingtalk-server.js'
import { DiscordServer, PRIVATE, TOKEN } from '../../plugins/adapter-discord/dist/test/discord-server.js'
import * as lark from '../../plugins/adapter-lark/dist/test/lark-server.js'
import * as mailServer from '../../plugins/adapter-mail/dist/test/dovecot.js'
import { mail } from '../../plugins/adapter-mail/dist/test/mail.js'
import { SmtpSink } from '../../plugins/adapter-mail/dist/test/smtp-sink.js'
import * as matrix from '../../plugins/adapter-matrix/dist/test/homeserver.js'
import { OneBotServer } from '../../plugins/adapter-onebot/dist/test/onebot-server.js'
import * as slack from '../../plugins/adapter-slack/dist/test/slack-server.js'
import * as xmpp from '../../plugins/adapter-xmpp/dist/test/prosody.js'
import { User } from '../../plugins/adapter-xmpp/dist/test/user.js'
import { Ends, Projects } from './template-projects.js'
import { TelegramServer } from './telegram-server.js'

const ENV = 'my-bot/.env'
const CONFIG = 'my-bot/mynah.config.yml'

describe('a bot of npm create mynah', () => {
  const ends = new Ends()
  let projects: Projects
  beforeEach(async () => {
    projects = await Projects.make(ends)
  })
  afterEach(() => ends.run())

  const create = (platform: string): Promise<void> => projects.create('bot', 'my-bot', '--platform', platform)

  /** Starts the bot, and waits until its account is online. */
  async function start(id: string, port?: number): Promise<void> {
    const rpc = await projects.start('my-bot', port)
    let shown: unknown
    await until(
      async () => {
        const { endpoints } = (await rpc('endpoint:list')) as { endpoints: { name: string; status: string }[] }
        shown = endpoints
        return endpoints.some(({ name, status }) => name === id && status === 'online')
      },
      () => `the account to be online: ${JSON.stringify(shown)}`,
    )
  }

  it('answers on Telegram', async () => {
    const server = await TelegramServer.start()
    ends.push(() => server.stop())
    await create('telegram')
    await projects.edit(ENV, { 'TELEGRAM_TOKEN=': 'TELEGRAM_TOKEN=1:secret' })
    await projects.edit(CONFIG, { 'id: telegram,': `id: telegram, apiRoot: "${server.url}",` })
    await start('telegram')
    server.say({ text: '/hello Ada' })
    await until(() => server.said.includes('Hello, Ada!'), 'the answer on Telegram')
  })

  it('answers on Discord, and has its commands there', async () => {
    const server = await new DiscordServer().listen()
    ends.push(() => server.stop())
    await create('discord')
    await projects.edit(ENV, { 'DISCORD_TOKEN=': `DISCORD_TOKEN=${TOKEN}` })
    await projects.edit(CONFIG, { 'id: discord,': `id: discord, apiRoot: "${server.apiRoot}",` })
    await start('discord')
    server.say('/hello Ada', { channel: PRIVATE })
    await until(() => server.sent.some(({ text }) => text === 'Hello, Ada!'), 'the answer on Discord')
    expect(server.sent.map(({ channel }) => channel)).to.deep.equal([PRIVATE])
    await until(() => JSON.stringify(server.commands ?? '').includes('"hello"'), 'the slash commands')
  })

  it('answers on DingTalk', async () => {
    const server = await new dingtalk.DingTalkServer().listen()
    ends.push(() => server.stop())
    await create('dingtalk')
    await projects.edit(ENV, {
      'DINGTALK_CLIENT_ID=': `DINGTALK_CLIENT_ID=${dingtalk.CLIENT_ID}`,
      'DINGTALK_CLIENT_SECRET=': `DINGTALK_CLIENT_SECRET=${dingtalk.CLIENT_SECRET}`,
    })
    await projects.edit(CONFIG, { 'id: dingtalk\n': `id: dingtalk\n    apiRoot: "${server.http.url}"\n` })
    await start('dingtalk')
    server.say('/hello Ada')
    await until(() => server.sent.some(({ text }) => text === 'Hello, Ada!'), 'the answer on DingTalk')
    expect(server.sent.map(({ to }) => to)).to.deep.equal([dingtalk.ROOM])
  })

  it('answers on Lark', async () => {
    const server = await new lark.LarkServer().listen()
    ends.push(() => server.stop())
    await create('lark')
    await projects.edit(ENV, {
      'LARK_DOMAIN=https://open.feishu.cn': `LARK_DOMAIN=${server.http.url}`,
      'LARK_APP_ID=': `LARK_APP_ID=${lark.APP_ID}`,
      'LARK_APP_SECRET=': `LARK_APP_SECRET=${lark.APP_SECRET}`,
    })
    await start('lark')
    await server.say('/hello Ada')
    await until(() => server.sent.some(({ text }) => text === 'Hello, Ada!'), 'the answer on Lark')
    expect(server.sent.map(({ chat }) => chat)).to.deep.equal([lark.ROOM])
  })

  it('answers on Slack, in a thread of the message', async () => {
    const server = await new slack.SlackServer().listen()
    ends.push(() => server.stop())
    await create('slack')
    await projects.edit(ENV, {
      'SLACK_BOT_TOKEN=': `SLACK_BOT_TOKEN=${slack.FIRST.botToken}`,
      'SLACK_APP_TOKEN=': `SLACK_APP_TOKEN=${slack.FIRST.appToken}`,
    })
    await projects.edit(CONFIG, { 'id: slack\n': `id: slack\n    apiRoot: "${server.apiRoot}"\n` })
    await start('slack')
    const { ts } = await server.say('!hello Ada')
    await until(() => server.sent.some(({ text }) => text === 'Hello, Ada!'), 'the answer on Slack')
    expect(server.sent.map(({ channel, thread }) => ({ channel, thread }))).to.deep.equal([
      { channel: slack.ROOM, thread: ts },
    ])
  })

  it('answers on QQ, where the server connects to it with the token that was made', async () => {
    await create('onebot')
    const token = /^ONEBOT_TOKEN=(.+)$/m.exec(await readFile(projects.at(ENV), 'utf8'))?.[1] ?? ''
    const server = new OneBotServer()
    ends.push(async () => {
      await server.stop()
      server.check()
    })
    server.token = token
    const port = await freePort()
    server.dial(`ws://127.0.0.1:${port}/webhook/onebot/qq`)
    await start('qq', port)
    await server.say('/hello Ada', {}, true)
    await until(() => server.conversation.texts.includes('Hello, Ada!'), 'the answer on QQ')
  })

  it('answers on Matrix, in a room that its owner has invited it to', async () => {
    const server = await matrix.Homeserver.start()
    ends.push(() => server.http.stop())
    const answers: unknown[] = []
    server.onSent = ({ content }) => void answers.push(content['body'])
    await create('matrix')
    await projects.edit(ENV, {
      'MATRIX_HOMESERVER=https://matrix.org': `MATRIX_HOMESERVER=${server.http.origin}`,
      'MATRIX_USER=': `MATRIX_USER=${matrix.BOT}`,
      'MATRIX_PASSWORD=': `MATRIX_PASSWORD="${matrix.PASSWORD}"`,
      'MATRIX_MASTER=': `MATRIX_MASTER=${matrix.ALICE}`,
    })
    await start('matrix')
    const room = server.room('Town', [matrix.ALICE])
    server.invite(room, matrix.ALICE)
    await until(() => room.members.get(matrix.BOT) === 'join', 'the bot to join')
    server.say(room, '!hello Ada')
    await until(() => answers.includes('Hello, Ada!'), 'the answer on Matrix')
  })

  it('answers on XMPP', async function () {
    if (xmpp.whyNot() !== undefined) this.skip()
    const server = await xmpp.Prosody.start(['bot', 'alice'])
    ends.push(() => server.stop())
    await create('xmpp')
    await projects.edit(ENV, {
      'XMPP_JID=': 'XMPP_JID=bot@localhost',
      'XMPP_PASSWORD=': `XMPP_PASSWORD="${xmpp.PASSWORD}"`,
    })
    await projects.edit(CONFIG, {
      '# service: xmpp://127.0.0.1:5222': `service: ${server.service}`,
      '# insecure': 'insecure',
    })
    await start('xmpp')
    const alice = await User.enter(server, 'alice')
    ends.push(() => alice.leave())
    await alice.say('bot@localhost', '!hello Ada')
    await until(
      () => alice.messages.some((message) => message.getChildText('body') === 'Hello, Ada!'),
      'the answer on XMPP',
    )
  })

  it('answers by mail', async function () {
    if (mailServer.whyNoDovecot() !== undefined) this.skip()
    const server = await mailServer.Dovecot.start()
    ends.push(() => server.stop())
    const sink = await new SmtpSink().listen()
    ends.push(async () => {
      await sink.stop()
      sink.check()
    })
    await create('mail')
    await projects.edit(ENV, {
      'MAIL_IMAP=': `MAIL_IMAP=${server.url}`,
      'MAIL_SMTP=': `MAIL_SMTP=${sink.url}`,
      'MAIL_USER=': 'MAIL_USER=bot@example.net',
      'MAIL_PASSWORD=': `MAIL_PASSWORD=${mailServer.PASSWORD}`,
      'MAIL_ALLOW=': 'MAIL_ALLOW=@example.org',
    })
    await start('mail')
    await server.deliver('bot@example.net', mail('/hello Ada'))
    await until(() => sink.texts.includes('Hello, Ada!'), 'the answer by mail')
    expect(sink.sent.map(({ to }) => to)).to.deep.equal(['alice@example.org'])
  })
})
