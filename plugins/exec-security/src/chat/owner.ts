// Reaching the owners of an endpoint in private.
import { messageOf, type Logger } from '@mynah/kernel'
import type { Chat } from '@mynah/plugin-chat/api'
import type { Approval } from '../approvals/approval.js'
import { textsFor } from './texts.js'

const COMMAND = 'approve <id>'

/** What stands before the commands of this host. */
export function prefixOf(chat: Chat | undefined): string {
  const pattern = chat?.commands().find((command) => command.pattern.endsWith(COMMAND))?.pattern
  return pattern?.slice(0, -COMMAND.length) ?? '/'
}

/** Sends a request to the private chat of each owner; an owner who cannot be reached still has the console. */
export async function tellOwners(chat: Chat | undefined, approval: Approval, log: Logger): Promise<void> {
  const { adapter, endpointId, id } = approval
  if (!chat || adapter === null || endpointId === null) return
  let masters: readonly string[]
  try {
    masters = chat.mastersOf(adapter, endpointId)
  } catch (error) {
    log.warn(`request ${id} names an endpoint that is not there: ${messageOf(error)}`)
    return
  }
  if (masters.length === 0) log.warn(`request ${id} can be answered in the console only: the endpoint ${endpointId} has no master`)
  const text = textsFor('en').request(approval, prefixOf(chat))
  await Promise.all(masters.map((master) => chat.send(adapter, endpointId, { type: 'private', id: master }, text).catch((error: unknown) => {
    log.warn(`request ${id} could not be sent to the owner of ${endpointId}; it waits in the console: ${messageOf(error)}`)
  })))
}
