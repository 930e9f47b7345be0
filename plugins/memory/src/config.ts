// The configuration of bootstrap files and memory.
import { Type } from '@mynah/contract/type'
import type { ConfigOf, Mistake } from '@mynah/kernel'

const closed = { additionalProperties: false } as const

const FIELDS = ['server', 'recall', 'remember'] as const
type Named = { readonly [Field in (typeof FIELDS)[number]]?: string | undefined }

export const claims = {
  keys: {
    'ai.memory': Type.Object(
      {
        root: Type.String({
          minLength: 1,
          default: '.',
          description: 'The folder of SOUL.md, AGENTS.md and TOOLS.md, beside the configuration',
        }),
        scope: Type.Enum(['owner', 'all'], {
          default: 'owner',
          description: 'Whether memory, notes and recall are for private chats of masters only',
        }),
      },
      { ...closed, default: {} },
    ),
    // A server keeps the memory where all three are named.
    'ai.memoryMcp': Type.Object(
      {
        server: Type.Optional(
          Type.String({
            minLength: 1,
            description: 'A server of ai.mcpServers that keeps the memory in place of files',
          }),
        ),
        recall: Type.Optional(Type.String({ minLength: 1, description: 'Its tool that finds' })),
        remember: Type.Optional(Type.String({ minLength: 1, description: 'Its tool that keeps' })),
      },
      { ...closed, default: {} },
    ),
  },
  check({ 'ai.memoryMcp': named }: { readonly 'ai.memoryMcp': Named }): readonly Mistake[] {
    const missing = FIELDS.filter((field) => named[field] === undefined)
    return missing.length === FIELDS.length
      ? []
      : missing.map((field) => ({ path: `ai.memoryMcp.${field}`, message: 'is required beside the other two' }))
  },
} as const
export type Config = ConfigOf<typeof claims>
