// The section `ai`: providers and their common settings. Keys of other plugins are accepted unread, because those
// may be disabled.
import { closestMatch, type Mistake } from '@mynah/kernel'
import { Type, type Static } from '@mynah/contract/type'
import { baseAddress } from './base-address.js'

/** The six families. */
export const FAMILIES = ['openai', 'anthropic', 'google', 'deepseek', 'ollama', 'openai-compatible'] as const
/** The name of a family of providers, the value of `sdk`. */
export type FamilyName = (typeof FAMILIES)[number]

/** Fields of a chat completion without which there is no request. */
export const ESSENTIAL_FIELDS: readonly string[] = ['model', 'messages', 'stream', 'tools']

/** The configuration of a provider. */
export const ProviderConfig = Type.Object({
  sdk: Type.Optional(
    Type.Enum([...FAMILIES], {
      basic: true,
      description: 'Family of the provider; required. Use `openai-compatible` for relays and self-hosted servers',
    }),
  ),
  apiKey: Type.Optional(
    Type.Union(
      [Type.String({ secret: true }), Type.Array(Type.String({ secret: true, minLength: 1 }), { minItems: 1 })],
      {
        secret: true,
        basic: true,
        description:
          'API key, usually as `${NAME}`. Keys of a list are used in turn. Default: the environment variable of the family',
      },
    ),
  ),
  baseUrl: Type.Optional(
    Type.String({
      minLength: 1,
      basic: true,
      description: 'Base address with http:// or https://. Default: that of the family',
    }),
  ),
  host: Type.Optional(Type.String({ minLength: 1, description: 'Address of ollama. Default: 127.0.0.1:11434' })),
  models: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      description: 'Names of the models. By default they are discovered',
    }),
  ),
  contextWindow: Type.Optional(
    Type.Integer({ minimum: 256, description: 'Context window of every model, in tokens. Ollama gets it as num_ctx' }),
  ),
  num_ctx: Type.Optional(Type.Integer({ minimum: 256, description: 'The same as contextWindow, for ollama only' })),
  capabilities: Type.Optional(
    Type.Object(
      {
        vision: Type.Optional(Type.Boolean({ description: 'The models see pictures. Default: as discovered' })),
        streaming: Type.Optional(
          Type.Boolean({ description: 'The models stream their answers. Default: as discovered' }),
        ),
        toolCalling: Type.Optional(Type.Boolean({ description: 'The models call tools. Default: as discovered' })),
        thinking: Type.Optional(
          Type.Boolean({ description: 'The models reason before they answer. Default: as discovered' }),
        ),
      },
      { additionalProperties: false },
    ),
  ),
  imageGeneration: Type.Optional(
    Type.Object(
      {
        defaultModel: Type.Optional(
          Type.String({ description: 'Model for pictures when a request names none. Default: that of the family' }),
        ),
        defaultSize: Type.Optional(Type.String({ description: 'Size of pictures, such as `1024x1024`' })),
        promptSuffix: Type.Optional(Type.String({ description: 'Text that is added to every prompt' })),
        quality: Type.Optional(Type.String({ description: 'Quality of pictures, in the terms of the provider' })),
        aspectRatio: Type.Optional(Type.String({ description: 'Aspect ratio of pictures, such as `16:9`' })),
        imageSize: Type.Optional(Type.String({ description: 'Resolution of pictures, such as `2K`' })),
      },
      { additionalProperties: false },
    ),
  ),
  omit: Type.Optional(
    Type.Array(Type.String({ pattern: '^[A-Za-z_]\\w{0,63}$', examples: ['stream_options'] }), {
      description:
        'Fields that requests for chat completions leave out, such as `stream_options`, `strict` or `developer`; `alternate_roles` lets the roles of messages take turns. The host learns by itself what a model refuses',
    }),
  ),
  accountId: Type.Optional(
    Type.String({ description: 'Cloud account whose inference route makes pictures; for `openai-compatible` only' }),
  ),
  prices: Type.Optional(
    Type.Object(
      {
        input: Type.Number({
          minimum: 0,
          description: 'Price of a million input tokens. Without prices, costs are not counted',
        }),
        cachedInput: Type.Optional(
          Type.Number({ minimum: 0, description: 'Price of a million cached input tokens. Default: as `input`' }),
        ),
        output: Type.Number({ minimum: 0, description: 'Price of a million output tokens' }),
      },
      { additionalProperties: false },
    ),
  ),
})
export type ProviderConfig = Static<typeof ProviderConfig>

/** Keys of the agent's other plugins. */
const OTHERS = [
  'agents',
  'agent',
  'sessions',
  'context',
  'trigger',
  'access',
  'multimodal',
  'mcpServers',
  'memoryMcp',
  'toolbox',
  'skills',
  'memory',
  'knowledge',
  'speech',
  'defaultProvider',
] as const

