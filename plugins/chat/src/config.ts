import { Type, type Static } from '@mynah/contract/type'
import type { Mistake } from '@mynah/kernel'
import { LOCALES, type Locale } from './api/languages.js'

const people = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description }))

/** Keys of an endpoint that every adapter has. The others belong to the adapter. */
export const endpointKeys = {
  adapter: Type.String({ minLength: 1, description: 'Name of the adapter' }),
  id: Type.String({ minLength: 1, maxLength: 128, description: 'Name of the endpoint in lists and calls' }),
  enabled: Type.Optional(Type.Boolean({ default: true, description: 'Whether the account is used' })),
  master: people('Ids of the users who own this bot'),
  trusted: people('Ids of users who may do more than others'),
  permissionLevel: Type.Optional(Type.Unknown({ deprecated: true, description: 'Removed: use master and trusted' })),
  outboundMedia: Type.Optional(
    Type.Enum(['file', 'base64'], {
      default: 'file',
      description: 'How media leave: by path on the same machine, or by their bytes',
    }),
  ),
}

export const EndpointsConfig = Type.Array(Type.Object(endpointKeys), {
  default: [],
  description: 'Accounts of bots on platforms; further keys are those of the adapter',
})

export const DispatcherConfig = Type.Object(
  {
    mode: Type.Optional(
      Type.Enum(['exclusive', 'dual'], {
        default: 'exclusive',
        description: 'Whether a matched command keeps the AI from answering',
      }),
    ),
    order: Type.Optional(
      Type.Enum(['command-first', 'ai-first'], {
        default: 'command-first',
        description: 'In dual mode: which of commands and the AI decides first',
      }),
    ),
    allowDualReply: Type.Optional(Type.Boolean({ default: false, description: 'In dual mode: both may answer' })),
  },
  { additionalProperties: false },
)

export const CommandsConfig = Type.Object(
  {
    prefix: Type.Optional(
      Type.String({ minLength: 1, maxLength: 16, default: '/', description: 'What a command begins with' }),
    ),
    locale: Type.Optional(
      Type.Enum([...LOCALES], {
        default: 'en',
        description: 'Language of replies where the platform does not tell the user’s',
      }),
    ),
    slowAfter: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 86_400,
        default: 60,
        description: 'Seconds after which a command or middleware that has not ended is told in log and trace',
      }),
    ),
    rateLimit: Type.Optional(
      Type.Object(
        {
          count: Type.Integer({ minimum: 1, description: 'How many' }),
          seconds: Type.Number({ exclusiveMinimum: 0, description: 'In how many seconds' }),
        },
        { additionalProperties: false, description: 'Commands that one user may call' },
      ),
    ),
  },
  { additionalProperties: false },
)

export type DispatcherConfig = Required<Static<typeof DispatcherConfig>>
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
