import { Type, type Static } from '@mynah/contract/type'

/** Who may talk to the agent: keys of `ai.access`, and of `access` of an endpoint, which override it. */
export const AccessRules = Type.Object(
  {
    private: Type.Optional(
      Type.Enum(['everyone', 'trusted', 'paired'], {
        description: 'Who may talk to the agent in private. `paired`: whom an owner has let in',
      }),
    ),
    groups: Type.Optional(
      Type.Enum(['everyone', 'trusted', 'list'], {
        description: 'Who may talk to the agent in groups and channels. `list`: those of `list`',
      }),
    ),
    list: Type.Optional(
      Type.Array(Type.String({ pattern: '^[^|]+\\|[^|]+\\|.+$', maxLength: 512 }), {
        description: 'Groups and channels where the agent answers, as `adapter|endpointId|channelId`',
      }),
    ),
  },
  { additionalProperties: false },
)
export type AccessRules = Static<typeof AccessRules>
