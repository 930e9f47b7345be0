import type { JobAction, JobNotify } from '@mynah/contract/types'
import type { Locale } from '@mynah/plugin-chat/api'
import type { Approvals } from '@mynah/plugin-exec-security/api'
import type { JobActionKind, JobNotifier } from '../api.js'
import type { RoleSource } from './roles.js'

/** The private chat of the owner of the bot. */
export interface OwnerChat {
  readonly notify: JobNotify
  /** @param key the message is sent once for each key */
  send(text: string, key: string): Promise<void>
}

/** Everything that the engine needs from other plugins. */
export interface Collaborators extends RoleSource {
  /** Language of messages that the engine writes. */
  readonly locale: Locale
  /** Removes secrets from a text. */
  redact(text: string): string
  /** Returns the owner's approvals, waiting while their plugin starts. Returns `undefined` when the host has none. */
  approvals(signal: AbortSignal): Approvals | undefined | Promise<Approvals>
  /** Returns the chat with the owner, waiting while chat starts. Returns `undefined` when there is none. */
  owner(signal: AbortSignal): OwnerChat | undefined | Promise<OwnerChat | undefined>
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
