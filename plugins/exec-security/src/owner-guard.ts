// What decides is never decided by a process that this host started: a command would approve itself.
import { WireError } from '@mynah/contract'
import type { ExecService } from './exec-service.js'
import type { RequestPeers } from './request-peers.js'

/** Throws `forbidden`, and writes to the audit, when the request that is being handled comes from a process of the host's own. */
export type OwnerGuard = (what: string, by: string, approvalId?: string) => Promise<void>

export function ownerGuard(peers: RequestPeers, exec: ExecService): OwnerGuard {
  return async (what, by, approvalId) => {
    const sender = await peers.descendant()
    if (sender === undefined) return
    await exec.auditRefusal(
      what,
      `${by} refused to ${sender === 'gone' ? 'a process that is gone' : `process ${sender}`}`,
      approvalId,
    )
    throw new WireError('forbidden:descendant', 'A process that this host started may not answer for its owner')
  }
}
