// `/mcp accept <server>`; `/mcp` alone is introspection's.
import { isWireError } from '@mynah/contract'
import { defineCommand, param, type Command, type Locale } from '@mynah/plugin-chat/api'
import type { McpServers } from './api.js'

const words: Readonly<Record<Locale, { readonly none: (server: string) => string; readonly accepted: (server: string, count: number) => string }>> = {
  en: {
    none: (server) => `${server} has no tool that is held back.`,
    accepted: (server, count) => `${count} ${count === 1 ? 'tool' : 'tools'} of ${server} accepted.`,
  },
  'zh-CN': { none: (server) => `${server} 没有待确认的工具。`, accepted: (server, count) => `已接受 ${server} 的 ${count} 个工具。` },
}

export function acceptCommand(servers: McpServers): Command {
  return defineCommand({
    name: 'mcp accept',
    description: { en: 'Accepts the changed tools of an MCP server', 'zh-CN': '接受 MCP 服务器已更改的工具' },
    requiredAnyRole: ['master', 'trusted'],
    args: { server: param.string({ description: 'name of the server' }) },
    async run({ args: { server }, message }) {
      const { none, accepted } = words[message.locale]
      try {
        const count = await servers.accept(server)
        return count ? accepted(server, count) : none(server)
      } catch (error) {
        if (isWireError(error)) return error.message
        throw error
      }
    },
  })
}
