import { messageOf, type Logger } from '@mynah/kernel'
import type { PreExecution, Tool } from '@mynah/plugin-ai/api'
import type { LiveTurn } from './live-turn.js'

/** Returns the calls of tools that want to run before the model is asked. */
export function preExecutions(log: Logger, { journal, request }: LiveTurn, tools: readonly Tool[]): PreExecution[] {
  const about = { text: journal.text, origin: journal.origin }
  const wanted: PreExecution[] = []
  for (const tool of tools) {
    if (request?.tools?.includes(tool.name) === false) continue
    try {
      const input = tool.preExec?.(about)
      if (input !== undefined) wanted.push({ name: tool.name, input })
    } catch (error) {
      log.warn(`failed to prepare the tool "${tool.name}" before the model call: ${messageOf(error)}`)
    }
  }
  return wanted
}
