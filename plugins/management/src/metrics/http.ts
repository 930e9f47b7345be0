import type { Answered } from '@mynah/plugin-http-core/api'
import type { Metric, Sample } from '../api.js'

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

interface Timing {
  readonly labels: Readonly<Record<string, string>>
  readonly buckets: number[]
  sum: number
  count: number
}

/** Metrics of the HTTP server: answers by route and status, and their durations. */
export class HttpMetrics {
  readonly #answers = new Map<string, { readonly labels: Readonly<Record<string, string>>; value: number }>()
  readonly #timings = new Map<string, Timing>()

  /** Counts an answer. `timed` is false for streams, whose duration depends on the client. */
  count({ method, route, status, ms }: Answered, timed: boolean): void {
    const key = `${method} ${route} ${status}`
    let answer = this.#answers.get(key)
    if (!answer) this.#answers.set(key, (answer = { labels: { method, route, status: String(status) }, value: 0 }))
    answer.value++
    if (timed) this.#time(method, route, ms / 1000)
  }

  readonly metrics: readonly Metric[] = [
    {
      name: 'mynah_http_requests_total',
      help: 'Answers of the server',
      type: 'counter',
      collect: () => Array.from(this.#answers.values()),
    },
    {
      name: 'mynah_http_request_duration_seconds',
      help: 'Time to an answer, streams left out',
      type: 'histogram',
      collect: () => Array.from(this.#timings.values()).flatMap(samplesOf),
    },
  ]

  #time(method: string, route: string, seconds: number): void {
    const key = `${method} ${route}`
    let timing = this.#timings.get(key)
    if (!timing)
      this.#timings.set(key, (timing = { labels: { method, route }, buckets: BUCKETS.map(() => 0), sum: 0, count: 0 }))
    timing.sum += seconds
    timing.count++
    for (const [index, bound] of BUCKETS.entries())
      if (seconds <= bound) timing.buckets[index] = (timing.buckets[index] as number) + 1
  }
}

function samplesOf({ labels, buckets, sum, count }: Timing): Sample[] {
  return [
    ...buckets.map((value, index) => ({ suffix: '_bucket', labels: { ...labels, le: String(BUCKETS[index]) }, value })),
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ]
}
