import { Type } from '@mynah/contract/type'
import type { ConfigOf } from '@mynah/kernel'

const closed = { additionalProperties: false } as const
const ROLES = ['user', 'group_admin', 'group_owner', 'trusted', 'master'] as const
const Roles = Type.Array(Type.Enum([...ROLES]), { minItems: 1 })

/** Roles that may use each tool by default. */
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

export const claims = {
  keys: {
    'ai.toolbox': Type.Object(
      {
        root: Type.String({
          minLength: 1,
          default: 'workspace',
          description: 'Working folder of the file tools, relative to the configuration file',
        }),
        roles: Type.Record(Type.String(), Roles, {
          default: {},
          description:
            'Roles that may use a tool, by its full name: one of this plugin, of another one, or `<server>__<tool>`',
        }),
        search: Type.Object(
          {
            provider: Type.Optional(
              Type.Enum(['searxng', 'brave', 'tavily'], {
                description: 'Search service; default searxng if a url is set',
              }),
            ),
            url: Type.Optional(
              Type.String({
                pattern: '^https?://',
                description: 'Address of a SearXNG server, or a different address of Brave or Tavily',
              }),
            ),
            key: Type.Optional(Type.String({ minLength: 1, secret: true, description: 'API key of Brave or Tavily' })),
          },
          { ...closed, default: {} },
        ),
      },
      { ...closed, default: {} },
    ),
  },
} as const

export type Config = ConfigOf<typeof claims>['ai.toolbox']

/** Returns the roles that may use a tool unless the configuration says otherwise; `undefined` for all users. */
export function defaultRoles(tool: ToolName): readonly string[] | undefined {
  const roles: readonly string[] = DEFAULT_ROLES[tool]
  return roles.includes('user') ? undefined : roles
}

/** Returns the roles that the configuration asks for a tool of any plugin. */
export const configuredRoles = ({ roles }: Config, tool: string): readonly string[] | undefined =>
  Object.hasOwn(roles, tool) ? roles[tool] : undefined
