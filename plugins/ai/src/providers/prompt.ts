// Converts messages to those of the provider interface. It is pure, so that the same conversation always gives the same
// bytes. Parts that a provider would refuse are repaired: calls without results, results without calls, and reasoning
// of another model.
import type {
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import { isRecord } from '@mynah/contract'
import {
  textOf,
  toolCallsOf,
  type AssistantMessage,
  type FilePart,
  type ImagePart,
  type ModelMessage,
  type ProviderMetadata,
  type TextPart,
  type ToolMessage,
  type ToolResultPart,
} from '../api/messages.js'
import { clean } from '../text.js'
import { SENT_BACK } from './own-fields.js'

/** Whom a prompt is for. */
export interface PromptTarget {
  /** `alias:model`. */
  readonly model: string
  readonly toolMedia: boolean
  readonly cacheMarks: boolean
  /** `false` when the model is known to see nothing. */
  readonly vision: boolean
  /** Whether the model takes videos. */
  readonly video: boolean
  /** Whether the model takes PDF. Those with a text of their own are this text to others. */
  readonly pdf: boolean
  /** Addresses that the provider loads itself. */
  takesUrl(url: string, mediaType: string): boolean
  /** The content of addresses that it does not take. */
  readonly loaded: ReadonlyMap<string, Loaded>
  /** Keeps only parts that every model takes, for the attempt after a refusal. */
  readonly plain?: boolean
}

/** A loaded medium, or `undefined` when loading failed. */
export type Loaded = { readonly data: string; readonly mediaType: string } | undefined

type UserContent = Extract<LanguageModelV3Message, { role: 'user' }>['content']
type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content']
type Media = ImagePart | FilePart

const MARK: SharedV3ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } }
const NO_RESULT = 'There is no result: the call was not run to its end.'

/** Returns the prompt for `messages`. */
export function toPrompt(messages: readonly ModelMessage[], target: PromptTarget): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Message[] = []
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index] as ModelMessage
    switch (message.role) {
      case 'system':
        // Families take instructions only at the beginning.
        if (prompt.every(({ role }) => role === 'system'))
          prompt.push({ role: 'system', content: clean(message.content) })
        else prompt.push({ role: 'user', content: [{ type: 'text', text: clean(message.content) }] })
        break
      case 'user': {
        const content = userContent(message.content, target)
        if (content.length) prompt.push({ role: 'user', content })
        break
      }
      case 'assistant': {
        const content = assistantContent(message, target)
        if (content.length) prompt.push({ role: 'assistant', content, ...ownFieldsOf(content) })
        const results = new Map<string, ToolResultPart>()
        while (messages[index + 1]?.role === 'tool')
          for (const result of (messages[++index] as ToolMessage).content) results.set(result.id, result)
        const calls = toolCallsOf(message)
        if (calls.length)
          prompt.push(
            ...toolMessages(
              calls.map(
                ({ id, name }) =>
                  results.get(id) ?? { type: 'tool-result', id, name, output: NO_RESULT, isError: true },
              ),
              target,
            ),
          )
        break
      }
      // Results that no answer before them has called for.
      case 'tool':
        break
    }
  }
  if (target.cacheMarks) mark(prompt)
  return prompt
}

/** Addresses in `messages` that have to be loaded first. */
export function urlsToLoad(
  messages: readonly ModelMessage[],
  target: Pick<PromptTarget, 'takesUrl' | 'vision' | 'video' | 'pdf'>,
): Set<string> {
  const urls = new Set<string>()
  const look = (part: TextPart | Media | { readonly type: string }): void => {
    const { url, mediaType } = part as Media
    if (
      url !== undefined &&
      !url.startsWith('data:') &&
      isTaken(part as Media, target) &&
      !target.takesUrl(url, mediaType)
    )
      urls.add(url)
  }
  for (const { role, content } of messages) {
    if (typeof content === 'string' || role === 'assistant') continue
    if (role === 'user') for (const part of content) look(part)
    else if (role === 'tool')
      for (const { output } of content) if (typeof output !== 'string') for (const part of output) look(part)
  }
  return urls
}

