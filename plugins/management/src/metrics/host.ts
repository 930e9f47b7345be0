import { statfs } from 'node:fs/promises'
import type { HostControl, Ref } from '@mynah/kernel'
import type { Chat } from '@mynah/plugin-chat/api'
import type { EventStream, StreamCounts } from '@mynah/plugin-events/api'
import type { Metric, Sample } from '../api.js'

const STATES = ['pending', 'starting', 'active', 'degraded', 'stopping', 'failed', 'disabled'] as const

function tally<K extends string>(label: string, keys: readonly K[], found: readonly K[]): Sample[] {
  return keys.map((key) => ({ labels: { [label]: key }, value: found.filter((other) => other === key).length }))
}

/** Returns metrics of the host itself. */
export function hostMetrics(host: HostControl, now: () => number): Metric[] {
  return [
    {
      name: 'mynah_uptime_seconds',
      help: 'Time since the host started',
      type: 'gauge',
      collect: () => (now() - host.startedAt) / 1000,
    },
    {
      name: 'mynah_plugins',
      help: 'Plugins by state',
      type: 'gauge',
      collect: () =>
        tally(
          'state',
          STATES,
          host.inspect().map(({ state }) => state),
        ),
    },
  ]
}

/** Returns metrics of readiness and disk space. */
export function healthMetrics(isReady: () => Promise<boolean>, folder: string | undefined): Metric[] {
  return [
    {
      name: 'mynah_ready',
      help: 'Whether every part of the host is ready',
      type: 'gauge',
      collect: async () => ((await isReady()) ? 1 : 0),
    },
    {
      name: 'mynah_disk_free_ratio',
      help: 'Free part of the disk that holds the data',
      type: 'gauge',
      async collect() {
        if (folder === undefined) return []
        const { bavail, blocks } = await statfs(folder)
        return blocks ? bavail / blocks : []
      },
    },
  ]
}

/** Returns metrics of the event stream. Without a stream they have no samples. */
export function streamMetrics(stream: Ref<EventStream>): Metric[] {
  const metric = (name: string, help: string, type: Metric['type'], key: keyof StreamCounts): Metric => ({
    name,
    help,
    type,
    collect: () => (stream.current ? stream.current.counts()[key] : []),
  })
  return [
    metric('mynah_stream_clients', 'Open event streams', 'gauge', 'clients'),
    metric('mynah_stream_events_total', 'Events published', 'counter', 'published'),
    metric('mynah_stream_connections_total', 'Event streams opened', 'counter', 'opened'),
    metric('mynah_stream_resumed_total', 'Event streams that resumed an earlier one', 'counter', 'resumed'),
    metric('mynah_stream_reset_total', 'Event streams whose client had to start again', 'counter', 'reset'),
    metric(
      'mynah_stream_closed_slow_total',
      'Event streams closed because their client did not read',
      'counter',
      'closedSlow',
    ),
  ]
}

/** Returns metrics of chat. Without chat they have no samples. */
export function chatMetrics(chat: Ref<Chat>): Metric[] {
  return [
    {
      name: 'mynah_messages_total',
      help: 'Messages since the start by outcome',
      type: 'counter',
      collect() {
        const { lost: _, ...messages } = chat.current?.counters ?? {}
        return Object.entries(messages).map(([kind, value]) => ({ labels: { kind }, value }))
      },
    },
    {
      name: 'mynah_connections_lost_total',
      help: 'Connections to platforms that were lost since the start',
      type: 'counter',
      collect: () => chat.current?.counters.lost ?? [],
    },
    {
      name: 'mynah_endpoint_up',
      help: 'Whether an endpoint is online',
      type: 'gauge',
      collect: () =>
        (chat.current?.endpoints() ?? []).map(({ adapter, name, status }) => ({
          labels: { adapter, endpoint: name },
          value: status === 'online' ? 1 : 0,
        })),
    },
    {
      name: 'mynah_endpoints',
      help: 'Endpoints by status',
      type: 'gauge',
      collect: () =>
        chat.current
          ? tally(
              'status',
              ['online', 'offline', 'pending'],
              chat.current.endpoints().map(({ status }) => status),
            )
          : [],
    },
  ]
}
