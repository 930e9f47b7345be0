import { Type, type Static } from '@mynah/contract/type'

const server = (kind: 'imap' | 'smtp', example: string) => ({
  pattern: `^${kind}s?://[^\\s/@?#]+$`,
  maxLength: 256,
  examples: [example],
})

export const MailConfig = Type.Object({
  imap: Type.String({
    ...server('imap', 'imaps://imap.example.org'),
    description:
      'Server that mail is read from: imaps:// with TLS from the start (port 993), imap:// with STARTTLS (port 143). ' +
      'Providers list it under "IMAP settings"',
  }),
  smtp: Type.String({
    ...server('smtp', 'smtps://smtp.example.org'),
    description:
      'Server that mail is sent through: smtps:// with TLS from the start (port 465), smtp:// with STARTTLS (port 587)',
  }),
  user: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'User name at both servers, mostly the address of the mailbox',
  }),
  password: Type.String({
    minLength: 1,
    maxLength: 512,
    secret: true,
    description: 'Password at both servers. Where the account has two factors: an app password of the provider',
  }),
  from: Type.Optional(
    Type.String({
      pattern: '^[^\\s<>@"]{1,64}@[^\\s<>@"]{1,190}$',
      basic: true,
      description: 'Address of the bot. The default is the user name',
    }),
  ),
  name: Type.Optional(
    Type.String({
      pattern: '^[^\\x00-\\x1f"<>\\\\]{1,64}$',
      basic: true,
      description: 'Name before the address of the bot',
    }),
  ),
  folder: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, default: 'INBOX', description: 'Folder that is read' }),
  ),
  allow: Type.Array(Type.String({ pattern: '^(?:\\*|[^\\s<>@"]{0,64}@[^\\s<>@"]{1,190})$' }), {
    minItems: 1,
    maxItems: 1_000,
    examples: [['alice@example.org', '@example.org']],
    description: 'Senders that the bot reads: addresses, domains such as @example.org, or * for everybody',
  }),
  authServer: Type.Optional(
    Type.String({
      pattern: '^[^\\s;]{1,190}$',
      basic: true,
      description:
        'Name by which the receiving server signs its checks: the first word of the header Authentication-Results of ' +
        'a mail in this mailbox. Without it no sender is verified, so that `master` and `trusted` have no effect',
      examples: ['mx.example.org'],
    }),
  ),
  replies: Type.Optional(
    Type.Enum(['channel', 'thread'], {
      default: 'channel',
      description: 'Whether all mail with one person is one conversation, or each thread is one of its own',
    }),
  ),
  maxAnswers: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 5,
      description: 'Answers to one address within five minutes. More would mean that another program answers the bot',
    }),
  ),
})

/** The configuration of one mailbox. */
export type MailConfig = Static<typeof MailConfig>
