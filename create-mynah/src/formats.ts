// Checks the form of answers. Each function returns what is wrong with an answer, or undefined. This package has no
// dependencies, so the patterns are its own: the adapters accept what passes here (see create-formats.test.ts).

/** A name or an address of a server, without a scheme and a port. */
export const host = (answer: string): string | undefined =>
  (/^[\p{L}\p{N}._-]{1,253}$/u.test(answer) && /^[^.-][^.]*(?:\.[^.]+)*\.?$/.test(answer)) ||
  /^[0-9a-f]*:[0-9a-f:.]+$/i.test(answer)
    ? undefined
    : 'is no name of a server: write it like irc.example.org'

export const port = (answer: string): string | undefined =>
  /^\d{1,5}$/.test(answer) && Number(answer) >= 1 && Number(answer) <= 65_535
    ? undefined
    : 'is no port: write a number from 1 to 65535'

export const yesOrNo = (answer: string): string | undefined =>
  answer === 'true' || answer === 'false' ? undefined : 'is neither true nor false'

/** A nick; servers decide how long it may be, and some take letters of all languages. */
export const nick = (answer: string): string | undefined =>
  /^[\p{L}[\]\\`_^{|}][\p{L}\p{N}[\]\\`_^{|}-]{0,63}$/u.test(answer)
    ? undefined
    : 'is no nick: begin it with a letter, without spaces'

export const channel = (answer: string): string | undefined =>
  /^[#&+!][^\s,:]{1,199}$/.test(answer) ? undefined : 'is no channel: write it like #mynah-bots'

export const httpAddress = (answer: string): string | undefined => {
  const address = URL.canParse(answer) ? new URL(answer) : undefined
  return address && /^https?:$/.test(address.protocol) ? undefined : 'is no address: begin it with http:// or https://'
}

/** An address that messages are posted to: without spaces, and without a part that is never sent. */
export const peerAddress = (answer: string): string | undefined =>
  httpAddress(answer) ?? (/[\s#]/.test(answer) ? 'is no address to post to: leave out spaces and "#"' : undefined)

export const sharedSecret = (answer: string): string | undefined =>
  answer.length >= 16 && answer.length <= 512 ? undefined : 'is no secret: write 16 to 512 characters'

export const telegramToken = (answer: string): string | undefined =>
  /^\d{1,20}:[\w-]{1,128}$/.test(answer) ? undefined : 'is no token: @BotFather writes it like 123456789:AAF3x…'

export const oneBotToken = (answer: string): string | undefined =>
  /^[\x21-\x7e]{8,256}$/.test(answer) ? undefined : 'is no token: write 8 to 256 characters without spaces'

export const discordToken = (answer: string): string | undefined =>
  /^[\w.-]{20,200}$/.test(answer) ? undefined : 'is no token: the page Bot of the Developer Portal shows it once'

/** Whether paths of an interface can be appended to an address. */
const isRoot = (answer: string): boolean =>
  httpAddress(answer) === undefined && /^[^\s?#]{1,2047}[^\s?#/]$/.test(answer)

/** An address of a homeserver of Matrix. */
export const homeserver = (answer: string): string | undefined =>
  isRoot(answer)
    ? undefined
    : 'is no address of a homeserver: write it like https://matrix.example.org, without a slash at the end'

export const matrixUser = (answer: string): string | undefined =>
  answer.length <= 255 && /^@?[^\s:@]+(?::[^\s@]+)?$/.test(answer)
    ? undefined
    : 'is no account: write it like mynah or @mynah:example.org'

/** A user id with its homeserver, as Matrix names the sender of an invitation. */
export const matrixUserId = (answer: string): string | undefined =>
  answer.length <= 255 && /^@[^\s:@]+:[^\s@]+$/.test(answer)
    ? undefined
    : 'is no user id: write it like @alice:example.org'

export const dingtalkClientId = (answer: string): string | undefined =>
  /^[\w.-]{1,128}$/.test(answer)
    ? undefined
    : 'is no Client ID: it is on the page Credentials and Basic Information, without spaces'

/** A secret of an application on DingTalk or Lark. */
export const appSecret = (answer: string): string | undefined =>
  /^[\x21-\x7e]{8,256}$/.test(answer) ? undefined : 'is no secret: it has 8 to 256 characters without spaces'

export const larkDomain = (answer: string): string | undefined =>
  isRoot(answer)
    ? undefined
    : 'is no address of Lark: write it like https://open.larksuite.com, without a slash at the end'

export const larkAppId = (answer: string): string | undefined =>
  /^cli_[0-9a-zA-Z]{8,64}$/.test(answer) ? undefined : 'is no App ID: it is written like cli_a1b2c3d4e5f6g7h8'

export const slackBotToken = (answer: string): string | undefined =>
  /^xoxb-[\w-]{8,250}$/.test(answer)
    ? undefined
    : 'is no token of a bot: the page OAuth & Permissions shows it, and it begins with xoxb-'

export const slackAppToken = (answer: string): string | undefined =>
  /^xapp-[\w-]{8,250}$/.test(answer)
    ? undefined
    : 'is no token of an app: the page Basic Information shows it, and it begins with xapp-'

const isJid = (answer: string): boolean => /^[^@/\s<>&"']{1,255}@[^@/\s<>&"']{1,255}$/.test(answer)

export const jid = (answer: string): string | undefined =>
  isJid(answer) ? undefined : 'is no address of an account: write it like mynah@example.org'

export const xmppRoom = (answer: string): string | undefined =>
  isJid(answer) ? undefined : 'is no address of a room: write it like town@rooms.example.org'

const isServer = (protocol: string, answer: string): boolean =>
  answer.length <= 256 && new RegExp(`^${protocol}s?://[^\\s/@?#]+$`).test(answer) && URL.canParse(answer)

export const imapServer = (answer: string): string | undefined =>
  isServer('imap', answer) ? undefined : 'is no IMAP server: write it like imaps://imap.example.org'

export const smtpServer = (answer: string): string | undefined =>
  isServer('smtp', answer) ? undefined : 'is no SMTP server: write it like smtps://smtp.example.org'

export const mailbox = (answer: string): string | undefined =>
  answer.length <= 256 ? undefined : 'is no user name: write at most 256 characters'

export const mailSender = (answer: string): string | undefined =>
  /^(?:\*|[^\s<>@"]{0,64}@[^\s<>@"]{1,190})$/.test(answer)
    ? undefined
    : 'is neither an address nor a domain: write it like alice@example.org or @example.org'

export const password = (answer: string): string | undefined =>
  answer.length <= 512 ? undefined : 'is no password: write at most 512 characters'
