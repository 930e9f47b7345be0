import type { ConfigOf } from '@mynah/kernel'
import { Type } from '@mynah/contract/type'

export const claims = {
  keys: {
    renderer: Type.Object(
      {
        width: Type.Integer({
          minimum: 240,
          maximum: 1_200,
          default: 720,
          description: 'Width of a picture, in points',
        }),
        scale: Type.Integer({ minimum: 1, maximum: 3, default: 2, description: 'Pixels of a point' }),
        theme: Type.Enum(['light', 'dark'], {
          default: 'light',
          description: 'Of Markdown: dark words on white, or the other way round. HTML is drawn as on a white page',
        }),
        fonts: Type.Array(Type.String({ minLength: 1, maxLength: 1_024 }), {
          maxItems: 8,
          default: [],
          description: 'Files of fonts (ttf, otf or woff) for what the font that comes along lacks, such as Chinese',
        }),
      },
      { additionalProperties: false, default: {} },
    ),
  },
} as const

export type Config = ConfigOf<typeof claims>['renderer']