function userContent(content: string | readonly (TextPart | Media)[], target: PromptTarget): UserContent {
  if (typeof content === 'string') return content ? [{ type: 'text', text: clean(content) }] : []
  return content
    .filter((part) => part.type !== 'text' || part.text)
    .map((part) => (part.type === 'text' ? { type: 'text' as const, text: clean(part.text) } : mediaPart(part, target)))
}

function isTaken(part: Media, { vision, video, pdf }: Pick<PromptTarget, 'vision' | 'video' | 'pdf'>): boolean {
  if (part.type === 'image') return vision
  return part.text === undefined ? video || !part.mediaType.startsWith('video/') : pdf
}

/** Returns a medium as a part, or a line that stands for it. */
function mediaPart(part: Media, target: PromptTarget): UserContent[number] {
  const instead = (why: string) => ({
    type: 'text' as const,
    text: `[${part.type === 'image' ? 'image' : (part.filename ?? part.mediaType)}: ${why}]`,
  })
  if (target.plain || !isTaken(part, target))
    return part.type === 'file' && part.text !== undefined
      ? { type: 'text', text: clean(part.text) }
      : instead('cannot be shown to this model')
  const filename = part.type === 'file' && part.filename !== undefined ? { filename: part.filename } : {}
  if (part.data !== undefined) return { type: 'file', mediaType: part.mediaType, data: part.data, ...filename }
  const inline = /^data:([^;,]{1,100});base64,/.exec(part.url.slice(0, 200))
  if (inline)
    return { type: 'file', mediaType: inline[1] as string, data: part.url.slice(inline[0].length), ...filename }
  if (target.takesUrl(part.url, part.mediaType))
    return { type: 'file', mediaType: part.mediaType, data: new URL(part.url), ...filename }
  const loaded = target.loaded.get(part.url)
  return loaded ? { type: 'file', ...loaded, ...filename } : instead('could not be loaded')
}

type AssistantPart = Exclude<AssistantMessage['content'], string>[number]

function assistantContent(message: AssistantMessage, target: PromptTarget): AssistantContent {
  if (typeof message.content === 'string')
    return message.content ? [{ type: 'text', text: clean(message.content) }] : []
  const isSameModel = message.model === target.model && !target.plain
  const content: AssistantContent = []
  for (const part of message.content) {
    const converted = assistantPart(part, isSameModel)
    if (converted) content.push(converted)
  }
  return content
}

/** Converts a part. Reasoning, metadata and the bytes of files are only for the model that they came from. */
function assistantPart(part: AssistantPart, isSameModel: boolean): AssistantContent[number] | undefined {
  const options = isSameModel ? optionsOf(part.providerMetadata) : {}
  switch (part.type) {
    case 'text':
      return part.text ? { type: 'text', text: clean(part.text), ...options } : undefined
    case 'reasoning':
      return isSameModel ? { type: 'reasoning', text: clean(part.text), ...options } : undefined
    case 'tool-call': {
      const input = isRecord(part.input) ? part.input : {}
      const own = isSameModel ? optionsOf(wholeCall(part.providerMetadata, part.name, input)) : {}
      return { type: 'tool-call', toolCallId: idFor(part.id), toolName: part.name, input, ...own }
    }
    case 'file':
      return isSameModel && part.data !== undefined
        ? { type: 'file', mediaType: part.mediaType, data: part.data, ...options }
        : { type: 'text', text: `[${part.filename ?? part.mediaType}]` }
  }
}

/** Returns metadata in which the fields of a call's function are with its name and arguments: they replace these. */
function wholeCall(metadata: ProviderMetadata | undefined, name: string, input: object): ProviderMetadata | undefined {
  const own = metadata?.[SENT_BACK]
  if (!isRecord(own?.['function'])) return metadata
  return {
    ...metadata,
    [SENT_BACK]: { ...own, function: { name, arguments: JSON.stringify(input), ...own['function'] } },
  }
}

