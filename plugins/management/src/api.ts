import { point } from '@mynah/kernel'

/** One value of a metric. */
export interface Sample {
  readonly value: number
  readonly labels?: Readonly<Record<string, string>>
  /** Suffix of the name, such as `_bucket`, `_sum` and `_count` of a histogram. */
  readonly suffix?: string
}

/** A metric of `GET {api_prefix}/metrics`, in the terms of Prometheus. */
export interface Metric {
  /** Letters, digits and `_`, with the unit: `greeter_greetings_total`. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** Called at each scrape. */
  collect(): number | readonly Sample[] | Promise<number | readonly Sample[]>
}

/** All metrics of a host. */
export const metrics = point<Metric>({
  id: 'management.metrics',
  key: (metric) => metric.name,
  describe: (metric) => ({ name: metric.name, description: metric.help }),
})
