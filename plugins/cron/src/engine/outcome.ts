import type { JobChange, StoredJob, StoredRun } from '../store/types.js'
import { FAILURES_TO_PAUSE } from './failure.js'

const MAX_RECENT = 30

/** How a run ended. */
export interface RunOutcome {
  readonly state: 'ok' | 'error' | 'skipped'
  readonly reason: string | null
  /** Consecutive failures after which the job is paused; default {@link FAILURES_TO_PAUSE}. */
  readonly pauseAfter?: number
}

/** Returns the changes of a job after one of its runs. `paused` is set only when the run pauses the job. */
export function jobAfter(job: StoredJob, run: StoredRun, outcome: RunOutcome, now: number): JobChange {
  const { state, reason, pauseAfter = FAILURES_TO_PAUSE } = outcome
  const failures = failuresAfter(job, state)
  const isPaused = job.enabled && !job.once && state === 'error' && failures >= pauseAfter
  return {
    id: job.id,
    lastRunAt: run.startedAt ?? now,
    lastStatus: state,
    lastError: reason,
    retryCount: run.attempt - 1,
    failures,
    recent: withRecent(job, { slot: run.slot, state }),
    updatedAt: now,
    ...(isPaused ? { enabled: false, paused: `it failed ${failures} times in a row` } : {}),
  }
}

/** A skipped run neither adds a failure nor ends a series of them. */
function failuresAfter({ failures }: StoredJob, state: RunOutcome['state']): number {
  if (state === 'skipped') return failures
  return state === 'error' ? failures + 1 : 0
}

/** Returns the recent runs of a job with one added or updated. */
export function withRecent(
  { recent }: Pick<StoredJob, 'recent'>,
  { slot, state }: Pick<StoredRun, 'slot' | 'state'>,
): StoredJob['recent'] {
  return [...recent.filter((known) => known.slot !== slot), { slot, state }].slice(-MAX_RECENT)
}

/** Returns the name of a job for people: its label, the first line of its prompt, or its handler. */
export function labelOf({ label, action, id }: Pick<StoredJob, 'label' | 'action' | 'id'>): string {
  if (label !== null) return label
  return (action.kind === 'agent' ? action.prompt.split('\n', 1)[0]?.slice(0, 60) : action.handler) ?? id
}
