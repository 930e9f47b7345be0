// How much a model thinks, in the words of its family.
import { toolCallsOf, type ModelMessage } from '../api/messages.js'
import type { ModelRequest } from '../api/models.js'
import { takesThinking, type ThinkingLevel } from '../api/thinking.js'
import type { Family } from './family.js'

/** Tokens of thought of models that take a number of them. */
const BUDGETS = { low: 2_048, high: 16_384 } as const
/** Models of anthropic that choose the number themselves, by a degree of effort. */
const ADAPTIVE = /^claude-[a-z]+-(?:4-[6-9]|[5-9])/

/** A model, and whether it is known to think. */
export interface ThinkingModel {
  readonly id: string
  readonly thinks: boolean | undefined
}

/** Returns the provider options for the level of a request; none for models that do not take it. */
export function thinkingOptions(
  { thinking, messages }: Pick<ModelRequest, 'thinking' | 'messages'>,
  family: Pick<Family, 'name'>,
  { id, thinks }: ThinkingModel,
): Record<string, unknown> {
  if (thinking === undefined || !takesThinking(family.name, id, thinks)) return {}
  if (family.name === 'openai') return { reasoningEffort: effortOf(thinking, id) }
  if (thinking === 'off') return { thinking: { type: 'disabled' } }
  // The provider refuses thinking where the open calls of the turn came without it.
  if (hasThoughtlessCalls(messages)) return {}
  return ADAPTIVE.test(id)
    ? { thinking: { type: 'adaptive' }, effort: thinking }
    : { thinking: { type: 'enabled', budgetTokens: BUDGETS[thinking] } }
}

/** Returns the effort of a model of openai. The first models that think cannot be kept from it. */
function effortOf(level: ThinkingLevel, model: string): string {
  if (level !== 'off') return level
  if (/^o\d/.test(model)) return 'low'
  return /^gpt-5(?:-|$)/.test(model) ? 'minimal' : 'none'
}

/** Returns whether the model, or another one, has called tools without a thought since the last message of a person. */
function hasThoughtlessCalls(messages: readonly ModelMessage[]): boolean {
  const sinceUser = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
  return sinceUser.some(
    (message) =>
      toolCallsOf(message).length > 0 &&
      !(Array.isArray(message.content) && message.content.some((part) => part.type === 'reasoning')),
  )
}
