import { definePlugin, HostControl, HostPaths, ifEnabled, ref } from '@mynah/kernel'
import { tools } from '@mynah/plugin-ai/api'
import { commands } from '@mynah/plugin-chat/api'
import { method, rpcMethods } from '@mynah/plugin-console-rpc/api'
import { Database } from '@mynah/database-api'
import { declare, event, publish, streamEvents } from '@mynah/plugin-events/api'
import { readinessChecks } from '@mynah/plugin-http-core/api'
import { introspectionSources } from '@mynah/plugin-introspection/api'
import { metrics } from '@mynah/plugin-management/api'
import { McpServers } from './api.js'
import { acceptCommand } from './commands.js'
import { claims } from './config.js'
import { mcp as contract } from './contract.js'
import { Counters } from './counters.js'
import { serverMetrics } from './metrics.js'
import { Offered } from './offered.js'
import { Servers } from './servers.js'
import { DatabaseTrust, FileTrust, MemoryTrust, type TrustStore } from './trust-store.js'
import { optionDescriptions } from './option-descriptions.zh.js'

export default definePlugin({
  name: 'mcp',
  description: 'Supervised MCP servers, whose tools the agent may call',
  descriptions: { 'zh-CN': '受监管的 MCP 服务器，其工具供智能体调用' },
  optionDescriptions: { 'zh-CN': optionDescriptions },
  config: claims,
  needs: { host: HostControl, paths: ref(HostPaths), database: ifEnabled(Database) },
  provides: [McpServers],
  setup(ctx) {
    const { clock, log, host, database } = ctx
    const paths = ctx.paths.current
    const fallbackTrust = (): TrustStore =>
      paths ? new FileTrust(paths.data) : ctx.keep('accepted', () => new MemoryTrust())
    const trust: TrustStore = database ? new DatabaseTrust(database) : fallbackTrust()
    const counters = new Counters()
    const servers = new Servers({
      clock,
      log,
      root: paths?.root,
      trust,
      counters,
      random: Math.random,
      offered: new Offered((tool) => ctx.contribute(tools, tool), log),
      changed: (name, connected) => ctx.emit(publish, event(contract.events, 'mcp:changed', { name, connected })),
    })
    ctx.onDispose('servers', () => servers.close())

    const { rpc } = contract
    ctx.contribute(
      rpcMethods,
      method(rpc, 'mcp:list', () => ({
        servers: servers.list().map(({ leftOut, lastError, ...server }) => ({
          ...server,
          tools: server.tools.map((tool) => ({ ...tool })),
          ...(leftOut ? { leftOut: leftOut.map((tool) => ({ ...tool })) } : {}),
          ...(lastError === undefined ? {} : { lastError: host.redact(lastError) }),
        })),
      })),
    )
    ctx.contribute(
      rpcMethods,
      method(rpc, 'mcp:restart', async ({ name }) => ({ success: await servers.restart(name) })),
    )
    ctx.contribute(
      rpcMethods,
      method(rpc, 'mcp:accept', async ({ name }) => {
        await servers.accept(name)
        return { success: true }
      }),
    )
    ctx.contribute(streamEvents, declare(contract.events, 'mcp:changed'))
    ctx.contribute(introspectionSources, {
      resource: 'mcp',
      items: () => servers.list().map(({ name, connected, toolCount }) => ({ name, connected, toolCount })),
      note: () => noteOf(servers),
    })
    ctx.contribute(commands, acceptCommand(servers))
    ctx.contribute(readinessChecks, {
      name: 'mcp',
      check() {
        const away = servers.all
          .filter((server) => server.enabled && server.tried && !server.connected)
          .map((server) => server.view())
        return away.length
          ? {
              status: 'degraded',
              reason: away
                .map(({ name, lastError }) => `${name}: ${host.redact(lastError ?? 'not connected')}`)
                .join('; '),
            }
          : { status: 'ok' }
      },
    })
    for (const metric of serverMetrics(servers, counters)) ctx.contribute(metrics, metric)
    ctx.provide(McpServers, servers)
    servers.configure(ctx.config)
    return {
      update(next) {
        servers.configure(next)
        return true
      },
    }
  },
})

function noteOf(servers: Servers): string | undefined {
  const all = servers.list()
  if (all.length === 0) return 'No MCP server is configured: add one under ai.mcpServers'
  const held = all.flatMap(({ name, tools, toolCount }) =>
    tools.length > toolCount ? [`${name} (${tools.length - toolCount})`] : [],
  )
  return held.length ? `Tools changed and are held back until /mcp accept: ${held.join(', ')}` : undefined
}
