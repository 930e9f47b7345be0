import type { Message } from '@mynah/plugin-chat/api'
import type { PromptContext } from '../api.js'
import type { AgentRuntime } from '../runtime.js'
import type { LiveTurn } from './live-turn.js'

/** Roles that hold in one group only, as the platform reported them with the message. */
const GROUP_ROLES = ['group_admin', 'group_owner'] as const

/** Returns the current roles of the sender, so that a role that was taken away is gone for a running turn as well. */
export function currentRoles(
  { chat }: Pick<AgentRuntime, 'chat'>,
  { message, request, journal }: LiveTurn,
): ReadonlySet<string> {
  if (request?.roles) return request.roles
  const { adapter, endpoint, user } = journal.origin
  if (message) return rolesOfSender(chat, message)
  if (adapter === undefined || endpoint === undefined || user === undefined) return new Set(['user'])
  return chat?.rolesOf(adapter, endpoint, user) ?? new Set(['user'])
}

function rolesOfSender(chat: AgentRuntime['chat'], message: Message): ReadonlySet<string> {
  const current = chat?.rolesOf(message.adapter, message.endpoint, message.sender.id)
  if (!current) return message.roles
  const ofGroup = message.channel.type === 'private' ? [] : GROUP_ROLES.filter((role) => message.roles.has(role))
  return ofGroup.length ? new Set([...current, ...ofGroup]) : current
}

/** Returns the context with which the sections of a turn's prompt are rendered. */
export function promptContext(
  { journal: { sessionKey, origin } }: LiveTurn,
  roles: ReadonlySet<string>,
  more: Pick<PromptContext, 'agent' | 'text' | 'size' | 'maxSkills'>,
): PromptContext {
  return {
    session: sessionKey,
    origin,
    roles,
    isOwnersChat: roles.has('master') && (origin.channel?.type ?? 'private') === 'private',
    ...more,
  }
}
