import type { JobAction, JobNotify } from '@mynah/contract/types'
import type { Approvals } from '@mynah/plugin-exec-security/api'
import type { JobActionKind, JobNotifier } from '../api.js'
import type { RoleSource } from './roles.js'

/** Everything that the engine needs from other plugins. */
export interface Collaborators extends RoleSource {
  /** Removes secrets from a text. */
  redact(text: string): string
  /** Returns the owner's approvals, waiting while their plugin starts. Returns `undefined` when the host has none. */
  approvals(signal: AbortSignal): Approvals | undefined | Promise<Approvals>
  /**
   * Returns the action of a kind, waiting while its plugin starts.
   *
   * @throws SkipJob when no plugin of the host provides it
   */
  action(kind: JobAction['kind'], signal: AbortSignal): JobActionKind | Promise<JobActionKind>
  notifier(channel: JobNotify['channel']): JobNotifier | undefined
  /** @throws WireError `invalid_request` when the action can never run */
  checkAction(action: JobAction): void
}
