import type { ModelMessage, ToolCallPart, ToolResultPart } from '../api/messages.js'
import { toolCallsOf } from '../api/messages.js'
import type { Tool } from '../api/tools.js'
import { errorResult } from './results.js'

/** Returns the calls of the last answer without a result, or none when other messages follow it. */
export function openCallsOf(messages: readonly ModelMessage[]): readonly ToolCallPart[] {
  const answered = new Set<string>()
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] as ModelMessage
    if (message.role === 'tool') for (const { id } of message.content) answered.add(id)
    else return toolCallsOf(message).filter(({ id }) => !answered.has(id))
  }
  return []
}

/** Returns the result of an open call that must not run again, or `undefined` when it may. */
export function unknownOutcome(call: ToolCallPart, tool: Tool | undefined): ToolResultPart | undefined {
  if (tool?.effect === 'read' || tool?.effect === 'repeatable') return undefined
  return errorResult(
    call,
    'The host stopped while this ran; whether it happened is unknown. Look before you call it again.',
  )
}
