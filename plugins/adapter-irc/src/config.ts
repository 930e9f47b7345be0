import { Type, type Static } from '@mynah/contract/type'

const Word = (description: string, pattern: string, examples: string[]) =>
  Type.String({ description, pattern, maxLength: 64, examples })
/** Text without line ends and NUL, which would end the line and start a command. */
const ONE_LINE = '^[^\\r\\n\\u0000]+$'

export const IrcConfig = Type.Object({
  host: Type.String({
    minLength: 1,
    maxLength: 253,
    pattern: '^\\S+$',
    description: 'Name or address of the server',
    examples: ['irc.libera.chat'],
  }),
  port: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 65_535, basic: true, description: 'Default 6697 with TLS, 6667 without' }),
  ),
  tls: Type.Optional(Type.Boolean({ default: true, basic: true, description: 'Whether the connection is encrypted' })),
  tlsInsecure: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Accepts any certificate. An attacker between host and server can then read and change everything',
    }),
  ),
  ca: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 65_536,
      description: 'Certificate in PEM format of a self-signed server',
    }),
  ),
  nick: Word(
    'Name of the bot. While it is taken, the bot uses another one, such as mynah_',
    '^[^\\s\\u0000-\\u001f0-9:#&+!@,*?$~%.-][^\\s\\u0000-\\u001f:!@,*?.]*$',
    ['mynah'],
  ),
  username: Type.Optional(
    Word('User part of the address of the bot. The default is the nick', '^[^\\s\\u0000-\\u001f:@]+$', ['mynah']),
  ),
  realname: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      pattern: ONE_LINE,
      description: 'Name shown by /whois. The default is the nick',
    }),
  ),
  password: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      pattern: ONE_LINE,
      secret: true,
      description: 'Password of the server or bouncer',
    }),
  ),
  sasl: Type.Optional(
    Type.Object(
      {
        account: Type.String({ minLength: 1, maxLength: 255, description: 'Name of the account' }),
        password: Type.String({ minLength: 1, maxLength: 512, secret: true, description: 'Password of the account' }),
      },
      {
        additionalProperties: false,
        description: 'Account with the services of the network. The bot does not connect if the login fails',
      },
    ),
  ),
  channels: Type.Optional(
    Type.Array(
      Type.String({
        pattern: '^[^\\s,:\\u0000-\\u001f]+( [^\\s,:\\u0000-\\u001f]+)?$',
        maxLength: 200,
        examples: ['#mynah'],
      }),
      {
        default: [],
        basic: true,
        maxItems: 200,
        description: 'Channels to join. The key of a channel follows its name after a space',
        examples: [['#mynah', '#private key']],
      },
    ),
  ),
  rejoin: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 3_600,
      default: 5,
      description:
        'Seconds until the bot joins a channel again after a kick. The delay doubles with each kick in a row, ' +
        'up to ten minutes. With 0 the bot stays out',
    }),
  ),
  identify: Type.Optional(
    Type.Enum(['nick', 'account'], {
      default: 'nick',
      description:
        'Identity of a user: the nick, which anyone can take while it is free, or the account with the services',
    }),
  ),
  pacing: Type.Optional(
    Type.Object(
      {
        burst: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 1_000, default: 5, description: 'Lines sent at once' }),
        ),
        perSecond: Type.Optional(
          Type.Number({ exclusiveMinimum: 0, maximum: 1_000, default: 1, description: 'Lines per second after that' }),
        ),
      },
      {
        additionalProperties: false,
        description: 'How fast lines are sent. Servers disconnect clients that send too fast',
      },
    ),
  ),
  pingTimeout: Type.Optional(
    Type.Number({
      minimum: 1,
      maximum: 3_600,
      default: 90,
      description: 'Seconds without data from the server after which the connection counts as lost',
    }),
  ),
  quitMessage: Type.Optional(
    Type.String({
      minLength: 1,
      // In UTF-8 still shorter than a line.
      maxLength: 120,
      pattern: ONE_LINE,
      default: 'Goodbye',
      description: 'Text that others see when the bot disconnects',
    }),
  ),
})
export type IrcConfig = Static<typeof IrcConfig>

/** Returns the defaults of nested objects, which the schema fills in only where the object is given. */
export const pacingOf = ({ pacing }: IrcConfig): { readonly burst: number; readonly perSecond: number } => ({
  burst: pacing?.burst ?? 5,
  perSecond: pacing?.perSecond ?? 1,
})
