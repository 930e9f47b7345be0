// Messages between a host and a model: plain JSON, the same for every provider family.
/** Metadata of a part, by family. It is sent back only to the model that it came from. */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Text. */
export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly providerMetadata?: ProviderMetadata
}

/** The reasoning of a model. It is not sent to another model. */
export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  readonly providerMetadata?: ProviderMetadata
}

/** The bytes of a medium as base64, or their address of `http` or `https`. */
export type MediaSource =
  | { readonly data: string; readonly url?: undefined }
  | { readonly url: string; readonly data?: undefined }

/** An image. `mediaType` is for example `image/png`. */
export type ImagePart = MediaSource & { readonly type: 'image'; readonly mediaType: string }

/** Any other medium: audio, a document, a video. */
export type FilePart = MediaSource & {
  readonly type: 'file'
  readonly mediaType: string
  readonly filename?: string
  /** The text of a PDF. Models that are not known to take PDF get it in place of the bytes. */
  readonly text?: string
  readonly providerMetadata?: ProviderMetadata
}

/** A call of a tool. `input` is not checked yet. */
export interface ToolCallPart {
  readonly type: 'tool-call'
  /** Unique within a conversation. */
  readonly id: string
  readonly name: string
  readonly input: unknown
  /**
   * Why the text of the model is no input: not JSON, too large, or too deep. `input` is then the beginning of the text.
   */
  readonly invalid?: string
  readonly providerMetadata?: ProviderMetadata
}

/** The result of a tool: text, or text and media in their order. */
export interface ToolResultPart {
  readonly type: 'tool-result'
  /** Id of the call. */
  readonly id: string
  readonly name: string
  readonly output: string | readonly (TextPart | ImagePart | FilePart)[]
  readonly isError?: boolean
}

/** Instructions. They come before all other messages. */
export interface SystemMessage {
  readonly role: 'system'
  readonly content: string
}

/** A message of people, or of the host in their place. */
export interface UserMessage {
  readonly role: 'user'
  readonly content: string | readonly (TextPart | ImagePart | FilePart)[]
}

/** A message of a model. */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: string | readonly (TextPart | ReasoningPart | ToolCallPart | FilePart)[]
  /** The model that wrote it, as `alias:model`. Reasoning and metadata are sent back only to this one. */
  readonly model?: string
}

/** Results of tools. Neighbouring messages are joined when they are sent. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly content: readonly ToolResultPart[]
}

/** One message of a conversation. */
export type ModelMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage

/** Returns the visible text of a message. */
export function textOf(message: ModelMessage): string {
  if (typeof message.content === 'string') return message.content
  let text = ''
  for (const part of message.content) if (part.type === 'text') text += part.text
  return text
}

/** Returns the tool calls of a message, in their order. */
export function toolCallsOf(message: ModelMessage): readonly ToolCallPart[] {
  if (message.role !== 'assistant' || typeof message.content === 'string') return []
  return message.content.filter((part) => part.type === 'tool-call')
}
