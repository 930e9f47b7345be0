import { Type, type Static } from '@mynah/contract/type'

/** The people who may talk to the agent: keys of `ai.access`, and of `access` of an endpoint, which override it. */
export const AccessRules = Type.Object(
  {
    private: Type.Optional(
      Type.Enum(['everyone', 'trusted', 'paired'], {
        description: 'People who may talk to the agent in private. `paired`: those that an owner has let in',
      }),
    ),
    groups: Type.Optional(
      Type.Enum(['everyone', 'trusted', 'list'], {
        description: 'People who may talk to the agent in groups and channels. `list`: everyone in those of `list`',
      }),
    ),
    list: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^[^|]+\\|[^|]+\\|.+$',
          maxLength: 512,
          description: 'A group or channel, as `adapter|endpointId|channelId`',
        }),
        {
          description: 'Groups and channels where the agent answers, as `adapter|endpointId|channelId`',
        },
      ),
    ),
  },
  { additionalProperties: false },
)
export type AccessRules = Static<typeof AccessRules>