export const AiConfig = Type.Object(
  {
    providers: Type.Record(Type.String(), ProviderConfig, { default: {}, description: 'Providers by alias' }),
    imageGeneration: Type.Optional(
      Type.Object(
        {
          watermarkEnabled: Type.Boolean({
            default: true,
            description: 'Add a watermark to pictures where the provider offers the choice',
          }),
        },
        { additionalProperties: false },
      ),
    ),
    budget: Type.Optional(
      Type.Object(
        {
          tokensPerDay: Type.Optional(
            Type.Integer({ minimum: 0, description: 'Maximum tokens per day, input and output together' }),
          ),
          costPerDay: Type.Optional(
            Type.Number({
              minimum: 0,
              description: 'Maximum cost per day, in the currency of `prices`. Calls without prices cost nothing',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    web: Type.Optional(
      Type.Object(
        {
          allowHosts: Type.Array(Type.String({ minLength: 1 }), {
            default: [],
            description: 'Hosts of private networks that may be fetched',
          }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { patternProperties: { [`^(?:${OTHERS.join('|')})$`]: {} }, additionalProperties: false, default: {} },
)
export type AiConfig = Static<typeof AiConfig>

const REMOVED_FIELDS = ['api', 'preset', 'spec', 'driver'] as const
const OLLAMA_FIELDS = { host: 'write baseUrl', num_ctx: 'write contextWindow' } as const
const ALIAS = /^[^\s:]{1,64}$/

/** A mistake of one provider: the field, empty for the provider itself, and the message. */
type ProviderMistake = readonly [field: string, message: string]

/** Returns the mistakes that the schema cannot find. */
export function mistakesIn(config: AiConfig): Mistake[] {
  return Object.entries(config.providers).flatMap(([alias, provider]) => {
    const path = `ai.providers.${alias}`
    const removed = removedFields(path, provider)
    // Files with removed fields have other mistakes as well, which follow from these.
    if (removed.length) return removed
    const mistakes = [
      ...unknownFields(provider),
      ...(ALIAS.test(alias) ? [] : [['', 'is no alias: it has at most 64 characters, no spaces and no ":"'] as const]),
      ...badAddresses(provider),
      ...familyMistakes(provider),
      ...badOmissions(provider),
    ]
    return mistakes.map(([field, message]) => ({ path: field ? `${path}.${field}` : path, message }))
  })
}

function removedFields(path: string, provider: ProviderConfig): Mistake[] {
  const written = provider as Readonly<Record<string, unknown>>
  return REMOVED_FIELDS.filter((field) => written[field] !== undefined).map((field) => ({
    path: `${path}.${field}`,
    message: `was removed; write ${suggestion(written[field])} in its place`,
    fatal: true,
  }))
}

function unknownFields(provider: ProviderConfig): ProviderMistake[] {
  const known = Object.keys(ProviderConfig.properties)
  return Object.keys(provider)
    .filter((field) => !known.includes(field))
    .map((field) => {
      const meant = closestMatch(field, known)
      const hint = meant ? `; did you mean "${meant}"?` : `; known are ${known.join(', ')}`
      return [field, `is not known here${hint}`]
    })
}

function badAddresses(provider: ProviderConfig): ProviderMistake[] {
  return (['baseUrl', 'host'] as const).flatMap((field) => {
    const address = provider[field]
    if (address === undefined) return []
    const parsed = baseAddress(address, provider.sdk ?? 'openai-compatible')
    if (parsed === undefined) return [[field, 'is no address of http or https']]
    const { username, password, search } = new URL(parsed)
    const mistakes: ProviderMistake[] = []
    if (username || password)
      mistakes.push([field, 'has a user name or password, which is not sent; write the key as apiKey'])
    if (search) mistakes.push([field, 'has a query, which is not sent; write the key as apiKey and leave the rest out'])
    return mistakes
  })
}

/** Returns the mistakes about fields that only some families have. */
function familyMistakes(provider: ProviderConfig): ProviderMistake[] {
  const { sdk, baseUrl, accountId } = provider
  if (!sdk) return [['sdk', `is required; it is one of ${FAMILIES.join(', ')}`]]
  const mistakes: ProviderMistake[] = []
  if (sdk === 'openai-compatible' && !baseUrl && !accountId)
    mistakes.push(['baseUrl', 'is required for openai-compatible'])
  if (sdk !== 'openai-compatible' && accountId) mistakes.push(['accountId', 'is only for openai-compatible'])
  if (sdk !== 'ollama')
    for (const field of ['host', 'num_ctx'] as const)
      if (provider[field] !== undefined) mistakes.push([field, `is only for ollama; ${OLLAMA_FIELDS[field]}`])
  return mistakes
}

function badOmissions({ sdk, omit = [] }: ProviderConfig): ProviderMistake[] {
  if (omit.length > 0 && (sdk === 'anthropic' || sdk === 'google')) return [['omit', `is not for ${sdk}`]]
  return omit
    .filter((field) => ESSENTIAL_FIELDS.includes(field))
    .map((field) => ['omit', `has "${field}", without which there is no request`])
}

/** Returns the replacement of a removed field, derived from its value where possible. */
function suggestion(value: unknown): string {
  const family =
    typeof value === 'string' ? (closestMatch(value.slice(0, 64), FAMILIES) ?? 'openai-compatible') : undefined
  return `"sdk: ${family ?? `<${FAMILIES.join(' | ')}>`}"`
}

/** Returns the keys of the section that no running plugin reads. */
export function unreadKeys(config: AiConfig): string[] {
  const written = config as Readonly<Record<string, unknown>>
  const empty = (value: unknown): boolean =>
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  return OTHERS.filter((key) => !empty(written[key]))
}

/** Returns the keys of a provider. */
export function keysOf({ apiKey }: ProviderConfig): readonly string[] {
  if (apiKey === undefined) return []
  return typeof apiKey === 'string' ? [apiKey] : apiKey
}

/** Returns the tokens of a provider's context window when they are configured. */
export function windowOf(provider: Pick<ProviderConfig, 'sdk' | 'num_ctx' | 'contextWindow'>): number | undefined {
  return provider.sdk === 'ollama' ? (provider.num_ctx ?? provider.contextWindow) : provider.contextWindow
}
