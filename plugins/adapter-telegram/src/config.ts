import { Type, type Static } from '@mynah/contract/type'

/** Telegram's own server. */
export const API_ROOT = 'https://api.telegram.org'

/** Types of updates that this adapter understands. */
export const UPDATES = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'message_reaction',
  'callback_query',
  'chat_join_request',
  'my_chat_member',
  'chat_member',
] as const

export const TelegramConfig = Type.Object({
  token: Type.String({
    pattern: '^[0-9]{1,20}:[A-Za-z0-9_-]{1,128}$',
    secret: true,
    description: 'Token of the bot, from @BotFather',
  }),
  apiRoot: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s?#]*[^\\s?#/]$',
      maxLength: 2048,
      default: API_ROOT,
      description: 'Address of the Bot API, for your own server. It has no slash at the end',
    }),
  ),
  mode: Type.Optional(
    Type.Enum(['polling', 'webhook'], {
      default: 'polling',
      description: 'Whether the bot polls for updates, or Telegram calls the host',
    }),
  ),
  publicUrl: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s?#]+$',
      maxLength: 2048,
      description: 'Public address of this host, for the mode webhook. `/webhook/telegram/<id>` is appended',
      examples: ['https://bot.example.com'],
    }),
  ),
  webhookSecret: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{16,256}$',
      secret: true,
      description:
        'Secret that Telegram must send with each call, for the mode webhook. The default is derived from the token',
    }),
  ),
  allowedUpdates: Type.Optional(
    Type.Array(Type.Enum(UPDATES), {
      minItems: 1,
      uniqueItems: true,
      default: [...UPDATES],
      description: 'Kinds of updates to receive',
    }),
  ),
  menu: Type.Optional(
    Type.Boolean({
      default: false,
      basic: true,
      description: 'Shows the commands in the menu of the chats, in place of the menu that @BotFather has set',
    }),
  ),
})

/** The configuration of one account. */
export type TelegramConfig = Required<
  Pick<Static<typeof TelegramConfig>, 'token' | 'apiRoot' | 'mode' | 'allowedUpdates' | 'menu'>
> &
  Pick<Static<typeof TelegramConfig>, 'publicUrl' | 'webhookSecret'>
