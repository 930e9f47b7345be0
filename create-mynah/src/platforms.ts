import { randomBytes } from 'node:crypto'
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
  port,
  sharedSecret,
  slackAppToken,
  slackBotToken,
  smtpServer,
  telegramToken,
  xmppRoom,
  yesOrNo,
} from './formats.js'
import type { Variable } from './models.js'

/** Where a bot can chat. A test compares them with the adapters of this project. */
export const PLATFORMS = [
  'sandbox',
  'dingtalk',
  'discord',
  'irc',
  'lark',
  'mail',
  'matrix',
  'onebot',
  'slack',
  'telegram',
  'webhook',
  'xmpp',
] as const
export type Platform = (typeof PLATFORMS)[number]

/** Returns a nick that every server takes: it begins with a letter and has at most nine characters. */
const nickOf = (name: string): string => name.slice(0, 9)

const LATER = 'Enter to write it into .env later'
const makeSecret = (): string => randomBytes(32).toString('hex')
const passwordIn = (name: string): Variable => ({ name, question: `Its password? ${LATER}`, problemOf: password })

const VARIABLES: Readonly<Record<Platform, (name: string) => readonly Variable[]>> = {
  sandbox: () => [],
  dingtalk: () => [
    {
      name: 'DINGTALK_CLIENT_ID',
      question: `The Client ID from the Developer Console? ${LATER}`,
      problemOf: dingtalkClientId,
    },
    { name: 'DINGTALK_CLIENT_SECRET', question: `Its Client Secret? ${LATER}`, problemOf: appSecret },
  ],
  discord: () => [
    { name: 'DISCORD_TOKEN', question: `The token from the Developer Portal? ${LATER}`, problemOf: discordToken },
  ],
  irc: (name) => [
    { name: 'IRC_HOST', question: 'Which IRC server?', fallback: 'irc.libera.chat', problemOf: host },
    { name: 'IRC_PORT', question: 'Which port?', fallback: '6697', problemOf: port },
    { name: 'IRC_TLS', question: 'With TLS? true, false', fallback: 'true', problemOf: yesOrNo },
    { name: 'IRC_NICK', question: 'Which nick?', fallback: nickOf(name), problemOf: nick },
    { name: 'IRC_CHANNEL', question: 'Which channel?', fallback: '#mynah-bots', problemOf: channel },
  ],
  lark: () => [
    {
      name: 'LARK_DOMAIN',
      question: 'Which address of the platform? Lark outside of China has https://open.larksuite.com',
      fallback: 'https://open.feishu.cn',
      problemOf: larkDomain,
    },
    { name: 'LARK_APP_ID', question: `The App ID from the Developer Console? ${LATER}`, problemOf: larkAppId },
    { name: 'LARK_APP_SECRET', question: `Its App Secret? ${LATER}`, problemOf: appSecret },
  ],
  mail: () => [
    {
      name: 'MAIL_IMAP',
      question: `Which IMAP server, such as imaps://imap.example.org? ${LATER}`,
      problemOf: imapServer,
    },
    {
      name: 'MAIL_SMTP',
      question: `Which SMTP server, such as smtps://smtp.example.org? ${LATER}`,
      problemOf: smtpServer,
    },
    {
      name: 'MAIL_USER',
      question: `Which user name, mostly the address of the mailbox? ${LATER}`,
      problemOf: mailbox,
    },
    passwordIn('MAIL_PASSWORD'),
    {
      name: 'MAIL_ALLOW',
      question: `Who may write to it: an address, or a domain such as @example.org? ${LATER}`,
      problemOf: mailSender,
    },
  ],
  matrix: () => [
    { name: 'MATRIX_HOMESERVER', question: 'Which homeserver?', fallback: 'https://matrix.org', problemOf: homeserver },
    { name: 'MATRIX_USER', question: `Which account of the bot there? ${LATER}`, problemOf: matrixUser },
    passwordIn('MATRIX_PASSWORD'),
    {
      name: 'MATRIX_MASTER',
      question: `Your own user id, whose invitations it accepts, such as @alice:example.org? ${LATER}`,
      problemOf: matrixUserId,
    },
  ],
  onebot: () => [
    {
      name: 'ONEBOT_TOKEN',
      question: 'The token that the OneBot server of QQ has too? Enter to make one',
      make: makeSecret,
      problemOf: oneBotToken,
    },
  ],
  slack: () => [
    { name: 'SLACK_BOT_TOKEN', question: `The Bot User OAuth Token? ${LATER}`, problemOf: slackBotToken },
    {
      name: 'SLACK_APP_TOKEN',
      question: `The App-Level Token with connections:write? ${LATER}`,
      problemOf: slackAppToken,
    },
  ],
  telegram: () => [
    { name: 'TELEGRAM_TOKEN', question: `The token from @BotFather? ${LATER}`, problemOf: telegramToken },
  ],
  webhook: () => [
    {
      name: 'WEBHOOK_URL',
      question: 'To which address are answers posted?',
      fallback: 'http://127.0.0.1:9000/messages',
      problemOf: peerAddress,
    },
    {
      name: 'WEBHOOK_SECRET',
      question: 'The secret that both sides share? Enter to make one',
      make: makeSecret,
      problemOf: sharedSecret,
    },
  ],
  xmpp: () => [
    { name: 'XMPP_JID', question: `Which account, such as mynah@example.org? ${LATER}`, problemOf: jid },
    passwordIn('XMPP_PASSWORD'),
    {
      name: 'XMPP_ROOM',
      question: 'Which room, such as town@rooms.example.org? Enter for none',
      isOptional: true,
      problemOf: xmppRoom,
    },
  ],
}

/**
 * Returns what a person is asked for a platform, and what `.env` keeps.
 *
 * @param name of the bot
 */
export const variablesOf = (platform: Platform, name: string): readonly Variable[] => VARIABLES[platform](name)
