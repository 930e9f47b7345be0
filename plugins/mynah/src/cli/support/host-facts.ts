// The state of the running host. The command line reduces it before it is shown or written.
import type { Host, LogRecord } from '@mynah/kernel'
import { metrics, type Metric } from '@mynah/plugin-management/api'
import { statusOf } from '../host-status.js'
import type { HostFacts } from '../protocol.js'

const MAX_MESSAGE = 2_000
const MAX_STACK = 4_000

/** Returns the state of a host. Never rejects. */
export async function factsOf(host: Host, lines: readonly LogRecord[]): Promise<HostFacts> {
  const collected = host
    .inspect()
    .flatMap(({ contributions }) => contributions.filter(({ point }) => point === metrics.id))
    .map(({ value }) => samplesOf(value as Metric))
  const { rss, heapUsed } = process.memoryUsage()
  return {
    status: await statusOf(host),
    lines: lines.map(shortened),
    figures: (await Promise.all(collected)).filter(({ samples }) => samples.length > 0),
    memory: { rss, heapUsed },
  }
}

/** A metric that fails has no samples. */
async function samplesOf({ name, type, collect }: Metric): Promise<HostFacts['figures'][number]> {
  // The buckets of a histogram are many, and no figure for people.
  if (type === 'histogram') return { name, samples: [] }
  try {
    const found = await collect()
    return { name, samples: typeof found === 'number' ? [{ value: found }] : found }
  } catch {
    return { name, samples: [] }
  }
}

/** Returns a line with the fields that a report uses. */
function shortened({ time, level, name, message, fields }: LogRecord): LogRecord {
  const { code, error, stack } = fields ?? {}
  const kept = Object.entries({ code, error, stack }).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value.slice(0, MAX_STACK)]] : [],
  )
  return { time, level, name, message: message.slice(0, MAX_MESSAGE), fields: Object.fromEntries(kept) }
}
