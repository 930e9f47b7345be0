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
import { thinkingOptions, type ThinkingModel } from './thinking-options.js'

const converted = new WeakMap<readonly ToolDefinition[], Map<boolean, LanguageModelV3FunctionTool[]>>()

/** Returns the options of a call. */
export function callOptions(
  request: ModelRequest,
  prompt: LanguageModelV3Prompt,
  family: Family,
  connection: Connection,
  model: ThinkingModel,
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
  const own = providerOptions(request, family, connection, model)
  if (own) options.providerOptions = own
  return options
}

/** Converts tools, once for each list. */
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

/** Some families refuse an object schema without `properties`. */
function withProperties(schema: object): object {
  return 'properties' in schema ? schema : { ...schema, properties: {} }
}

function choiceOf(choice: Exclude<NonNullable<ModelRequest['toolChoice']>, 'auto'>): LanguageModelV3ToolChoice {
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.name }
}

/** Returns the provider options: those of the family, overridden by those of the request, and how much it thinks. */
function providerOptions(
  request: ModelRequest,
  family: Family,
  { optionsKey, window }: Connection,
  model: ThinkingModel,
): SharedV3ProviderOptions | undefined {
  const own = { ...familyOptions(request, family), ...(window === undefined ? {} : windowOptions(request, window)) }
  const given = request.providerOptions?.[optionsKey] ?? request.providerOptions?.[family.name]
  const thinking = thinkingOptions(request, family, model)
  if (!given && Object.keys(own).length + Object.keys(thinking).length === 0)
    return request.providerOptions as SharedV3ProviderOptions | undefined
  return { ...request.providerOptions, [optionsKey]: { ...own, ...given, ...thinking } } as SharedV3ProviderOptions
}

function familyOptions({ cacheKey, parallelToolCalls, tools }: ModelRequest, family: Family): Record<string, unknown> {
  const isSerial = parallelToolCalls === false && tools !== undefined && tools.length > 0
  if (family.name === 'anthropic') return isSerial ? { disableParallelToolUse: true } : {}
  if (family.name !== 'openai') return {}
  return {
    ...(cacheKey === undefined ? {} : { promptCacheKey: cacheKey }),
    ...(isSerial ? { parallelToolCalls: false } : {}),
  }
}

/** Returns the options where the native interface of ollama reads them. */
function windowOptions(
  { temperature, maxOutputTokens, stopSequences }: ModelRequest,
  window: number,
): Record<string, unknown> {
  return {
    options: {
      num_ctx: window,
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxOutputTokens === undefined ? {} : { num_predict: maxOutputTokens }),
      ...(stopSequences?.length ? { stop: [...stopSequences] } : {}),
    },
  }
}
