import { contract } from '@mynah/contract'
import { Type } from '@mynah/contract/type'

const Time = Type.Integer({ description: 'Milliseconds since the epoch' })
const Name = Type.String({ minLength: 1, maxLength: 64 })
const Success = Type.Object({ success: Type.Boolean() })

const McpServerRow = Type.Object({
  name: Type.String(),
  transport: Type.Enum(['stdio', 'http', 'sse']),
  connected: Type.Boolean(),
  since: Time,
  toolCount: Type.Integer({ description: 'Tools that may be called' }),
  tools: Type.Array(
    Type.Object({
      name: Type.String(),
      description: Type.String(),
      held: Type.Boolean({ description: 'Changed since it was accepted; not offered until it is accepted again' }),
      accepted: Type.Optional(Type.String({ description: 'Of a held tool: the description that was accepted' })),
    }),
  ),
  leftOut: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        reason: Type.String({ description: 'The rest of a sentence that begins with the name of the tool' }),
      }),
      { description: 'Listed tools that cannot be used and are not offered' },
    ),
  ),
  disabled: Type.Optional(Type.Boolean()),
  lastError: Type.Optional(Type.String()),
  nextTryAt: Type.Optional(Time),
})

export const mcp = contract({
  rpc: {
    'mcp:list': {
      summary: 'MCP servers and their tools',
      reads: true,
      data: Type.Object({ servers: Type.Array(McpServerRow) }),
    },
    'mcp:restart': {
      summary: 'Ends a server and starts it again; `success` is whether it is connected then',
      params: Type.Object({ name: Name }),
      data: Success,
      errors: ['not_found'],
    },
    'mcp:accept': {
      summary: 'Accepts the tools of a server as they are now',
      params: Type.Object({ name: Name }),
      data: Success,
      errors: ['not_found', 'not_ready'],
    },
  },
  events: {
    'mcp:changed': {
      summary: 'A server came, went, or has other tools',
      data: Type.Object({ name: Type.String(), connected: Type.Boolean() }),
    },
  },
})
