// Jobs of which each run waits for the owner before it starts.
import type { Approvals } from '@mynah/plugin-exec-security/api'
import { SkipJob } from '../api.js'
import type { StoredJob, StoredRun } from '../store/types.js'

/** Resolves when the owner has approved this run. Throws {@link SkipJob} where it is not approved; rejects when `signal` aborts, with the request left as it is. */
export async function approved(
  job: StoredJob,
  run: StoredRun,
  approvals: Approvals | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (!approvals) throw new SkipJob('each run needs the approval of the owner, and nobody here asks for approvals')
  const { notify, action, id, label } = job
  const origin = notify.channel === 'im' ? { adapter: notify.platform, endpointId: notify.endpointId } : {}
  // Bound to this run: what was approved for one does not hold for the next.
  const text = JSON.stringify({ job: id, slot: run.slot, action })
  // It may have been given just before a stop.
  if (await approvals.use('job', text, origin)) return
  const title = `Run the task "${label ?? (action.kind === 'agent' ? action.prompt.slice(0, 80) : action.handler)}"`
  const request = await approvals.request({
    kind: 'job',
    title,
    text,
    origin,
    reason: 'each run of this task waits for the owner',
  })
  const end = await approvals.wait(request.id, signal)
  if (end !== 'approved' || !(await approvals.use('job', text, origin)))
    throw new SkipJob(`the owner did not approve this run (${end})`)
}
