import { hook, service, type Service } from '@mynah/kernel'
import type { ModelError } from './errors.js'
import type { AssistantMessage, FilePart, ModelMessage, ProviderMetadata, ToolCallPart } from './messages.js'
import type { Origin } from './tools.js'

/** The definition of a tool that a model gets. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: object
}

/** The user and the turn on whose behalf a model is asked. {@link usageReported} has it as well. */
export interface Attribution {
  readonly origin?: Origin | undefined
  readonly session?: string | undefined
  readonly turn?: string | undefined
  /** The purpose of the call: `turn`, `summary`, `task`, … */
  readonly purpose?: string | undefined
}

/** A request to a model. The same value gives the same bytes on the wire. */
export interface ModelRequest extends Attribution {
  /** System messages first. */
  readonly messages: readonly ModelMessage[]
  /** In the order in which they are sent. */
  readonly tools?: readonly ToolDefinition[]
  /** Default `auto`. */
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string }
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly stopSequences?: readonly string[]
  /** Asks for JSON that fits this schema, where the family supports that. */
  readonly responseSchema?: object
  /** Whether the model may call several tools at once; default true. */
  readonly parallelToolCalls?: boolean
  /** Identifies the repeated prefix, such as a session, for families whose cache takes a key. */
  readonly cacheKey?: string
  /** How much the model thinks. Left out for models that do not take it, see `takesThinking`. Default: as it is set. */
  readonly thinking?: 'off' | 'low' | 'high'
  /** Passed to the provider package unchanged, by family. */
  readonly providerOptions?: ProviderMetadata
}

/** A model and its provider. */
export interface Candidate {
  readonly provider: string
  readonly model: string
}

/** Capabilities of a model. Only those that are known to be `false` are refused, except videos and PDF. */
export interface Capabilities {
  readonly vision: boolean
  readonly streaming: boolean
  readonly toolCalling: boolean
  readonly thinking: boolean
  /** Used only when it is known to be true. */
  readonly video: boolean
  /** Whether it reads PDF itself, with the pictures of the pages. Used only when it is known to be true. */
  readonly pdf: boolean
}

/** Tokens of one or several calls; `input` includes `cachedInput`, `output` includes reasoning. */
export interface Usage {
  readonly input: number
  readonly cachedInput: number
  readonly output: number
  /** In the currency of `prices`. Absent without prices. */
  readonly cost?: number
}

/**
 * The reason why an answer ended.
 *
 * - `stop`: complete
 * - `tool-calls`: the model calls tools
 * - `length`: cut at the limit of its output
 * - `refusal`: cut by a filter of the provider
 * - `interrupted`: the stream broke after its first text, and no candidate could go on with it
 */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'refusal' | 'interrupted' | 'other'

/** A part of one answer. */
export type ModelPart =
  /** A candidate is being asked. */
  | { readonly type: 'start'; readonly provider: string; readonly model: string }
  /** All candidates are busy, and this one is asked in `ms` milliseconds. `reason` is why it is not asked now. */
  | ({ readonly type: 'waiting'; readonly ms: number; readonly reason?: ModelError | undefined } & Candidate)
  /**
   * A candidate failed, and `to` is asked next. Discard the reasoning and calls since its `start`. `kept`: text came
   * before that, which stays, and `to` goes on with it. `withoutMedia`: it is the same candidate, which is asked again
   * without pictures and files.
   */
  | {
      readonly type: 'fallback'
      readonly from: Candidate
      readonly to: Candidate
      readonly error: ModelError
      readonly kept?: true
      readonly withoutMedia?: true
    }
  /** `replaces`: all text since `start` was reasoning, and this text is in its place. */
  | { readonly type: 'text'; readonly text: string; readonly replaces?: true }
  | { readonly type: 'reasoning'; readonly text: string }
  /** A piece of a call that is being written, for display. */
  | { readonly type: 'tool-input'; readonly id: string; readonly name: string; readonly text: string }
  | ToolCallPart
  | FilePart
  /** Once, at the end. */
  | Finish

/** The end of an answer, with the whole message. */
export interface Finish {
  readonly type: 'finish'
  readonly reason: FinishReason
  readonly usage: Usage
  /** The complete message, or the partial text when the stream broke. */
  readonly message: AssistantMessage
  readonly provider: string
  readonly model: string
  /** The cause of `interrupted`. */
  readonly error?: ModelError
}

/** Options of a call. */
export interface StreamOptions {
  /** The models to ask, in order. The first that is free and fits is asked. */
  readonly candidates: readonly Candidate[]
  readonly signal?: AbortSignal | undefined
  /** Timeout until the first part in milliseconds; default 60,000. */
  readonly firstChunkTimeout?: number | undefined
  /** Timeout between two parts in milliseconds; default 60,000. */
  readonly chunkTimeout?: number | undefined
}

/** A choice of models. */
export interface ModelChoice {
  /** Alias of the provider. Without it every provider is searched, in the order of the file. */
  readonly provider?: string | undefined
  /** Default: the model with the best score. */
  readonly model?: string | undefined
  /** `alias` or `alias:model`, in place of the default candidates; `[]` for none. */
  readonly fallback?: readonly string[] | undefined
  /** Capabilities. Later candidates that are known to lack one are left out. */
  readonly needs?: Partial<Capabilities> | undefined
}

