// The text that answers a message whose handling has failed with an error for users.
import type { HostControl } from '@mynah/kernel'
import type { WireError } from '@mynah/contract'
import type { Message } from './api/message.js'
import { textsFor } from './texts.js'

/** Roles that may know which part of the host is missing. */
const OPERATORS = ['master', 'trusted'] as const

/**
 * Returns the text for an error. Only operators read, in private chats, which part of the host is missing,
 * without secrets and file paths.
 */
export function errorText(error: WireError, message: Message, host: HostControl): string {
  const isOperator = message.channel.type === 'private' && OPERATORS.some((role) => message.roles.has(role))
  return textsFor(message.locale).wire(error, isOperator ? host.redact(error.message) : undefined)
}
