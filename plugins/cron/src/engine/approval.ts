import { CONSOLE_ORIGIN, type Approvals } from '@mynah/plugin-exec-security/api'
import { SkipJob } from '../api.js'
import type { StoredJob, StoredRun } from '../store/types.js'

/**
 * Waits until the owner has approved this run. When `signal` aborts, the request stays open.
 *
 * @throws {@link SkipJob} when the run is not approved
 */
export async function requireApproval(
  job: StoredJob,
  run: StoredRun,
  approvals: Approvals | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (!approvals) throw new SkipJob('each run needs the approval of the owner, and no plugin here asks for approvals')
  const { notify, action, id, label } = job
  const origin = notify.channel === 'im' ? { adapter: notify.platform, endpoint: notify.endpointId } : CONSOLE_ORIGIN
  // The slot binds the approval to this run.
  const text = JSON.stringify({ job: id, slot: run.slot, action })
  // The owner may have approved just before the host stopped.
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