/** A model as the registry knows it. */
export interface ModelView {
  readonly id: string
  /** 0 to 100. Larger and newer models have more. */
  readonly score: number
  readonly contextWindow?: number
  /** Billions of parameters, when its name or its provider has them. */
  readonly billions?: number
  readonly capabilities: Partial<Capabilities>
  /** Fields that it refuses, and which requests to it leave out. */
  readonly omits?: readonly string[]
  /** Milliseconds since the epoch. */
  readonly cooldownUntil?: number
  readonly cooldownReason?: string
}

/** A provider as the registry knows it. */
export interface ProviderView {
  readonly alias: string
  readonly sdk: string
  readonly status: 'ready' | 'discovering' | 'failed'
  readonly error?: string
  /** Whether a plugin of this host serves it, because `ai.providers` has none. */
  readonly inProcess?: boolean
  /** Best first. */
  readonly models: readonly ModelView[]
}

/** A request for an image. Options that a family does not know are left out, with a note in `warnings`. */
export interface ImageRequest extends Attribution {
  /** Alias of the provider. */
  readonly provider: string
  readonly prompt: string
  readonly model?: string | undefined
  /** `<width>x<height>`. */
  readonly size?: string | undefined
  readonly quality?: string | undefined
  /** `<width>:<height>`. */
  readonly aspectRatio?: string | undefined
  /** Such as `1K`, `2K`. */
  readonly imageSize?: string | undefined
  readonly watermarkEnabled?: boolean | undefined
}
/** A picture that a model has made. */
export interface MadeImage {
  readonly data: Uint8Array
  readonly mediaType: string
}
/** Pictures that a model has made. */
export interface ImageResult {
  readonly images: readonly MadeImage[]
  readonly provider: string
  readonly model: string
  readonly warnings: readonly string[]
  readonly usage: Usage
}

/** Sound to transcribe. Without `provider` the first provider that can is asked. */
export interface TranscriptionRequest extends Attribution {
  readonly data: Uint8Array
  readonly mediaType: string
  readonly provider?: string | undefined
  readonly model?: string | undefined
}
/** The text of a recording. */
export interface TranscriptionResult {
  readonly text: string
  readonly language?: string
  readonly seconds?: number
  readonly provider: string
  readonly model: string
}

/** Text to speak. Without `provider` the first provider that can is asked. */
export interface SpeechRequest extends Attribution {
  readonly text: string
  readonly voice?: string | undefined
  readonly format?: string | undefined
  readonly provider?: string | undefined
  readonly model?: string | undefined
}
/** Speech that a model has made. */
export interface SpeechResult {
  readonly data: Uint8Array
  readonly mediaType: string
  readonly provider: string
  readonly model: string
}

/** Options of a call for images or sound. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Timeout in milliseconds; default 120,000. */
  readonly timeout?: number | undefined
}

/** Models of all configured providers, with fallback. Every failure is a {@link ModelError}. */
export interface Models {
  /**
   * Asks the first free candidate and yields its parts. When it fails, the next one is asked, and goes on with the
   * text that has come. Busy providers are waited for until `firstChunkTimeout`. An answer that reached the limit of
   * its model is gone on with, unless the request has `maxOutputTokens`. Callers do not retry. Iterating throws
   * {@link ModelError} when no candidate answered.
   */
  stream(request: ModelRequest, options: StreamOptions): AsyncIterable<ModelPart>
  /**
   * Returns the candidates for a choice, the best first. Waits for the first discovery only when it needs the list of
   * models.
   * @throws `not-allowed` for a model outside its provider's list, naming the nearest, and `unconfigured` when there is
   * none
   */
  candidatesFor(
    choice: ModelChoice,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Candidate[]>
  /** Returns the known models, without a request. */
  list(): readonly ProviderView[]
  /** Returns one known model, with the context window of its requests. */
  model(candidate: Candidate): ModelView | undefined
  /** Asks all providers with discovery for their models. Resolves to the new list, which has the failures as well. */
  refresh(): Promise<readonly ProviderView[]>
  /** Estimates the tokens of a request, corrected by what the provider has counted before. */
  estimate(request: Pick<ModelRequest, 'messages' | 'tools'>, candidate?: Candidate): number
  /** @throws `unsupported` when the family makes no images */
  image(request: ImageRequest, options?: CallOptions): Promise<ImageResult>
  /** @throws `unsupported` when no provider can transcribe */
  transcribe(request: TranscriptionRequest, options?: CallOptions): Promise<TranscriptionResult>
  /** @throws `unsupported` when no provider can speak */
  speech(request: SpeechRequest, options?: CallOptions): Promise<SpeechResult>
}
export const Models: Service<Models> = service<Models>('ai.models', { plugin: 'ai' })

/** The usage of one call. */
export interface UsageReport extends Attribution, Candidate {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly kind: 'text' | 'image' | 'transcription' | 'speech'
  readonly usage: Usage
}
/** Emitted after each call that a provider has answered. */
export const usageReported = hook<UsageReport>('ai.usage')

/** A model or a provider became unavailable for a while, or is used again. */
export interface ModelStateChange {
  readonly provider: string
  /** Absent when the whole provider is meant. */
  readonly model?: string
  readonly state: 'cooling' | 'free'
  /** Milliseconds since the epoch. */
  readonly until?: number
  readonly reason?: string
}
/** Emitted once for each change of state. */
export const modelStateChanged = hook<ModelStateChange>('ai.model-state')

/** The budget of the day is used up. */
export interface BudgetExceeded {
  readonly limit: 'tokensPerDay' | 'costPerDay'
  readonly used: number
  readonly allowed: number
  readonly until: number
}
/** Emitted once a day, when the budget is used up. */
export const budgetExceeded = hook<BudgetExceeded>('ai.budget-exceeded')
