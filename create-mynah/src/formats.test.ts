import { expect } from 'chai'
import * as formats from './formats.js'

const cases: readonly [format: keyof typeof formats, good: readonly string[], bad: readonly string[]][] = [
  [
    'host',
    ['irc.libera.chat', 'localhost', '127.0.0.1', '::1', '2001:db8::1', 'a-b.example', 'münchen.example'],
    ['irc server', 'https://irc.libera.chat', 'irc.libera.chat:6697', '-', 'a..b', '#mynah', '[::1]', '.'],
  ],
  ['port', ['1', '6697', '65535'], ['0', '65536', '6697 ', 'tls', '-1']],
  ['yesOrNo', ['true', 'false'], ['yes', 'True', '1']],
  ['nick', ['mynah', 'My_Bot', '[bot]', 'b-1', 'Köchin'], ['1bot', 'my bot', '-bot', '#bot']],
  ['channel', ['#mynah-bots', '&local', '##c++'], ['mynah', '#', '#a b', '#a,#b']],
  ['httpAddress', ['http://127.0.0.1:8000/v1', 'https://models.example'], ['127.0.0.1:8000', 'ftp://x', 'localhost']],
  ['discordToken', ['MTk4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs-_'], ['short', `${'a'.repeat(30)} b`]],
  [
    'homeserver',
    ['https://matrix.example', 'http://127.0.0.1:8008'],
    ['matrix.example', 'https://matrix.example/', ''],
  ],
  ['matrixUser', ['mynah', '@mynah', '@mynah:matrix.example:8448'], ['my nah', '@', 'a@b']],
  ['matrixUserId', ['@alice:matrix.example'], ['alice', '@alice', 'alice:matrix.example']],
  ['dingtalkClientId', ['dingaccount.1-a_b'], ['an id', '', 'x'.repeat(129)]],
  ['appSecret', ['x'.repeat(8), '!~'.repeat(128)], ['short', 'has a space', 'x'.repeat(257)]],
  ['larkDomain', ['https://open.feishu.cn', 'http://127.0.0.1:8000'], ['open.feishu.cn', 'https://open.feishu.cn/']],
  ['larkAppId', ['cli_0123456789abcdef'], ['0123456789abcdef', 'cli_1', 'cli_01234567-9']],
  ['slackBotToken', ['xoxb-123-abc-45'], ['xapp-123-abc-45', 'xoxb-1', 'xoxb-123 abc 45']],
  ['slackAppToken', ['xapp-1-A0-23456'], ['xoxb-123-abc-45', 'xapp-1']],
  ['jid', ['mynah@xmpp.example'], ['mynah', 'mynah@xmpp.example/phone', 'a b@c']],
  ['xmppRoom', ['town@rooms.xmpp.example'], ['town', 'town@rooms.xmpp.example/mynah']],
  ['imapServer', ['imaps://imap.example', 'imap://127.0.0.1:143'], ['imap.example', 'smtps://imap.example']],
  ['smtpServer', ['smtps://smtp.example', 'smtp://[::1]:587'], ['smtp.example', 'smtp://a@smtp.example', 'smtp://x:y']],
  ['mailbox', ['bot@mail.example', 'bot'], ['x'.repeat(257)]],
  ['mailSender', ['alice@mail.example', '@mail.example', '*'], ['alice', 'mail.example', 'a b@c']],
  ['password', ['x'.repeat(512), 'a b'], ['x'.repeat(513)]],
  ['telegramToken', [`123456789:${'A'.repeat(35)}`], ['123456789', 'bot', '123: AAA']],
]

describe('formats of answers', () => {
  for (const [format, good, bad] of cases) {
    it(`${format} accepts what can work, and says what is wrong with the rest`, () => {
      for (const answer of good) expect(formats[format](answer), answer).to.equal(undefined)
      for (const answer of bad) expect(formats[format](answer), answer).to.match(/^is n/)
    })
  }
})
