import type { Metric } from '@mynah/plugin-management/api'
import type { Counters } from './counters.js'
import type { Servers } from './servers.js'

/** Returns all metrics of the plugin. */
export function serverMetrics(servers: Servers, counters: Counters): Metric[] {
  const enabled = () => servers.list().filter(({ disabled }) => !disabled)
  return [
    {
      name: 'mcp_server_connected',
      help: 'Whether a server is connected',
      type: 'gauge',
      collect: () => enabled().map(({ name, connected }) => ({ value: connected ? 1 : 0, labels: { server: name } })),
    },
    {
      name: 'mcp_tools',
      help: 'Tools of a server, by whether they may be called',
      type: 'gauge',
      collect: () =>
        enabled().flatMap(({ name, tools, toolCount }) => [
          { value: toolCount, labels: { server: name, state: 'usable' } },
          { value: tools.length - toolCount, labels: { server: name, state: 'held' } },
        ]),
    },
    {
      name: 'mcp_connections_total',
      help: 'Connections that were made',
      type: 'counter',
      collect: () => Array.from(counters.connections, ([server, value]) => ({ value, labels: { server } })),
    },
    {
      name: 'mcp_calls_total',
      help: 'Calls of tools, by outcome',
      type: 'counter',
      collect: () =>
        Array.from(counters.calls, ([server, outcomes]) =>
          Array.from(outcomes, ([outcome, value]) => ({ value, labels: { server, outcome } })),
        ).flat(),
    },
  ]
}
