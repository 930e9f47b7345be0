// Five paged lists of the parts of a running host.
import { Type, type Static, type TSchema } from '@mynah/contract/type'
import { contract, type RestOperation } from '../contract.js'
import { pageOf } from './common.js'

/** A command of the host. */
export const IntrospectionCommandItem = Type.Object({
  pattern: Type.String(),
  desc: Type.String(),
  plugin: Type.Optional(Type.String()),
})
export type IntrospectionCommandItem = Static<typeof IntrospectionCommandItem>
/** A bot of the host. */
export const IntrospectionBotItem = Type.Object({ adapter: Type.String(), name: Type.String(), online: Type.Boolean() })
export type IntrospectionBotItem = Static<typeof IntrospectionBotItem>
/** The model that an agent uses. */
export const IntrospectionBindingItem = Type.Object({
  name: Type.String(),
  provider: Type.String(),
  model: Type.String(),
  mcpServers: Type.Array(Type.String()),
  hasAgentFile: Type.Boolean(),
})
export type IntrospectionBindingItem = Static<typeof IntrospectionBindingItem>
/** A tool that agents may call. */
export const IntrospectionToolItem = Type.Object({
  name: Type.String(),
  description: Type.String(),
  source: Type.Optional(Type.String()),
})
export type IntrospectionToolItem = Static<typeof IntrospectionToolItem>
/** An MCP server of the host. */
export const IntrospectionMcpItem = Type.Object({
  name: Type.String(),
  connected: Type.Boolean(),
  toolCount: Type.Integer(),
})
export type IntrospectionMcpItem = Static<typeof IntrospectionMcpItem>

/** Default number of items in a page. */
export const INTROSPECTION_PAGE_SIZE = { commands: 25, endpoints: 30, bindings: 30, tools: 15, mcp: 30 } as const
/** The name of a list of the introspection. */
export type IntrospectionResource = keyof typeof INTROSPECTION_PAGE_SIZE

const query = (pageSize: number) =>
  Type.Object({
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 })),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: pageSize })),
    filter: Type.Optional(Type.String({ maxLength: 512, description: 'Case-insensitive substring' })),
  })

const resource = <T extends TSchema>(summary: string, item: T, pageSize: number) =>
  ({
    summary,
    query: query(pageSize),
    data: pageOf(item),
    scope: 'demo',
    errors: ['not_ready'],
  }) as const satisfies RestOperation

/** Operations that list commands, tools, bots and MCP servers. */
export const introspection = contract({
  rest: {
    'GET /introspection/commands': resource('Commands', IntrospectionCommandItem, INTROSPECTION_PAGE_SIZE.commands),
    'GET /introspection/endpoints': resource('Endpoints', IntrospectionBotItem, INTROSPECTION_PAGE_SIZE.endpoints),
    'GET /introspection/bindings': resource(
      'Agents and their models',
      IntrospectionBindingItem,
      INTROSPECTION_PAGE_SIZE.bindings,
    ),
    'GET /introspection/tools': resource('Tools of the agent', IntrospectionToolItem, INTROSPECTION_PAGE_SIZE.tools),
    'GET /introspection/mcp': resource('MCP servers', IntrospectionMcpItem, INTROSPECTION_PAGE_SIZE.mcp),
  },
})
