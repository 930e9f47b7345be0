import type { Logger } from '@mynah/kernel'
import type { StoredJob, StoredRun } from '../store/types.js'
import { labelOf } from './outcome.js'

/**
 * Logs the end of a run. Failures were logged when they were handled.
 *
 * @param before the job as it was when the run began
 * @param after the job as the run has left it
 */
export function logRunEnd(log: Logger, run: StoredRun, before: StoredJob, after: StoredJob | undefined): void {
  const { state, error } = run
  if (state === 'ok' || state === 'skipped' || state === 'interrupted')
    log.info(`"${labelOf(before)}" ${state === 'ok' ? 'has run' : `was ${state}: ${error}`}`, {
      job: before.id,
      run: run.id,
      slot: run.slot,
      attempt: run.attempt,
      ...(run.turnId === null ? {} : { turn: run.turnId }),
      notify: before.notify.channel,
    })
  if (after?.paused && before.paused === null)
    log.warn(`paused job after ${after.failures} failed runs: ${error ?? ''}`, { job: before.id })
}
