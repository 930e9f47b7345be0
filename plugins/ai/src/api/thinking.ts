import type { ModelRequest } from './models.js'

/** How much a model thinks before it answers. */
export type ThinkingLevel = NonNullable<ModelRequest['thinking']>
export const THINKING_LEVELS = ['off', 'low', 'high'] as const satisfies readonly ThinkingLevel[]

/** Models of these names refuse the setting, or do not think. */
const THOUGHTLESS: Readonly<Record<string, RegExp>> = {
  openai: /^(?:gpt-[34]|chatgpt-|gpt-\d+(?:\.\d+)?-chat)/,
  anthropic: /^claude-(?:[12]|instant|3-(?:opus|sonnet|haiku|5))/,
}

/** Returns whether requests to a model can say how much it thinks: models of `openai` and `anthropic` that do. */
export function takesThinking(sdk: string, model: string, thinks?: boolean): boolean {
  const thoughtless = THOUGHTLESS[sdk]
  return thoughtless !== undefined && thinks !== false && !thoughtless.test(model)
}
