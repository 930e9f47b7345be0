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
        scale: Type.Integer({ minimum: 1, maximum: 3, default: 2, description: 'Pixels per point' }),
        theme: Type.Enum(['light', 'dark'], {
          default: 'light',
          description:
            'Colours of Markdown: dark text on white, or light text on a dark background. HTML is always drawn on white',
        }),
        fonts: Type.Array(Type.String({ minLength: 1, maxLength: 1_024 }), {
          maxItems: 8,
          default: [],
          description: 'Font files (ttf, otf or woff) for characters that the included font lacks, such as Chinese',
        }),
      },
      { additionalProperties: false, default: {} },
    ),
  },
} as const