/** Returns the options of a message with the fields of its own, which its reasoning keeps. */
function ownFieldsOf(content: AssistantContent): { providerOptions?: SharedV3ProviderOptions } {
  const own = content.find((part) => part.type === 'reasoning' && part.providerOptions?.[SENT_BACK] !== undefined)
  const fields = own?.providerOptions?.[SENT_BACK]
  return fields === undefined ? {} : { providerOptions: { [SENT_BACK]: fields } }
}

function toolMessages(results: readonly ToolResultPart[], target: PromptTarget): LanguageModelV3Message[] {
  const shown: UserContent = []
  const content = results.map((result): LanguageModelV3ToolResultPart => {
    const { id, name, output, isError } = result
    const base = { type: 'tool-result' as const, toolCallId: idFor(id), toolName: name }
    if (typeof output === 'string')
      return { ...base, output: { type: isError ? 'error-text' : 'text', value: clean(output) } }
    const media = output.filter((part): part is Media => part.type !== 'text')
    if (media.length && target.toolMedia && !isError)
      return { ...base, output: { type: 'content', value: output.map((part) => resultPart(part, target)) } }
    // When results are text only, their media follow in a message of the user.
    for (const part of media) shown.push(mediaPart(part, target))
    const text = [
      textOf({ role: 'user', content: output }),
      ...(media.length
        ? [`[${media.length === 1 ? 'what it shows' : `${media.length} things that it shows`} below]`]
        : []),
    ]
      .filter(Boolean)
      .join('\n')
    return { ...base, output: { type: isError ? 'error-text' : 'text', value: clean(text) } }
  })
  return [{ role: 'tool', content }, ...(shown.length ? [{ role: 'user' as const, content: shown }] : [])]
}

type ResultValue = Extract<LanguageModelV3ToolResultPart['output'], { type: 'content' }>['value'][number]

function resultPart(part: TextPart | Media, target: PromptTarget): ResultValue {
  if (part.type === 'text') return { type: 'text', text: clean(part.text) }
  const made = mediaPart(part, target)
  if (made.type === 'text' || typeof made.data !== 'string')
    return { type: 'text', text: made.type === 'text' ? made.text : `[${part.mediaType}]` }
  return made.mediaType.startsWith('image/')
    ? { type: 'image-data', data: made.data, mediaType: made.mediaType }
    : { type: 'file-data', data: made.data, mediaType: made.mediaType }
}

const optionsOf = (metadata: ProviderMetadata | undefined): { providerOptions?: SharedV3ProviderOptions } =>
  metadata ? { providerOptions: metadata as SharedV3ProviderOptions } : {}
/** Returns the id of a call in a form that every family takes. It is always the same for an id. */
function idFor(id: string): string {
  return /^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : `${id.slice(0, 40).replace(/[^A-Za-z0-9_-]/g, '_')}_${hash(id)}`
}

function hash(text: string): string {
  let value = 5381
  for (let index = 0; index < text.length; index++) value = ((value * 33) ^ text.charCodeAt(index)) >>> 0
  return value.toString(36)
}

/** Marks the instructions and the last two messages of the user's side for the cache of the provider. */
function mark(prompt: LanguageModelV3Message[]): void {
  const at = (index: number): void => {
    const message = prompt[index]
    if (message)
      prompt[index] = { ...message, providerOptions: { ...message.providerOptions, ...MARK } } as LanguageModelV3Message
  }
  at(prompt.findLastIndex(({ role }) => role === 'system'))
  let marked = 0
  for (let index = prompt.length - 1; index >= 0 && marked < 2; index--) {
    if (prompt[index]?.role !== 'user' && prompt[index]?.role !== 'tool') continue
    at(index)
    marked++
  }
}

/** The mark of the last tool. */
export const TOOL_MARK = MARK
