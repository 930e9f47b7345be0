// The parts of a bot's project that depend on its platform.
import type { Answers } from '../answers.js'
import type { Platform } from '../platforms.js'
import { PEER } from './peer.js'
import type { Files } from './shared.js'

/** Parts of the project that a platform adds to those of the sandbox. */
export interface Platforming {
  readonly packages: readonly string[]
  /** Sections of the configuration before `endpoints`. */
  readonly sections?: string
  /** The item of `endpoints`, which may depend on what was answered. */
  readonly endpoint: string | ((values: Answers['values']) => string)
  /** Before the name of a command. */
  readonly prefix: string
  readonly note: string
  /** Further scripts of the manifest, and files. */
  readonly scripts?: Readonly<Record<string, string>>
  readonly files?: Files
}

/** The prefix where a slash does not reach the bot. */
const EXCLAMATION = `# Clients keep lines that begin with a slash to themselves.
commands:
  prefix: "!"

`

export const PLATFORMS: Readonly<Record<Platform, Platforming>> = {
  sandbox: { packages: [], endpoint: '', prefix: '/', note: '' },
  irc: {
    packages: ['@mynah/plugin-adapter-irc'],
    sections: EXCLAMATION,
    endpoint: `  - adapter: irc
    id: irc
    host: \${IRC_HOST:-irc.libera.chat}
    port: \${IRC_PORT:-6697}
    tls: \${IRC_TLS:-true}
    nick: "\${IRC_NICK:-mynah-bot}"
    channels: ["\${IRC_CHANNEL:-#mynah-bots}"]
`,
    prefix: '!',
    note: 'On IRC: write the server, the nick and the channel into `.env`, start the bot, join the channel and send `!hello`.',
  },
  discord: {
    packages: ['@mynah/plugin-adapter-discord'],
    endpoint: '  - { adapter: discord, id: discord, token: "${DISCORD_TOKEN:-}", slash: global }\n',
    prefix: '/',
    note: 'On Discord: write the token from the page Bot of the Developer Portal into `.env`, switch on Message Content Intent there, and add the bot to your server. Until then the endpoint stays offline and reports the reason.',
  },
  dingtalk: {
    packages: ['@mynah/plugin-adapter-dingtalk'],
    endpoint: `  - adapter: dingtalk
    id: dingtalk
    clientId: "\${DINGTALK_CLIENT_ID:-}"
    clientSecret: "\${DINGTALK_CLIENT_SECRET:-}"
`,
    prefix: '/',
    note: 'On DingTalk: create an internal application with a robot in Stream mode in the [Developer Console](https://open-dev.dingtalk.com), and write its Client ID and Client Secret into `.env`. Grant `qyapi_robot_sendmsg`, publish a version and add the robot to a group. There it reads only messages that mention it. Until then the endpoint stays offline and reports the reason.',
  },
  lark: {
    packages: ['@mynah/plugin-adapter-lark'],
    endpoint: `  - adapter: lark
    id: lark
    domain: "\${LARK_DOMAIN:-https://open.feishu.cn}"
    appId: "\${LARK_APP_ID:-}"
    appSecret: "\${LARK_APP_SECRET:-}"
`,
    prefix: '/',
    note: 'On Lark or Feishu: create a custom app with a bot in the [Developer Console](https://open.feishu.cn/app), and write its App ID and App Secret into `.env`. Grant `im:message`, `im:resource` and `im:chat:readonly`. While the bot runs, choose *persistent connection* on *Events & Callbacks*, and add the event `im.message.receive_v1` and the callback `card.action.trigger`. Publish a version and add the bot to a group. Until then the endpoint stays offline and reports the reason.',
  },
  mail: {
    packages: ['@mynah/plugin-adapter-mail'],
    endpoint: `  - adapter: mail
    id: mail
    imap: "\${MAIL_IMAP:-}"
    smtp: "\${MAIL_SMTP:-}"
    user: "\${MAIL_USER:-}"
    password: "\${MAIL_PASSWORD:-}"
    # Who may write to the bot: addresses, domains such as @example.org, or * for everybody.
    allow: ["\${MAIL_ALLOW:-}"]
    # The first word of the header Authentication-Results, so that you can be the owner:
    # authServer: mx.example.org
    # master: you@example.org
`,
    prefix: '/',
    note: 'By mail: make a mailbox for the bot alone, allow IMAP and SMTP in its settings, and write both servers, the user name, the password and who may write to the bot into `.env`. With two factors the provider makes an app password. Then send a mail with `/hello`. Until then the endpoint stays offline and reports the reason.',
  },
  matrix: {
    packages: ['@mynah/plugin-adapter-matrix'],
    sections: EXCLAMATION,
    endpoint: `  - adapter: matrix
    id: matrix
    homeserver: "\${MATRIX_HOMESERVER:-https://matrix.org}"
    user: "\${MATRIX_USER:-}"
    password: "\${MATRIX_PASSWORD:-}"
    # The bot accepts invitations of this user.
    master: "\${MATRIX_MASTER:-}"
`,
    prefix: '!',
    note: 'On Matrix: register an account for the bot, and write the homeserver, the account, its password and your own user id into `.env`. Create a room without encryption, invite the bot and send `!hello`. Until then the endpoint stays offline and reports the reason.',
  },
  slack: {
    packages: ['@mynah/plugin-adapter-slack'],
    sections: EXCLAMATION,
    endpoint: `  - adapter: slack
    id: slack
    botToken: "\${SLACK_BOT_TOKEN:-}"
    appToken: "\${SLACK_APP_TOKEN:-}"
`,
    prefix: '!',
    note: 'On Slack: create an app *From a manifest* on [your apps](https://api.slack.com/apps); the README of `@mynah/plugin-adapter-slack` has the manifest. Generate an App-Level Token with the scope `connections:write`, install the app, and write both tokens into `.env`. Then `/invite` the bot to a channel and send `!hello`. Until then the endpoint stays offline and reports the reason.',
  },
  telegram: {
    packages: ['@mynah/plugin-adapter-telegram'],
    endpoint: '  - { adapter: telegram, id: telegram, token: "${TELEGRAM_TOKEN:-}", menu: true }\n',
    prefix: '/',
    note: 'On Telegram: write the token from @BotFather into `.env`. Until then the endpoint stays offline and reports the reason.',
  },
  onebot: {
    packages: ['@mynah/plugin-adapter-onebot'],
    endpoint: '  - { adapter: onebot, id: qq, token: "${ONEBOT_TOKEN:-}" }\n',
    prefix: '/',
    note: 'On QQ: install a server of OneBot 11 such as NapCat, log in there, and add a WebSocket client in its network settings. Its address is `ws://127.0.0.1:8086/webhook/onebot/qq`, its token is `ONEBOT_TOKEN` of `.env`.',
  },
  webhook: {
    packages: ['@mynah/plugin-adapter-webhook'],
    endpoint: `  - adapter: webhook
    id: peer
    secret: "\${WEBHOOK_SECRET:-}"
    url: "\${WEBHOOK_URL:-http://127.0.0.1:9000/messages}"
`,
    prefix: '/',
    note: 'Over HTTP: `npm run peer` in another terminal is a peer to try it with; send `/hello`. Your own peer posts to `/webhook/chat/peer` of the host, and gets the answers at `WEBHOOK_URL` of `.env`. Both sides sign with `WEBHOOK_SECRET`, as `peer.mjs` shows.',
    scripts: { peer: 'node --env-file=.env peer.mjs' },
    files: { 'peer.mjs': PEER },
  },
  xmpp: {
    packages: ['@mynah/plugin-adapter-xmpp'],
    sections: EXCLAMATION,
    endpoint: (values) => `  - adapter: xmpp
    id: xmpp
    jid: "\${XMPP_JID:-}"
    password: "\${XMPP_PASSWORD:-}"
    ${values['XMPP_ROOM'] ? 'rooms: ["${XMPP_ROOM}"]' : '# rooms: ["town@rooms.example.org"]'}
    # A server on this machine without encryption:
    # service: xmpp://127.0.0.1:5222
    # insecure: true
`,
    prefix: '!',
    note: 'On XMPP: register an account for the bot with a client such as Gajim, and write its address and password into `.env`. Send `!hello` to it, or join a room of `rooms` and send it there. Until then the endpoint stays offline and reports the reason.',
  },
}
