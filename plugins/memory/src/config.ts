import { Type } from '@mynah/contract/type'
import type { ConfigOf, Mistake } from '@mynah/kernel'

const closed = { additionalProperties: false } as const

const SERVER_FIELDS = ['server', 'recall', 'remember'] as const
type Named = { readonly [Field in (typeof SERVER_FIELDS)[number]]?: string | undefined }

export const claims = {
  keys: {
    'ai.memory': Type.Object(
      {
        root: Type.String({
          minLength: 1,
          default: '.',
          description: 'Folder of SOUL.md, AGENTS.md and TOOLS.md, relative to the configuration file',
        }),
        shared: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          default: [],
          maxItems: 100,
          description:
            'Agents with `match` that use the memory and the profiles of the agent main. By default each has its own',
        }),
        scope: Type.Enum(['owner', 'all'], {
          default: 'owner',
          description: 'Whether memory, notes and recall are limited to private chats of masters',
        }),
      },
      { ...closed, default: {} },
    ),
    // The memory is kept by a server when all three fields are set.
    'ai.memoryMcp': Type.Object(
      {
        server: Type.Optional(
          Type.String({
            minLength: 1,
            description: 'Server of ai.mcpServers that stores the memory instead of files',
          }),
        ),
        recall: Type.Optional(Type.String({ minLength: 1, description: 'Tool of the server that searches' })),
        remember: Type.Optional(Type.String({ minLength: 1, description: 'Tool of the server that stores' })),
      },
      { ...closed, default: {} },
    ),
  },
  check({ 'ai.memoryMcp': named }: { readonly 'ai.memoryMcp': Named }): readonly Mistake[] {
    const missing = SERVER_FIELDS.filter((field) => named[field] === undefined)
    return missing.length === SERVER_FIELDS.length
      ? []
      : missing.map((field) => ({ path: `ai.memoryMcp.${field}`, message: 'is required together with the other two' }))
  },
} as const
export type Config = ConfigOf<typeof claims>
