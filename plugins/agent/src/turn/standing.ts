// Whose turn it is: the roles with which it acts now, and the tools that run for it beforehand.
import { messageOf } from '@mynah/kernel'
import type { PreExecution, Tool } from '@mynah/plugin-ai/api'
import type { PromptContext } from '../api.js'
import type { RunnerDeps } from './deps.js'
import type { LiveTurn } from './live.js'

/** The roles of who asked, as they are now: what was taken from somebody holds for a turn that runs. */
export function rolesNow(
  { chat }: Pick<RunnerDeps, 'chat'>,
  { message, request, journal }: LiveTurn,
): ReadonlySet<string> {
  if (request?.roles) return request.roles
  const { adapter, endpoint, user } = journal.origin
  if (message) return chat()?.rolesOf(message.adapter, message.endpoint, message.sender.id) ?? message.roles
  if (adapter === undefined || endpoint === undefined || user === undefined) return new Set(['user'])
  return chat()?.rolesOf(adapter, endpoint, user) ?? new Set(['user'])
}

/** For whom a prompt of this turn is made. */
export function contextOf(
  { journal: { session_key, origin } }: LiveTurn,
  roles: ReadonlySet<string>,
  more: Pick<PromptContext, 'agent' | 'text' | 'size' | 'maxSkills'>,
): PromptContext {
  return {
    session: session_key,
    origin,
    roles,
    isOwnersChat: roles.has('master') && (origin.channel?.type ?? 'private') === 'private',
    ...more,
  }
}

/** Calls of tools that want to run before the model is asked. */
export function preExecutions(
  { log }: Pick<RunnerDeps, 'log'>,
  { journal, request }: LiveTurn,
  tools: readonly Tool[],
): PreExecution[] {
  const about = { text: journal.text, origin: journal.origin }
  const wanted: PreExecution[] = []
  for (const tool of tools) {
    if (request?.tools?.includes(tool.name) === false) continue
    try {
      const input = tool.preExec?.(about)
      if (input !== undefined) wanted.push({ name: tool.name, input })
    } catch (error) {
      log.warn(`the tool "${tool.name}" cannot say whether it runs beforehand: ${messageOf(error)}`)
    }
  }
  return wanted
}
