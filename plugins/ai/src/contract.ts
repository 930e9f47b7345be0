// Providers and models on the wire, for the console and other clients.
import { contract, JsonObject } from '@mynah/contract'
import { Type, type Static } from '@mynah/contract/type'

const Time = Type.Integer({ description: 'Milliseconds since the epoch' })

const ProviderRow = Type.Object({
  alias: Type.String(),
  sdk: Type.String(),
  status: Type.Enum(['ready', 'discovering', 'failed']),
  error: Type.Optional(Type.String()),
  inProcess: Type.Optional(
    Type.Boolean({ description: 'Whether a plugin of this host serves it, because `ai.providers` has none' }),
  ),
  models: Type.Array(
    Type.Object({
      id: Type.String(),
      score: Type.Integer({ description: '0–100: larger and newer is more; 0 is no chat model' }),
      contextWindow: Type.Optional(Type.Integer({ description: 'Tokens' })),
      capabilities: Type.Object({
        vision: Type.Optional(Type.Boolean()),
        streaming: Type.Optional(Type.Boolean()),
        toolCalling: Type.Optional(Type.Boolean()),
        thinking: Type.Optional(Type.Boolean()),
        video: Type.Optional(Type.Boolean()),
        pdf: Type.Optional(Type.Boolean({ description: 'Whether it reads PDF itself' })),
      }),
      omits: Type.Optional(
        Type.Array(Type.String(), { description: 'Fields that it refuses, and which requests to it leave out' }),
      ),
      cooldownUntil: Type.Optional(Time),
      cooldownReason: Type.Optional(Type.String()),
    }),
  ),
})
const Providers = Type.Object({ providers: Type.Array(ProviderRow) })

const ProviderTest = Type.Object({
  ok: Type.Boolean(),
  message: Type.String({ description: 'The model that answered, or what failed and what to do. No secret is in it' }),
  models: Type.Optional(Type.Array(Type.String(), { description: 'Models of the provider, best first, at most 200' })),
  model: Type.Optional(Type.String({ description: 'The model that answered' })),
  tokens: Type.Optional(
    Type.Object(
      {
        input: Type.Integer(),
        output: Type.Integer(),
        cost: Type.Optional(Type.Number({ description: 'In the currency of `prices`. Absent without prices' })),
      },
      { description: 'The cost of the test' },
    ),
  ),
  details: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
      description: 'Mistakes of the settings that were found without asking the provider',
    }),
  ),
  ms: Type.Integer({ description: 'Duration in milliseconds' }),
})
export type ProviderTest = Static<typeof ProviderTest>

export const models = contract({
  rpc: {
    'models:list': {
      summary: 'Providers and their models, best first, as they are known now',
      reads: true,
      data: Providers,
    },
    'models:test': {
      summary:
        'Tries the settings of a provider without saving them, by default the stored ones: lists its models, which is free, and asks one for an ' +
        'answer of at most 16 tokens. A masked secret stands for the stored one of this alias. At most two run at a time',
      params: Type.Object({
        alias: Type.String({ minLength: 1, maxLength: 64 }),
        provider: Type.Optional(JsonObject),
        model: Type.Optional(
          Type.String({ minLength: 1, maxLength: 256, description: 'Default: the best of the provider' }),
        ),
      }),
      data: ProviderTest,
      errors: ['rate_limited'],
    },
    'models:refresh': { summary: 'Asks every provider that is discovered what models it has', data: Providers },
  },
})
