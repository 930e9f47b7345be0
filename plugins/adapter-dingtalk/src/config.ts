import { Type, type Static } from '@mynah/contract/type'

/** The address of DingTalk's own interface. */
export const API_ROOT = 'https://api.dingtalk.com'
/** The address of its older interface, which has uploads and the answers to messages. */
export const OLD_API_ROOT = 'https://oapi.dingtalk.com'

/** At most twenty messages in any minute. */
const BURST = 10
const PER_SECOND = 1 / 6

export const DingTalkConfig = Type.Object({
  clientId: Type.String({
    pattern: '^[\\w.-]{1,128}$',
    description: 'Client ID of the application (formerly AppKey), from its page Credentials and Basic Information',
  }),
  clientSecret: Type.String({
    pattern: '^[\\x21-\\x7e]{8,256}$',
    secret: true,
    description: 'Client Secret of the application (formerly AppSecret), from the same page',
  }),
  apiRoot: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s?#]*[^\\s?#/]$',
      maxLength: 2048,
      default: API_ROOT,
      description:
        'Address of the interface, for a proxy. Another one than the default also takes the place of ' +
        '`https://oapi.dingtalk.com`. It has no slash at the end',
    }),
  ),
  pacing: Type.Optional(
    Type.Object(
      {
        burst: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 1_000, default: BURST, description: 'Messages sent at once' }),
        ),
        perMinute: Type.Optional(
          Type.Number({
            exclusiveMinimum: 0,
            maximum: 60_000,
            default: 60 * PER_SECOND,
            description: 'Messages a minute after that',
          }),
        ),
      },
      {
        description:
          'How fast messages are sent in each chat. DingTalk takes 20 a minute in a group, and after more than that ' +
          'none for ten minutes',
      },
    ),
  ),
})

/** The configuration of one account. */
export type DingTalkConfig = Static<typeof DingTalkConfig>

/** Returns the rate of sending of an account. */
export const pacingOf = ({ pacing = {} }: Pick<DingTalkConfig, 'pacing'>) =>
  ({
    burst: pacing.burst ?? BURST,
    perSecond: (pacing.perMinute ?? 60 * PER_SECOND) / 60,
    per: 'channel',
  }) as const
