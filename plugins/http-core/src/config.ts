// The section `http` of the configuration.
import { Type, type Static } from '@mynah/contract/type'
import { DEFAULT_API_PREFIX, DEFAULT_HTTP_PORT } from '@mynah/contract'

const Token = (description: string) => Type.String({ description, minLength: 1, maxLength: 1024, secret: true })

export const HttpConfig = Type.Object(
  {
    host: Type.String({
      description: 'Address to listen on; anything but loopback needs strong tokens',
      default: '127.0.0.1',
      minLength: 1,
      maxLength: 255,
    }),
    port: Type.Integer({
      description: 'Port to listen on; 0 takes any',
      default: DEFAULT_HTTP_PORT,
      minimum: 0,
      maximum: 65_535,
    }),
    base: Type.String({
      description: 'Prefix of the management API: begins with / and ends without one; not /, /pub, /entries or /@dev',
      default: DEFAULT_API_PREFIX,
      maxLength: 128,
      pattern: '^(?!/(pub|entries|@dev)$)(/[\\w@~-][\\w.@~-]*)+$',
    }),
    token: Type.Optional(
      Type.String({
        description: 'Bearer token of full scope; without it HTTP_TOKEN counts, else one is generated',
        maxLength: 1024,
        secret: true,
        mayBeUnset: true,
      }),
    ),
    tokens: Type.Array(
      Type.Object(
        {
          token: Token('The token'),
          scope: Type.Enum(['full', 'demo', 'monitor'], {
            description: 'demo may only look around and use the sandbox, monitor only read health and figures',
          }),
          name: Type.String({ description: 'What the log calls its holder', minLength: 1, maxLength: 64 }),
        },
        { additionalProperties: false },
      ),
      { description: 'Further tokens', default: [], maxItems: 1000 },
    ),
    corsOrigins: Type.Array(
      Type.String({
        pattern: '^[A-Za-z][A-Za-z0-9+.-]*://[^/\\s*]+$',
        maxLength: 512,
        examples: ['http://localhost:5173'],
      }),
      {
        description: 'Exact origins whose pages may call this host',
        default: [],
        maxItems: 1000,
      },
    ),
    hosts: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
      description: 'Host names beside the loopback ones that a request to a loopback address may carry',
      default: [],
      maxItems: 1000,
    }),
    trustedProxies: Type.Array(Type.String({ minLength: 1, maxLength: 64, examples: ['10.0.0.0/8'] }), {
      description: 'Addresses or ranges whose X-Forwarded-For is believed',
      default: [],
      maxItems: 1000,
    }),
    bodyLimit: Type.Integer({
      description: 'Bytes that a request body may have',
      default: 1_048_576,
      minimum: 1024,
      maximum: 268_435_456,
    }),
    rateLimit: Type.Integer({
      description: 'Requests a minute of each token of full scope; callers on this machine are not counted',
      default: 6_000,
      minimum: 60,
      maximum: 1_000_000,
    }),
    serveClientHost: Type.Optional(Type.Literal(false, { description: 'The host serves no user interface' })),
  },
  { additionalProperties: false, description: 'HTTP server and access to it' },
)
export type HttpConfig = Static<typeof HttpConfig>
