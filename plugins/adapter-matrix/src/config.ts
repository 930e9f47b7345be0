import { Type, type Static } from '@mynah/contract/type'

export const MatrixConfig = Type.Object({
  homeserver: Type.String({
    pattern: '^https?://[^\\s?#]*[^\\s?#/]$',
    maxLength: 2048,
    description: 'Address of the homeserver, without a slash at the end. Element shows it in Settings, Help & About',
    examples: ['https://matrix.example.org'],
  }),
  user: Type.Optional(
    Type.String({
      pattern: '^@?[^\\s:@]+(:[^\\s@]+)?$',
      maxLength: 255,
      basic: true,
      description: 'Name of the account, such as `mynah` or `@mynah:example.org`. Needs `password`',
    }),
  ),
  password: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      secret: true,
      basic: true,
      description: 'Password of the account, as it was set when the account was created',
    }),
  ),
  token: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,2048}$',
      secret: true,
      basic: true,
      description:
        'Access token, in place of `user` and `password`. Element shows it in Settings, Help & About, Advanced. ' +
        'It ends when that client signs out',
    }),
  ),
  autoJoin: Type.Optional(
    Type.Enum(['master', 'all', 'none'], {
      default: 'master',
      basic: true,
      description: 'Users whose invitations the bot accepts by itself. Other invitations are requests in the console',
    }),
  ),
  replies: Type.Optional(
    Type.Enum(['channel', 'thread'], {
      default: 'channel',
      basic: true,
      description: 'Whether the bot answers a message of a room in the room, or in a thread of that message',
    }),
  ),
  privateMedia: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Also fetches media that the bot sends from addresses of private networks and of this machine',
    }),
  ),
})

/** The configuration of one account. */
export type MatrixConfig = Static<typeof MatrixConfig> & { readonly master?: string | readonly string[] }
