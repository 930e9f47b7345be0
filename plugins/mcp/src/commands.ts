import { defineCommand, inLanguages, param, type Command } from '@mynah/plugin-chat/api'
import type { McpServers } from './api.js'

const textsFor = inLanguages({
  en: {
    none: (server: string) => `${server} has no tool that is held back.`,
    accepted: (server: string, count: number) => `${count} ${count === 1 ? 'tool' : 'tools'} of ${server} accepted.`,
  },
  'zh-CN': {
    none: (server: string) => `${server} 没有待确认的工具。`,
    accepted: (server: string, count: number) => `已接受 ${server} 的 ${count} 个工具。`,
  },
})

/** Creates the command that accepts held tools of a server. */
export function acceptCommand(servers: McpServers): Command {
  return defineCommand({
    name: 'mcp accept',
    description: { en: 'Accepts the changed tools of an MCP server', 'zh-CN': '接受 MCP 服务器已更改的工具' },
    requiredAnyRole: ['master', 'trusted'],
    args: { server: param.string({ description: { en: 'name of the server', 'zh-CN': '服务器名称' } }) },
    async run({ args: { server }, message }) {
      const { none, accepted } = textsFor(message.locale)
      const count = await servers.accept(server)
      return count ? accepted(server, count) : none(server)
    },
  })
}
