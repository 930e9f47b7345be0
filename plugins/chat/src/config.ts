import { Type, type Static } from '@mynah/contract/type'
import type { Mistake } from '@mynah/kernel'
import { AccessRules } from './api/access.js'
import { LOCALES, type Locale } from './api/languages.js'

const people = (description: string, more: { readonly basic?: true } = {}) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description, ...more }))

/** Keys of an endpoint that every adapter has. The others belong to the adapter. */
export const endpointKeys = {
  adapter: Type.String({ minLength: 1, description: 'Name of the adapter' }),
  id: Type.String({
    minLength: 1,
    maxLength: 128,
    // A log line and a terminal show it: no control characters, and none that change the writing direction.
    pattern: '^[^\\x00-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069]{1,128}$',
    description: 'Id of the endpoint, unique for its adapter, without control characters',
  }),
  enabled: Type.Optional(Type.Boolean({ default: true, description: 'Whether the endpoint connects' })),
  master: people('Platform ids of the owners of this bot', { basic: true }),
  trusted: people('Platform ids of users with more rights than others'),
  permissionLevel: Type.Optional(
    Type.Unknown({ deprecated: true, description: 'Has no effect. Use master and trusted' }),
  ),
  access: Type.Optional(AccessRules),
  bots: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether messages of other bots are handled. Two bots may answer each other without end',
    }),
  ),
  hosts: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: 64,
      description: 'Names of the hosts of a cluster that may run it, the preferred one first; default: all',
    }),
  ),
  outboundMedia: Type.Optional(
    Type.Enum(['file', 'base64'], {
      default: 'file',
      description: 'Sends media as a path for platforms on the same machine, or as bytes',
    }),
  ),
}

export const EndpointsConfig = Type.Array(Type.Object(endpointKeys), {
  default: [],
  description: 'Accounts of bots on platforms. Each may have further options of its adapter',
})

export const DispatcherConfig = Type.Object(
  {
    mode: Type.Optional(
      Type.Enum(['exclusive', 'dual'], {
        default: 'exclusive',
        description: 'exclusive: a command answers instead of the AI. dual: both can match, in the order of `order`',
      }),
    ),
    order: Type.Optional(
      Type.Enum(['command-first', 'ai-first'], {
        default: 'command-first',
        description: 'In dual mode: whether commands or the AI are tried first',
      }),
    ),
    allowDualReply: Type.Optional(
      Type.Boolean({ default: false, description: 'In dual mode: lets the second answer too' }),
    ),
    loop: Type.Optional(
      Type.Object(
        {
          exchanges: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 1_000,
              default: 8,
              description: 'Answers in a row that a user may answer at once before the AI pauses; 0 is no limit',
            }),
          ),
          seconds: Type.Optional(
            Type.Number({
              exclusiveMinimum: 0,
              maximum: 3_600,
              default: 60,
              description: 'Time in which these count, and length of the first pause, in seconds',
            }),
          ),
          answeredWithin: Type.Optional(
            Type.Number({
              exclusiveMinimum: 0,
              maximum: 3_600,
              default: 10,
              description: 'Seconds within which an answer counts as answered at once',
            }),
          ),
        },
        {
          additionalProperties: false,
          description: 'Ends endless conversations with other bots. Commands and owners are answered always',
        },
      ),
    ),
  },
  { additionalProperties: false },
)

export const CommandsConfig = Type.Object(
  {
    prefix: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 16,
        default: '/',
        description: 'Characters before the name of a command',
      }),
    ),
    locale: Type.Optional(
      Type.Enum([...LOCALES], {
        default: 'en',
        description: 'Language of replies to users whose platform reports no language',
      }),
    ),
    slowAfter: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 86_400,
        default: 60,
        description: 'Seconds after which a running command or middleware is reported as slow in the log and the trace',
      }),
    ),
    rateLimit: Type.Optional(
      Type.Object(
        {
          count: Type.Integer({ minimum: 1, description: 'Number of calls' }),
          seconds: Type.Number({ exclusiveMinimum: 0, description: 'Length of the time window, in seconds' }),
        },
        { additionalProperties: false, description: 'Limits the calls of each user. Without it there is no limit' },
      ),
    ),
  },
  { additionalProperties: false },
)

type Dispatching = Static<typeof DispatcherConfig>
export type DispatcherConfig = Required<Omit<Dispatching, 'loop'>> & Pick<Dispatching, 'loop'>
export type CommandsConfig = Static<typeof CommandsConfig> & { prefix: string; locale: Locale; slowAfter: number }
export type EndpointConfig = Static<typeof EndpointsConfig>[number] & Record<string, unknown>

/** Returns a mistake for each endpoint whose adapter and id an earlier one has already. */
export function duplicateEndpoints(endpoints: readonly Static<typeof EndpointsConfig>[number][]): Mistake[] {
  const seen = new Map<string, number>()
  const mistakes: Mistake[] = []
  for (const [index, { adapter, id, enabled }] of endpoints.entries()) {
    if (enabled === false) continue
    const key = JSON.stringify([adapter, id])
    const first = seen.get(key)
    if (first === undefined) seen.set(key, index)
    else
      mistakes.push({
        path: `endpoints[${index}].id`,
        message:
          `"${id}" of the adapter ${adapter} is endpoints[${first}] already; ` +
          'give it another id, or disable one of the two',
      })
  }
  return mistakes
}

/** Returns a value that may be one or many as a list. */
export const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : (value ?? [])
