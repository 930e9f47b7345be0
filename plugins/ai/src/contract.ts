// Providers and models on the wire, for the console and other clients.
import { contract } from '@mynah/contract'
import { Type } from '@mynah/contract/type'

const Time = Type.Integer({ description: 'Milliseconds since the epoch' })

const ProviderRow = Type.Object({
  alias: Type.String(),
  sdk: Type.String(),
  status: Type.Enum(['ready', 'discovering', 'failed']),
  error: Type.Optional(Type.String()),
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
      }),
      cooldownUntil: Type.Optional(Time),
      cooldownReason: Type.Optional(Type.String()),
    }),
  ),
})
const Providers = Type.Object({ providers: Type.Array(ProviderRow) })

export const models = contract({
  rpc: {
    'models:list': {
      summary: 'Providers and their models, best first, as they are known now',
      reads: true,
      data: Providers,
    },
    'models:refresh': { summary: 'Asks every provider that is discovered what models it has', data: Providers },
  },
})
