import { CONSOLE_ORIGIN, type Approvals } from '@mynah/plugin-exec-security/api'
import { SkipJob } from '../api.js'
import type { StoredJob, StoredRun } from '../store/types.js'
import { labelOf } from './outcome.js'
import { RunStopped } from './run-stopped.js'

/**
 * Waits until the owner has approved this run. When the host stops meanwhile, the request stays open. When the run is
 * stopped, it is withdrawn.
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
  const { notify, action, id } = job
  const origin = notify.channel === 'im' ? { adapter: notify.platform, endpoint: notify.endpointId } : CONSOLE_ORIGIN
  // The slot binds the approval to this run.
  const text = JSON.stringify({ job: id, slot: run.slot, action })
  // The owner may have approved just before the host stopped.
  if (await approvals.use('job', text, origin)) return
  const title = `Run the task "${labelOf(job)}"`
  const request = await approvals.request({
    kind: 'job',
    title,
    text,
    origin,
    reason: 'each run of this task waits for the owner',
  })
  const end = await approvals.wait(request.id, signal).catch(async (error: unknown) => {
    if (signal.reason instanceof RunStopped) await approvals.withdraw(request.id)
    throw error
  })
  if (end !== 'approved' || !(await approvals.use('job', text, origin)))
    throw new SkipJob(`the owner did not approve this run (${end})`)
}
