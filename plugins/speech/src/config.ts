import type { ConfigOf } from '@mynah/kernel'
import { Type } from '@mynah/contract/type'

const closed = { additionalProperties: false } as const
const name = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))

export const claims = {
  keys: {
    'ai.speech': Type.Object(
      {
        transcription: Type.Object(
          {
            provider: name('Alias in ai.providers that writes down what is said; default the first that can'),
            model: name('Its model; default the family’s own'),
          },
          { ...closed, default: {} },
        ),
        voice: Type.Object(
          {
            provider: name('Alias in ai.providers that speaks; default the first that can'),
            model: name('Its model; default the family’s own'),
            name: name('Voice, as the provider calls it; default the provider’s own'),
            format: Type.Enum(['mp3', 'opus', 'wav', 'aac', 'flac'], {
              default: 'mp3',
              description: 'Of what is spoken',
            }),
          },
          { ...closed, default: {} },
        ),
        maxSeconds: Type.Integer({
          minimum: 1,
          maximum: 7_200,
          default: 600,
          description: 'Length of a recording that is written down',
        }),
        maxBytes: Type.Integer({
          minimum: 1_024,
          maximum: 25 * 1024 * 1024,
          default: 20 * 1024 * 1024,
          description: 'Size of a recording, heard or spoken',
        }),
        maxCharacters: Type.Integer({
          minimum: 1,
          maximum: 4_096,
          default: 4_000,
          description: 'Length of a text that is spoken; longer ones are written',
        }),
      },
      { ...closed, default: {} },
    ),
  },
} as const

export type Config = ConfigOf<typeof claims>['ai.speech']
