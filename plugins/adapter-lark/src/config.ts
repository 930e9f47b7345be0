import { Type, type Static } from '@mynah/contract/type'

/** The address of Feishu. */
export const DOMAIN = 'https://open.feishu.cn'

const secret = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{8,256}$', secret: true, description }))

export const LarkConfig = Type.Object({
  appId: Type.String({
    pattern: '^cli_[0-9a-zA-Z]{8,64}$',
    description: 'App ID of the application, from its page Credentials & Basic Info',
  }),
  appSecret: Type.String({
    pattern: '^[\\x21-\\x7e]{8,256}$',
    secret: true,
    description: 'App Secret of the application, from the same page',
  }),
  domain: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s?#]*[^\\s?#/]$',
      maxLength: 2048,
      default: DOMAIN,
      basic: true,
      description:
        'Address of the platform. Lark outside of China has `https://open.larksuite.com`. No slash at the end',
    }),
  ),
  mode: Type.Optional(
    Type.Enum(['socket', 'webhook'], {
      default: 'socket',
      basic: true,
      description: '`socket`: this host connects. `webhook`: the platform posts to `/webhook/lark/<id>` of this host',
    }),
  ),
  encryptKey: secret('Encrypt Key of the page Events & Callbacks. The mode webhook needs it for signatures'),
  verificationToken: secret('Verification Token of the same page. Where it is given, every event must have it'),
})

/** The configuration of one account. */
export type LarkConfig = Static<typeof LarkConfig>
