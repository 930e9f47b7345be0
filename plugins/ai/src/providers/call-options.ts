// Everything of a request but its prompt, in the form of the provider interface.
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Prompt,
  LanguageModelV3ToolChoice,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import type { ModelRequest, ToolDefinition } from '../api/models.js'
import type { Connection } from './connection.js'
import type { Family } from './family.js'
import { TOOL_MARK } from './prompt.js'

const converted = new WeakMap<readonly ToolDefinition[], Map<boolean, LanguageModelV3FunctionTool[]>>()

/** The options of a call. */
export function callOptions(
  request: ModelRequest,
  prompt: LanguageModelV3Prompt,
  family: Family,
  connection: Connection,
): LanguageModelV3CallOptions {
  const { maxOutputTokens, temperature, stopSequences, responseSchema, tools, toolChoice } = request
  const options: LanguageModelV3CallOptions = { prompt }
  if (maxOutputTokens !== undefined) options.maxOutputTokens = maxOutputTokens
  if (temperature !== undefined) options.temperature = temperature
  if (stopSequences?.length) options.stopSequences = [...stopSequences]
  if (responseSchema) options.responseFormat = { type: 'json', schema: responseSchema as never }
  if (tools?.length) {
    options.tools = toolsOf(tools, family.cacheMarks)
    if (toolChoice !== undefined && toolChoice !== 'auto') options.toolChoice = choiceOf(toolChoice)
  }
  const own = providerOptions(request, family, connection)
  if (own) options.providerOptions = own
  return options
}

/** Tools in the order given, converted once for each list. */
function toolsOf(tools: readonly ToolDefinition[], marked: boolean): LanguageModelV3FunctionTool[] {
  let forms = converted.get(tools)
  if (!forms) converted.set(tools, (forms = new Map()))
  let list = forms.get(marked)
  if (!list) {
    list = tools.map(({ name, description, parameters }, index) => ({
      type: 'function',
      name,
      description,
      inputSchema: withProperties(parameters) as never,
      ...(marked && index === tools.length - 1 ? { providerOptions: TOOL_MARK } : {}),
    }))
    forms.set(marked, list)
  }
  return list
}

/** Some families refuse an object that does not list its properties, though it has none. */
function withProperties(schema: object): object {
  return 'properties' in schema ? schema : { ...schema, properties: {} }
}

function choiceOf(choice: Exclude<NonNullable<ModelRequest['toolChoice']>, 'auto'>): LanguageModelV3ToolChoice {
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.name }
}

/** Options that only one family knows, below those that the caller gives. */
function providerOptions(
  request: ModelRequest,
  family: Family,
  { optionsKey, window }: Connection,
): SharedV3ProviderOptions | undefined {
  const own: Record<string, unknown> = {}
  if (family.name === 'openai') {
    if (request.cacheKey !== undefined) own['promptCacheKey'] = request.cacheKey
    if (request.parallelToolCalls === false && request.tools?.length) own['parallelToolCalls'] = false
  }
  if (family.name === 'anthropic' && request.parallelToolCalls === false && request.tools?.length)
    own['disableParallelToolUse'] = true
  if (window !== undefined) {
    // The native interface reads these nowhere else.
    own['options'] = {
      num_ctx: window,
      ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
      ...(request.maxOutputTokens === undefined ? {} : { num_predict: request.maxOutputTokens }),
      ...(request.stopSequences?.length ? { stop: [...request.stopSequences] } : {}),
    }
  }
  const given = request.providerOptions?.[optionsKey] ?? request.providerOptions?.[family.name]
  if (!given && Object.keys(own).length === 0) return request.providerOptions as SharedV3ProviderOptions | undefined
  return { ...request.providerOptions, [optionsKey]: { ...own, ...given } } as SharedV3ProviderOptions
}
