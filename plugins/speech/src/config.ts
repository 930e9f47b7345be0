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
            provider: name('Alias in ai.providers that transcribes; default the first one that can'),
            model: name('Model of the provider; default that of its family'),
          },
          { ...closed, default: {} },
        ),
        voice: Type.Object(
          {
            provider: name('Alias in ai.providers that speaks; default the first one that can'),
            model: name('Model of the provider; default that of its family'),
            name: name('Name of the voice at the provider; default that of the provider'),
            format: Type.Enum(['mp3', 'opus', 'wav', 'aac', 'flac'], {
              default: 'mp3',
              description: 'Format of voice messages',
            }),
          },
          { ...closed, default: {} },
        ),
        maxSeconds: Type.Integer({
          minimum: 1,
          maximum: 7_200,
          default: 600,
          description: 'Longest recording that is transcribed, s',
        }),
        maxBytes: Type.Integer({
          minimum: 1_024,
          maximum: 25 * 1024 * 1024,
          default: 20 * 1024 * 1024,
          description: 'Largest recording, received or created, bytes',
        }),
        maxCharacters: Type.Integer({
          minimum: 1,
          maximum: 4_096,
          default: 4_000,
          description: 'Longest text that is spoken; longer ones are sent as text',
        }),
      },
      { ...closed, default: {} },
    ),
  },
} as const

export type Config = ConfigOf<typeof claims>['ai.speech']
