// Messages between a host and a model: plain JSON, the same for every provider family.

/** What a provider wants to see again with a part, keyed by family; it is sent back to the model that gave it and to no other. */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Text. */
export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly providerMetadata?: ProviderMetadata
}

/** What a model thought before it answered; left out for another model. */
export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  readonly providerMetadata?: ProviderMetadata
}

/** Where the bytes of a medium are: base64 in the message itself, or an address of `http` or `https`. */
export type MediaSource =
  | { readonly data: string; readonly url?: undefined }
  | { readonly url: string; readonly data?: undefined }

/** A picture. `mediaType` such as `image/png`. */
export type ImagePart = MediaSource & { readonly type: 'image'; readonly mediaType: string }

/** Any other medium: audio, a document, a video. */
export type FilePart = MediaSource & {
  readonly type: 'file'
  readonly mediaType: string
  readonly filename?: string
  readonly providerMetadata?: ProviderMetadata
}

/** A tool that the model wants to be run. `input` is what it wrote, checked by nobody yet. */
export interface ToolCallPart {
  readonly type: 'tool-call'
  /** Unique within a conversation. */
  readonly id: string
  readonly name: string
  readonly input: unknown
  /** Why what the model wrote is no input: not JSON, too large, too deep. `input` is the beginning of the text then. */
  readonly invalid?: string
  readonly providerMetadata?: ProviderMetadata
}

/** What a tool gave: text, or text and media in their order. */
export interface ToolResultPart {
  readonly type: 'tool-result'
  /** Of the call. */
  readonly id: string
  readonly name: string
  readonly output: string | readonly (TextPart | ImagePart | FilePart)[]
  readonly isError?: boolean
}

/** Instructions; they stand before everything else. */
export interface SystemMessage {
  readonly role: 'system'
  readonly content: string
}

/** What people say, and what the host says in their place. */
export interface UserMessage {
  readonly role: 'user'
  readonly content: string | readonly (TextPart | ImagePart | FilePart)[]
}

/** What a model said. */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: string | readonly (TextPart | ReasoningPart | ToolCallPart | FilePart)[]
  /** `alias:model` that wrote it; reasoning and provider metadata go back to this one only. */
  readonly model?: string
}

/** Results of tools; neighbours are joined when they are sent. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly content: readonly ToolResultPart[]
}

/** One message of a conversation. */
export type ModelMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage

/** The visible text of a message. */
export function textOf(message: ModelMessage): string {
  if (typeof message.content === 'string') return message.content
  let text = ''
  for (const part of message.content) if (part.type === 'text') text += part.text
  return text
}

/** The tool calls of a message, in their order. */
export function toolCallsOf(message: ModelMessage): readonly ToolCallPart[] {
  if (message.role !== 'assistant' || typeof message.content === 'string') return []
  return message.content.filter((part) => part.type === 'tool-call')
}
