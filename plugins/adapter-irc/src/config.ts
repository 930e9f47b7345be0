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
    Type.Integer({ minimum: 1, maximum: 65_535, description: 'Default 6697 with TLS, 6667 without' }),
  ),
  tls: Type.Optional(Type.Boolean({ default: true, description: 'Whether the connection is encrypted' })),
  tlsInsecure: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Accepts any certificate: whoever stands in between can read and write everything',
    }),
  ),
  ca: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 65_536,
      description: 'Certificate in PEM form by which a self-signed server is recognised',
    }),
  ),
  nick: Word(
    'Name of the bot; while it is taken another one, such as mynah_, and its own as soon as it is free',
    '^[^\\s\\u0000-\\u001f0-9:#&+!@,*?$~%.-][^\\s\\u0000-\\u001f:!@,*?.]*$',
    ['mynah'],
  ),
  username: Type.Optional(
    Word('User part of the bot’s address; default the nick', '^[^\\s\\u0000-\\u001f:@]+$', ['mynah']),
  ),
  realname: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, pattern: ONE_LINE, description: 'Shown by /whois; default the nick' }),
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
        password: Type.String({ minLength: 1, maxLength: 512, secret: true, description: 'Its password' }),
      },
      {
        additionalProperties: false,
        description: 'Account with the services of the network; without its login the bot does not connect',
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
        maxItems: 200,
        description: 'Channels to join; a key follows its channel after a space',
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
        'Seconds until the bot enters a channel again that it was kicked from, doubled each time in a row up to ten minutes; 0 stays out',
    }),
  ),
  identify: Type.Optional(
    Type.Enum(['nick', 'account'], {
      default: 'nick',
      description: 'Who a user is: the nick, which anyone can take while it is free, or the account with the services',
    }),
  ),
  pacing: Type.Optional(
    Type.Object(
      {
        burst: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 1_000, default: 5, description: 'Lines sent at once' }),
        ),
        perSecond: Type.Optional(
          Type.Number({ exclusiveMinimum: 0, maximum: 1_000, default: 1, description: 'Lines each second after that' }),
        ),
      },
      { additionalProperties: false, description: 'How fast lines are sent; servers throw out who floods' },
    ),
  ),
  pingTimeout: Type.Optional(
    Type.Number({
      minimum: 1,
      maximum: 3_600,
      default: 90,
      description: 'Seconds of silence after which the server counts as gone',
    }),
  ),
})
export type IrcConfig = Static<typeof IrcConfig>

/** Returns the defaults of nested objects, which the schema fills in only where the object is given. */
export const pacingOf = ({ pacing }: IrcConfig): { readonly burst: number; readonly perSecond: number } => ({
  burst: pacing?.burst ?? 5,
  perSecond: pacing?.perSecond ?? 1,
})
