import { Type, type Static } from '@mynah/contract/type'

/** The address of Slack's own Web API. */
export const API_ROOT = 'https://slack.com/api'

export const SlackConfig = Type.Object({
  botToken: Type.String({
    pattern: '^xoxb-[\\w-]{8,250}$',
    secret: true,
    description: 'Bot User OAuth Token of the app, from its page OAuth & Permissions. It begins with `xoxb-`',
  }),
  appToken: Type.Optional(
    Type.String({
      pattern: '^xapp-[\\w-]{8,250}$',
      secret: true,
      basic: true,
      description:
        'App-Level Token with the scope `connections:write`, for Socket Mode: the host then needs no public address',
    }),
  ),
  signingSecret: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{32}$',
      secret: true,
      basic: true,
      description:
        'Signing Secret of the app, where Slack calls `<address of the host>/webhook/slack/<id of the endpoint>`. ' +
        'Not used together with `appToken`',
    }),
  ),
  replies: Type.Optional(
    Type.Enum(['channel', 'thread'], {
      default: 'thread',
      basic: true,
      description: 'Whether the bot answers a message of a channel in the channel, or in a thread of that message',
    }),
  ),
  apiRoot: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s?#]*[^\\s?#/]$',
      maxLength: 2048,
      default: API_ROOT,
      description: 'Address of the Web API, for a proxy. It has no slash at the end',
    }),
  ),
})

/** The configuration of one account. */
export type SlackConfig = Static<typeof SlackConfig>
