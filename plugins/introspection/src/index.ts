import { definePlugin, HostControl, ref } from '@mynah/kernel'
import { introspection, sessions, WireError } from '@mynah/contract'
import { Chat, commands } from '@mynah/plugin-chat/api'
import { route, routes } from '@mynah/plugin-http-core/api'
import { introspectionSources, SessionTrees } from './api.js'
import { introspectionCommands } from './commands.js'
import { Resources } from './resources.js'

export default definePlugin({
  name: 'introspection',
  description: 'Commands, endpoints, bindings, tools and MCP servers, paged and filtered',
  descriptions: { 'zh-CN': '命令、接入点、绑定、工具与 MCP 服务器，可分页与筛选' },
  needs: { host: HostControl, chat: ref(Chat), sessions: ref(SessionTrees) },
  setup(ctx) {
    const resources = new Resources(ctx.chat, ctx.read(introspectionSources))
    const { rest } = introspection
    for (const bound of [
      route(rest, 'GET /introspection/commands', ({ query }) => resources.page('commands', query)),
      route(rest, 'GET /introspection/endpoints', ({ query }) => resources.page('endpoints', query)),
      route(rest, 'GET /introspection/bindings', ({ query }) => resources.page('bindings', query)),
      route(rest, 'GET /introspection/tools', ({ query }) => resources.page('tools', query)),
      route(rest, 'GET /introspection/mcp', ({ query }) => resources.page('mcp', query)),
    ])
      ctx.contribute(routes, bound)
    for (const command of introspectionCommands(resources, ctx.host)) ctx.contribute(commands, command)

    const trees = (): SessionTrees => {
      if (!ctx.sessions.current) throw new WireError('not_ready', 'The agent runtime is not ready: no agent is running')
      return ctx.sessions.current
    }
    ctx.contribute(
      routes,
      route(sessions.rest, 'GET /agent/sessions/:sessionKey/tree', ({ params }) => trees().tree(params.sessionKey)),
    )
    ctx.contribute(
      routes,
      route(sessions.rest, 'POST /agent/sessions/:sessionKey/leaf', async ({ params, body }) => {
        const { index, messageId } = body
        if ((index === undefined) === (messageId === undefined)) {
          throw new WireError('invalid_request', 'Exactly one of index and messageId is required', {
            details: [{ path: 'body', message: 'must have exactly one of index and messageId' }],
          })
        }
        const data = await trees().setLeaf(
          params.sessionKey,
          index === undefined ? { messageId: messageId as number } : { index },
        )
        return { success: true, message: 'Later conversation continues from that message', data }
      }),
    )
  },
})
