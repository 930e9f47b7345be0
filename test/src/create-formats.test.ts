import { expect } from 'chai'
import { mistakesIn } from '@mynah/contract/validate'
import {
  appSecret,
  channel,
  dingtalkClientId,
  discordToken,
  homeserver,
  host,
  imapServer,
  jid,
  larkAppId,
  larkDomain,
  mailbox,
  mailSender,
  matrixUser,
  matrixUserId,
  nick,
  oneBotToken,
  password,
  peerAddress,
  sharedSecret,
  slackAppToken,
  slackBotToken,
  smtpServer,
  telegramToken,
  xmppRoom,
} from '../../create-mynah/dist/formats.js'
import { DingTalkConfig } from '../../plugins/adapter-dingtalk/dist/config.js'
import { DiscordConfig } from '../../plugins/adapter-discord/dist/config.js'
import { IrcConfig } from '../../plugins/adapter-irc/dist/config.js'
import { LarkConfig } from '../../plugins/adapter-lark/dist/config.js'
import { MailConfig } from '../../plugins/adapter-mail/dist/config.js'
import { MatrixConfig } from '../../plugins/adapter-matrix/dist/config.js'
import { OneBotConfig } from '../../plugins/adapter-onebot/dist/config.js'
import { SlackConfig } from '../../plugins/adapter-slack/dist/config.js'
import { TelegramConfig } from '../../plugins/adapter-telegram/dist/config.js'
import { WebhookConfig } from '../../plugins/adapter-webhook/dist/config.js'
import { XmppConfig } from '../../plugins/adapter-xmpp/dist/config.js'

const DINGTALK = { clientId: 'ding1', clientSecret: 'a-client-secret' }
const LARK = { appId: 'cli_0123456789abcdef', appSecret: 'an-app-secret' }
const SLACK = { botToken: 'xoxb-12345678', appToken: 'xapp-12345678' }
const MATRIX = { homeserver: 'https://matrix.example', user: 'mynah', password: 'secret' }
const XMPP = { jid: 'mynah@xmpp.example', password: 'secret' }
const MAIL = {
  imap: 'imaps://imap.example',
  smtp: 'smtps://smtp.example',
  user: 'bot@mail.example',
  password: 'secret',
  allow: ['*'],
}

/** A question, the values that it takes and those that it refuses, and where the adapter has such a value. */
const ACCOUNTS: readonly [
  problemOf: (answer: string) => string | undefined,
  good: readonly string[],
  bad: readonly string[],
  mistakesOf: (value: string) => readonly unknown[],
][] = [
  [
    dingtalkClientId,
    ['dingaccount.1-a_b', 'x'.repeat(128)],
    ['an id', 'x'.repeat(129), 'ü'],
    (value) => mistakesIn(DingTalkConfig, { ...DINGTALK, clientId: value }),
  ],
  [
    appSecret,
    ['x'.repeat(8), '!~'.repeat(128)],
    ['x'.repeat(7), 'x'.repeat(257), 'has a space'],
    (value) => [
      ...mistakesIn(DingTalkConfig, { ...DINGTALK, clientSecret: value }),
      ...mistakesIn(LarkConfig, { ...LARK, appSecret: value }),
    ],
  ],
  [
    larkAppId,
    ['cli_01234567', `cli_${'a'.repeat(64)}`],
    ['cli_0123456', 'app_01234567', `cli_${'a'.repeat(65)}`],
    (value) => mistakesIn(LarkConfig, { ...LARK, appId: value }),
  ],
  [
    larkDomain,
    ['https://open.feishu.cn', 'http://127.0.0.1:8000/lark'],
    ['open.feishu.cn', 'https://open.feishu.cn/', 'https://open.feishu.cn?a'],
    (value) => mistakesIn(LarkConfig, { ...LARK, domain: value }),
  ],
  [
    slackBotToken,
    ['xoxb-12345678', `xoxb-${'a'.repeat(250)}`],
    ['xapp-12345678', 'xoxb-1234567', `xoxb-${'a'.repeat(251)}`],
    (value) => mistakesIn(SlackConfig, { ...SLACK, botToken: value }),
  ],
  [
    slackAppToken,
    ['xapp-12345678', `xapp-${'a'.repeat(250)}`],
    ['xoxb-12345678', 'xapp-1234567', `xapp-${'a'.repeat(251)}`],
    (value) => mistakesIn(SlackConfig, { ...SLACK, appToken: value }),
  ],
  [
    homeserver,
    ['https://matrix.example', 'http://127.0.0.1:8008'],
    ['matrix.example', 'https://matrix.example/', 'https://matrix.example?a'],
    (value) => mistakesIn(MatrixConfig, { ...MATRIX, homeserver: value }),
  ],
  [
    matrixUser,
    ['mynah', '@mynah', '@mynah:matrix.example:8448'],
    ['my nah', '@', `@${'x'.repeat(255)}`],
    (value) => mistakesIn(MatrixConfig, { ...MATRIX, user: value }),
  ],
  [matrixUserId, ['@alice:matrix.example'], [], (value) => mistakesIn(MatrixConfig, { ...MATRIX, user: value })],
  [
    password,
    ['a b "c" \\', 'x'.repeat(512)],
    ['x'.repeat(513)],
    (value) => [
      ...mistakesIn(MatrixConfig, { ...MATRIX, password: value }),
      ...mistakesIn(XmppConfig, { ...XMPP, password: value }),
      ...mistakesIn(MailConfig, { ...MAIL, password: value }),
    ],
  ],
  [
    jid,
    ['mynah@xmpp.example', 'müller@xmpp.example'],
    ['mynah', 'mynah@xmpp.example/phone', 'a&b@xmpp.example'],
    (value) => mistakesIn(XmppConfig, { ...XMPP, jid: value }),
  ],
  [
    xmppRoom,
    ['town@rooms.xmpp.example'],
    ['town', 'town@rooms.xmpp.example/mynah'],
    (value) => mistakesIn(XmppConfig, { ...XMPP, rooms: [value] }),
  ],
  [
    imapServer,
    ['imaps://imap.example', 'imap://127.0.0.1:143'],
    ['imap.example', 'smtps://imap.example', `imap://${'x'.repeat(256)}`],
    (value) => mistakesIn(MailConfig, { ...MAIL, imap: value }),
  ],
  [
    smtpServer,
    ['smtps://smtp.example', 'smtp://[::1]:587'],
    ['smtp.example', 'smtp://a@smtp.example'],
    (value) => mistakesIn(MailConfig, { ...MAIL, smtp: value }),
  ],
  [mailbox, ['bot', 'x'.repeat(256)], ['x'.repeat(257)], (value) => mistakesIn(MailConfig, { ...MAIL, user: value })],
  [
    mailSender,
    ['*', '@mail.example', 'alice@mail.example'],
    ['alice', 'mail.example', 'a b@mail.example'],
    (value) => mistakesIn(MailConfig, { ...MAIL, allow: [value] }),
  ],
]

