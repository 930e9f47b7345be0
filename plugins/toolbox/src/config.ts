import { Type } from '@mynah/contract/type'
import type { ConfigOf } from '@mynah/kernel'

const closed = { additionalProperties: false } as const
const ROLES = ['user', 'group_admin', 'group_owner', 'trusted', 'master'] as const
const Roles = Type.Array(Type.Enum([...ROLES]), { minItems: 1 })

/** Who may use a tool unless the configuration says otherwise. */
export const DEFAULT_ROLES = {
  bash: ['trusted', 'master'],
  read_file: ['trusted', 'master'],
  write_file: ['trusted', 'master'],
  edit_file: ['trusted', 'master'],
  list_files: ['trusted', 'master'],
  search_files: ['trusted', 'master'],
  web_fetch: ['user'],
  web_search: ['user'],
  generate_image: ['user'],
} as const satisfies Record<string, readonly (typeof ROLES)[number][]>
export type ToolName = keyof typeof DEFAULT_ROLES

const roleKeys = Object.fromEntries(
  Object.entries(DEFAULT_ROLES).map(([name, roles]) => [
    name,
    Type.Optional(
      Type.Array(Type.Enum([...ROLES]), { minItems: 1, description: `Who may use it; default ${roles.join(' and ')}` }),
    ),
  ]),
) as Record<ToolName, ReturnType<typeof Type.Optional<typeof Roles>>>

export const claims = {
  keys: {
    'ai.toolbox': Type.Object(
      {
        root: Type.String({
          minLength: 1,
          default: 'workspace',
          description: 'The folder in which files are worked on, beside the configuration',
        }),
        roles: Type.Object(roleKeys, { ...closed, default: {} }),
        search: Type.Object(
          {
            provider: Type.Optional(
              Type.Enum(['searxng', 'brave', 'tavily'], { description: 'Who searches; with url alone it is searxng' }),
            ),
            url: Type.Optional(
              Type.String({
                pattern: '^https?://',
                description: 'Address of a SearXNG, or another one of Brave’s or Tavily’s service',
              }),
            ),
            key: Type.Optional(Type.String({ minLength: 1, secret: true, description: 'Key of Brave or Tavily' })),
          },
          { ...closed, default: {} },
        ),
      },
      { ...closed, default: {} },
    ),
  },
} as const

export type Config = ConfigOf<typeof claims>['ai.toolbox']

/** Who may use a tool. Everybody is a user: no role is needed then. */
export function rolesOf(config: Config, tool: ToolName): readonly string[] | undefined {
  const roles: readonly string[] = config.roles[tool] ?? DEFAULT_ROLES[tool]
  return roles.includes('user') ? undefined : roles
}
