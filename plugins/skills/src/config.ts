import { Type } from '@mynah/contract/type'

export const claims = {
  keys: {
    'ai.skills': Type.Object(
      {
        root: Type.String({
          minLength: 1,
          default: '.',
          description: 'Folder of skills/, tools/ and agents/, relative to the configuration file',
        }),
      },
      { additionalProperties: false, default: {} },
    ),
  },
} as const
