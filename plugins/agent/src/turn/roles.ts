import type { PromptContext } from '../api.js'
import type { AgentRuntime } from '../runtime.js'
import type { LiveTurn } from './live-turn.js'

/** Returns the current roles of the sender, so that a role that was taken away is gone for a running turn as well. */
export function currentRoles(
  { chat }: Pick<AgentRuntime, 'chat'>,
  { message, request, journal }: LiveTurn,
): ReadonlySet<string> {
  if (request?.roles) return request.roles
  const { adapter, endpoint, user } = journal.origin
  if (message) return chat?.rolesOf(message.adapter, message.endpoint, message.sender.id) ?? message.roles
  if (adapter === undefined || endpoint === undefined || user === undefined) return new Set(['user'])
  return chat?.rolesOf(adapter, endpoint, user) ?? new Set(['user'])
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
