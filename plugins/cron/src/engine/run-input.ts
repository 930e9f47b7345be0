import { createHash } from 'node:crypto'
import type { StoredJob, StoredRun } from '../store/types.js'

/** Sorts the keys of objects, since a store may return them in another order. */
const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** Returns a digest of what a run of a job gives to its action. */
export function inputOf({ action, trigger }: Pick<StoredJob, 'action' | 'trigger'>): string {
  const payload = trigger.kind === 'event' ? trigger.payload : undefined
  return createHash('sha256').update(JSON.stringify({ action, payload }, sorted)).digest('hex').slice(0, 32)
}

/** Whether another run of a job, as it is now, has the input that this one had. One that never began had none. */
export function isInputUnchanged(job: StoredJob, { input, startedAt }: StoredRun): boolean {
  // The job of a single run cannot be changed, and is not at hand with its payload.
  return job.once || startedAt === null || input === inputOf(job)
}
