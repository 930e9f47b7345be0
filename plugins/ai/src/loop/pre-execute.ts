// Runs tools before the first step, all at once, within one deadline. Their results come before the text of the user.
import type { PreExecution, ToolOutcome } from '../api/loop.js'
import type { ModelMessage, UserMessage } from '../api/messages.js'
import { runBatch, type BatchHost } from './batch.js'

/** The outcomes, and the user message with their results. */
export interface PreExecuted {
  readonly outcomes: readonly ToolOutcome[]
  readonly message: UserMessage
  readonly index: number
}

/**
 * Runs tools for the newest user message. Returns `undefined` without such a message, or without a result in time.
 * Failures are left out, because the model did not ask for these calls.
 */
export async function preExecute(
  wanted: readonly PreExecution[],
  messages: readonly ModelMessage[],
  host: BatchHost,
  timeout: number,
): Promise<PreExecuted | undefined> {
  const index = messages.findLastIndex(({ role }) => role === 'user')
  const message = messages[index]
  if (message?.role !== 'user') return undefined
  const outcomes: ToolOutcome[] = []
  const calls = wanted.map(({ name, input }, at) => ({ type: 'tool-call' as const, id: `pre-${at}`, name, input }))
  for await (const event of runBatch(calls, {
    ...host,
    maxTimeout: timeout,
    parallel: calls.length,
    interrupted: () => false,
  })) {
    if (event.type === 'tool-end' && !event.result.isError) outcomes.push(event)
  }
  if (outcomes.length === 0) return undefined
  outcomes.sort((a, b) => calls.findIndex(({ id }) => id === a.call.id) - calls.findIndex(({ id }) => id === b.call.id))
  const preamble = outcomes.map(({ call, result }) => `[${call.name}]\n${outputText(result.output)}`).join('\n\n')
  const before = { type: 'text' as const, text: `Known already, from tools:\n\n${preamble}` }
  const said =
    typeof message.content === 'string' ? [{ type: 'text' as const, text: message.content }] : message.content
  return { outcomes, index, message: { ...message, content: [before, ...said] } }
}

const outputText = (output: ToolOutcome['result']['output']): string =>
  typeof output === 'string'
    ? output
    : output.map((part) => (part.type === 'text' ? part.text : `(${part.mediaType})`)).join('\n')
