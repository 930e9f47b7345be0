import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metric } from '../api.js'

const NS = 1e9
const LAG_RESOLUTION_MS = 20

/** Returns metrics of the process. `stop` ends the measurement of the event loop. */
export function processMetrics(): { metrics: readonly Metric[]; stop: () => void } {
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
  lag.enable()
  const seconds = (nanoseconds: number): number => (Number.isFinite(nanoseconds) ? nanoseconds / NS : 0)
  const metrics: readonly Metric[] = [
    {
      name: 'process_cpu_seconds_total',
      help: 'Processor time in user and system mode',
      type: 'counter',
      collect: () => {
        const { user, system } = process.cpuUsage()
        return (user + system) / 1e6
      },
    },
    {
      name: 'process_resident_memory_bytes',
      help: 'Resident memory',
      type: 'gauge',
      collect: () => process.memoryUsage.rss(),
    },
    {
      name: 'process_start_time_seconds',
      help: 'When the process started, seconds since the epoch',
      type: 'gauge',
      collect: () => performance.timeOrigin / 1000,
    },
    {
      name: 'nodejs_heap_bytes',
      help: 'Heap by use',
      type: 'gauge',
      collect: () => {
        const { heapUsed, heapTotal, external } = process.memoryUsage()
        return [
          { labels: { kind: 'used' }, value: heapUsed },
          { labels: { kind: 'total' }, value: heapTotal },
          { labels: { kind: 'external' }, value: external },
        ]
      },
    },
    {
      name: 'nodejs_eventloop_lag_seconds',
      help: 'Delay of the event loop since the last scrape',
      type: 'gauge',
      collect: () => {
        // The label `quantile` is reserved for summaries.
        const samples = [50, 99].map((percentile) => ({
          labels: { of: `p${percentile}` },
          value: seconds(lag.percentile(percentile)),
        }))
        const max = { labels: { of: 'max' }, value: seconds(lag.max) }
        lag.reset()
        return [...samples, max]
      },
    },
  ]
  return { metrics, stop: () => void lag.disable() }
}
