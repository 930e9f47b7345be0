import { Type, type Static } from '@mynah/contract/type'

export const OneBotConfig = Type.Object({
  mode: Type.Optional(
    Type.Enum(['reverse', 'forward', 'http'], {
      default: 'reverse',
      basic: true,
      description:
        'Which side connects. reverse: the OneBot server connects to this host (in NapCat: WebSocket client). ' +
        'forward: this host connects to it (WebSocket server). http: both sides send requests',
    }),
  ),
  url: Type.Optional(
    Type.String({
      pattern: '^(?:ws|http)s?://[^\\s?#]+$',
      maxLength: 2048,
      basic: true,
      description: 'Address of the OneBot server, for the modes forward (ws://) and http (http://)',
      examples: ['ws://127.0.0.1:3001'],
    }),
  ),
  token: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{8,256}$',
      secret: true,
      basic: true,
      description:
        'The access token of the OneBot server, the same as in its network settings. ' +
        'The mode reverse needs it: `openssl rand -hex 32` makes one',
    }),
  ),
  secret: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{8,256}$',
      secret: true,
      description:
        'Key of the signatures of posts, for the mode http. It is the secret of the HTTP client in the server',
    }),
  ),
  selfId: Type.Optional(
    Type.String({
      pattern: '^\\d{5,20}$',
      basic: true,
      description: 'QQ number of the bot. Another account that connects is refused',
    }),
  ),
  history: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 50,
      default: 0,
      description:
        'Messages of each group that are read again after a lost connection, where the server has ' +
        '`get_group_msg_history`. 0: none',
    }),
  ),
  pacing: Type.Optional(
    Type.Object(
      {
        burst: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 1_000, default: 3, description: 'Messages sent at once' }),
        ),
        perSecond: Type.Optional(
          Type.Number({ exclusiveMinimum: 0, maximum: 1_000, default: 1, description: 'Messages a second after that' }),
        ),
      },
      { description: 'How fast messages are sent in each chat. QQ restricts accounts that send too fast' },
    ),
  ),
})

/** The configuration of one account. */
export type OneBotConfig = Static<typeof OneBotConfig>

/** Returns what an account lacks for its mode, in one sentence. */
export function configMistake(
  { mode = 'reverse', url, token, secret }: OneBotConfig,
  hasServer: boolean,
): string | undefined {
  if (mode === 'reverse' && token === undefined)
    return 'The mode reverse needs `token`, the same as in the OneBot server: everybody could connect without it'
  if (mode === 'http' && secret === undefined)
    return 'The mode http needs `secret`, the same as in the OneBot server: everybody could post events without it'
  if (mode !== 'reverse' && url === undefined) return `The mode ${mode} needs \`url\`, the address of the OneBot server`
  if (mode === 'forward' && !/^wss?:/.test(url as string))
    return 'The mode forward needs a `url` that begins with ws:// or wss://'
  if (mode === 'http' && !/^https?:/.test(url as string))
    return 'The mode http needs a `url` that begins with http:// or https://'
  return mode === 'forward' || hasServer
    ? undefined
    : `The mode ${mode} needs the plugin http-core: nothing listens for the OneBot server`
}
