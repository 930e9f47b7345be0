import { Type, type Static } from '@mynah/contract/type'

/** The address of Discord's own REST interface. */
export const API_ROOT = 'https://discord.com/api/v10'

/** Bits of what the gateway may send. */
export const INTENTS = {
  guilds: 1 << 0,
  members: 1 << 1,
  moderation: 1 << 2,
  messages: 1 << 9,
  reactions: 1 << 10,
  directMessages: 1 << 12,
  directReactions: 1 << 13,
  messageContent: 1 << 15,
} as const
type Intent = keyof typeof INTENTS

const USUAL: readonly Intent[] = [
  'guilds',
  'messages',
  'reactions',
  'directMessages',
  'directReactions',
  'messageContent',
]

export const DiscordConfig = Type.Object({
  token: Type.String({
    pattern: '^[\\w.-]{20,200}$',
    secret: true,
    description: 'Token of the bot, from the page Bot of the Developer Portal',
  }),
  applicationId: Type.Optional(
    Type.String({
      pattern: '^\\d{5,20}$',
      description: 'Id of the application, from its page General Information. By default Discord is asked for it',
    }),
  ),
  intents: Type.Optional(
    Type.Array(Type.Enum(Object.keys(INTENTS) as Intent[]), {
      minItems: 1,
      uniqueItems: true,
      default: [...USUAL],
      description:
        'Kinds of events that Discord sends to the bot. `messageContent` and `members` must be switched on in the Developer Portal',
    }),
  ),
  slash: Type.Optional(
    Type.String({
      pattern: '^(?:none|global|\\d{5,20})$',
      default: 'none',
      basic: true,
      description:
        'Where the commands are slash commands, in place of those that the application has: `none`, `global`, or the ' +
        'id of one server',
    }),
  ),
  replies: Type.Optional(
    Type.Enum(['channel', 'thread'], {
      default: 'channel',
      basic: true,
      description: 'Whether the bot answers a message of a server in its channel, or in a thread of that message',
    }),
  ),
  apiRoot: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s?#]*[^\\s?#/]$',
      maxLength: 2048,
      default: API_ROOT,
      description: 'Address of the REST interface with its version, for a proxy. It has no slash at the end',
    }),
  ),
})

/** The configuration of one account. */
export type DiscordConfig = Static<typeof DiscordConfig>

/** Returns the intents of an account as Discord's number. */
export const intentsOf = ({ intents }: Pick<DiscordConfig, 'intents'>): number =>
  (intents ?? USUAL).reduce((bits, name) => bits | INTENTS[name], 0)
