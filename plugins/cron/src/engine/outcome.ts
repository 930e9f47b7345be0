import type { EndState, JobFields, StoredJob, StoredRun } from '../store/types.js'
import { FAILURES_TO_PAUSE } from './failure.js'
import { cut } from './text.js'

const MAX_RECENT = 30
const MAX_NAME = 60

/** How a run ended. */
export interface RunOutcome {
  readonly state: EndState
  readonly reason: string | null
  /** Consecutive failures after which the job is paused; default {@link FAILURES_TO_PAUSE}. */
  readonly pauseAfter?: number
}

/** Returns how one of its runs changes a job. `paused` is set only when the run pauses the job. */
export function jobAfter(job: StoredJob, run: StoredRun, outcome: RunOutcome, now: number): JobFields {
  const { state, reason, pauseAfter = FAILURES_TO_PAUSE } = outcome
  const failures = failuresAfter(job, state)
  const isPaused = job.enabled && !job.once && failures > job.failures && failures >= pauseAfter
  return {
    lastRunAt: run.startedAt ?? now,
    lastStatus: state,
    lastError: reason,
    lastHost: run.host,
    retryCount: run.attempt - 1,
    failures,
    recent: withRecent(job, { slot: run.slot, state }),
    updatedAt: now,
    ...(isPaused ? { enabled: false, paused: `it failed ${failures} times in a row` } : {}),
  }
}

/** Only runs that had their chance add to a series of failures or end it. */
function failuresAfter({ failures }: StoredJob, state: EndState): number {
  if (state === 'skipped' || state === 'interrupted') return failures
  return state === 'ok' ? 0 : failures + 1
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
  return cut((action.kind === 'agent' ? action.prompt.split('\n', 1)[0] : action.handler) || id, MAX_NAME)
}