describe('answers that npm create mynah accepts', () => {
  const irc = { host: 'irc.example', nick: 'mynah' }

  it('are accepted by the adapters', () => {
    for (const value of ['irc.libera.chat', '::1', 'münchen.example']) {
      expect(host(value), value).to.equal(undefined)
      expect(mistakesIn(IrcConfig, { ...irc, host: value }), value).to.deep.equal([])
    }
    for (const value of ['mynah', '[bot]', 'b-1', 'Köchin', 'x'.repeat(64)]) {
      expect(nick(value), value).to.equal(undefined)
      expect(mistakesIn(IrcConfig, { ...irc, nick: value }), value).to.deep.equal([])
    }
    for (const value of ['#mynah-bots', '##c++', '&local', `#${'x'.repeat(199)}`]) {
      expect(channel(value), value).to.equal(undefined)
      expect(mistakesIn(IrcConfig, { ...irc, channels: [value] }), value).to.deep.equal([])
    }
    for (const value of ['1:x', `123456789:${'A'.repeat(128)}`]) {
      expect(telegramToken(value), value).to.equal(undefined)
      expect(mistakesIn(TelegramConfig, { token: value }), value).to.deep.equal([])
    }
    for (const value of ['x'.repeat(8), '!~'.repeat(128)]) {
      expect(oneBotToken(value), value).to.equal(undefined)
      expect(mistakesIn(OneBotConfig, { token: value }), value).to.deep.equal([])
    }
    for (const value of ['x'.repeat(20), 'MTk4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs-_']) {
      expect(discordToken(value), value).to.equal(undefined)
      expect(mistakesIn(DiscordConfig, { token: value }), value).to.deep.equal([])
    }
    for (const value of ['http://127.0.0.1:9000/messages', 'https://peer.example?a=b']) {
      expect(peerAddress(value), value).to.equal(undefined)
      expect(mistakesIn(WebhookConfig, { secret: 'x'.repeat(16), url: value }), value).to.deep.equal([])
    }
    for (const value of ['x'.repeat(16), 'ü'.repeat(512)]) {
      expect(sharedSecret(value), value).to.equal(undefined)
      expect(mistakesIn(WebhookConfig, { secret: value }), value).to.deep.equal([])
    }
  })

  it('are those that the adapters accept, in each form of an account', () => {
    for (const [problemOf, good, bad, mistakesOf] of ACCOUNTS) {
      for (const value of good) expect([problemOf(value), mistakesOf(value)], value).to.deep.equal([undefined, []])
      for (const value of bad) {
        expect(problemOf(value), value).to.be.a('string')
        expect(mistakesOf(value), value).not.to.deep.equal([])
      }
    }
  })

  it('are refused where the adapter for peers refuses them', () => {
    for (const value of ['peer.example', 'http://peer.example/a b', 'http://peer.example/#a']) {
      expect(peerAddress(value), value).to.be.a('string')
      expect(mistakesIn(WebhookConfig, { secret: 'x'.repeat(16), url: value }), value).not.to.deep.equal([])
    }
    for (const value of ['x'.repeat(15), 'x'.repeat(513)]) {
      expect(sharedSecret(value), value).to.be.a('string')
      expect(mistakesIn(WebhookConfig, { secret: value }), value).not.to.deep.equal([])
    }
  })
})
