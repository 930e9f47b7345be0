// Jobs in the terms of Prometheus.
import type { Metric } from '@mynah/plugin-management/api'
import type { Book } from './engine/book.js'

/** All metrics of the plugin. */
export function jobMetrics(book: Book): Metric[] {
  return [
    {
      name: 'mynah_jobs',
      type: 'gauge',
      help: 'Jobs by state; `paused` are those that failed too often, or wait for their owner',
      collect() {
        const states = { active: 0, disabled: 0, paused: 0 }
        for (const id of book.ids()) {
          const job = book.get(id)
          if (job) states[job.paused !== null ? 'paused' : job.enabled ? 'active' : 'disabled']++
        }
        return Object.entries(states).map(([state, value]) => ({ value, labels: { state } }))
      },
    },
  ]
}
