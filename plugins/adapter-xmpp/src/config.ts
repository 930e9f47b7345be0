import { Type, type Static } from '@mynah/contract/type'

export const XmppConfig = Type.Object({
  jid: Type.String({
    pattern: '^[^@/\\s<>&"\']{1,255}@[^@/\\s<>&"\']{1,255}$',
    maxLength: 512,
    description: 'Address of the account, such as `mynah@example.org`, as it was registered at the server',
  }),
  password: Type.String({
    minLength: 1,
    maxLength: 512,
    secret: true,
    description: 'Password of the account',
  }),
  service: Type.Optional(
    Type.String({
      pattern: '^xmpps?://[^\\s/?#@]+$',
      maxLength: 512,
      description: 'Address of the server, where the DNS records of the domain do not name it',
      examples: ['xmpp://127.0.0.1:5222', 'xmpps://xmpp.example.org:5223'],
    }),
  ),
  resource: Type.Optional(
    Type.String({
      pattern: '^[\\w.-]{1,64}$',
      default: 'mynah',
      description: 'Name of this session. Two endpoints of one account need two',
    }),
  ),
  rooms: Type.Optional(
    Type.Array(Type.String({ pattern: '^[^@/\\s<>&"\']{1,255}@[^@/\\s<>&"\']{1,255}$' }), {
      maxItems: 200,
      default: [],
      basic: true,
      description:
        'Rooms to join, such as `town@rooms.example.org`. A client shows the address in the settings of a room',
    }),
  ),
  nick: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[^\\x00-\\x1f/]+$',
      basic: true,
      description: 'Name of the bot in rooms. The default is the part of `jid` before the @',
    }),
  ),
  insecure: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Also connects without encryption, for a server on this machine. The password is never sent in the clear',
    }),
  ),
})

/** The configuration of one account. */
export type XmppConfig = Static<typeof XmppConfig>
