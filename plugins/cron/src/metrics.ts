import type { Metric } from '@mynah/plugin-management/api'
import type { JobIndex } from './engine/job-index.js'
import type { RunCounters } from './engine/run-counters.js'
import type { StoredJob } from './store/types.js'

function stateOf({ paused, enabled }: StoredJob): 'paused' | 'active' | 'disabled' {
  if (paused !== null) return 'paused'
  return enabled ? 'active' : 'disabled'
}

export function jobMetrics(index: JobIndex, counters: RunCounters): Metric[] {
  return [
    {
      name: 'mynah_job_runs_total',
      type: 'counter',
      help: 'Runs of jobs that have ended since the start, by how they ended',
      collect: () => Object.entries(counters.ended).map(([state, value]) => ({ value, labels: { state } })),
    },
    {
      name: 'mynah_jobs',
      type: 'gauge',
      help: 'Jobs by state; `paused` are those that failed too often',
      collect() {
        const states = { active: 0, disabled: 0, paused: 0 }
        for (const id of index.ids()) {
          const job = index.get(id)
          if (job) states[stateOf(job)]++
        }
        return Object.entries(states).map(([state, value]) => ({ value, labels: { state } }))
      },
    },
  ]
}
