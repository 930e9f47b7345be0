import { Type, type Static } from '@mynah/contract/type'
import { DEFAULT_API_PREFIX, DEFAULT_HTTP_PORT } from '@mynah/contract'

const Token = (description: string) => Type.String({ description, minLength: 1, maxLength: 1024, secret: true })

export const HttpConfig = Type.Object(
  {
    host: Type.String({
      description: 'Address to listen on; an address other than loopback requires strong tokens',
      default: '127.0.0.1',
      minLength: 1,
      maxLength: 255,
    }),
    port: Type.Integer({
      description: 'Port to listen on; 0 selects any free port',
      default: DEFAULT_HTTP_PORT,
      minimum: 0,
      maximum: 65_535,
    }),
    base: Type.String({
      description:
        'Prefix of the management API; starts with / and does not end with /; not /, /pub, /entries or /@dev',
      default: DEFAULT_API_PREFIX,
      maxLength: 128,
      pattern: '^(?!/(pub|entries|@dev)$)(/[\\w@~-][\\w.@~-]*)+$',
    }),
    token: Type.Optional(
      Type.String({
        description: 'Bearer token of full scope; default: HTTP_TOKEN, or else a generated token',
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
            description: 'demo may look around and use the sandbox; monitor may read health and metrics',
          }),
          name: Type.String({ description: 'Name of the holder in the log', minLength: 1, maxLength: 64 }),
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
      description: 'Additional host names that a request to a loopback address may use',
      default: [],
      maxItems: 1000,
    }),
    trustedProxies: Type.Array(Type.String({ minLength: 1, maxLength: 64, examples: ['10.0.0.0/8'] }), {
      description: 'Addresses or ranges of proxies whose X-Forwarded-For is trusted',
      default: [],
      maxItems: 1000,
    }),
    bodyLimit: Type.Integer({
      description: 'Maximum size of a request body in bytes',
      default: 1_048_576,
      minimum: 1024,
      maximum: 268_435_456,
    }),
    rateLimit: Type.Integer({
      description: 'Requests a minute that each token of full scope may make; callers on this machine are not counted',
      default: 6_000,
      minimum: 60,
      maximum: 1_000_000,
    }),
    serveClientHost: Type.Optional(Type.Literal(false, { description: 'The host serves no user interface' })),
  },
  { additionalProperties: false, description: 'HTTP server and access to it' },
)
export type HttpConfig = Static<typeof HttpConfig>
