// The service that asks models: what is asked, what comes back part by part, and what is known of providers.
import { hook, service, type Service } from '@mynah/kernel'
import type { ModelError } from './errors.js'
import type { AssistantMessage, FilePart, ModelMessage, ProviderMetadata, ToolCallPart } from './messages.js'
import type { Origin } from './tools.js'

/** A tool as a model sees it. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: object
}

/** On whose behalf a model is asked; stands in {@link usageReported}. */
export interface Attribution {
  readonly origin?: Origin | undefined
  readonly session?: string | undefined
  readonly turn?: string | undefined
  /** What it is for: `turn`, `summary`, `task`, … */
  readonly purpose?: string | undefined
}

/** What a model is asked. The same value gives the same bytes on the wire. */
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
  /** The answer is JSON that fits this schema, where the family can promise it. */
  readonly responseSchema?: object
  /** Several tools at once; default true. */
  readonly parallelToolCalls?: boolean
  /** Names the prefix that is repeated, such as a session, for families whose cache takes a key. */
  readonly cacheKey?: string
  /** Passed to the provider package as it is, keyed by family. */
  readonly providerOptions?: ProviderMetadata
}

/** A model of a provider of this host. */
export interface Candidate {
  readonly provider: string
  readonly model: string
}

/** What a model can do. Only what is known to be `false` is refused, but for videos. */
export interface Capabilities {
  readonly vision: boolean
  readonly streaming: boolean
  readonly toolCalling: boolean
  readonly thinking: boolean
  /** Taken only where it is known to be true. */ readonly video: boolean
}

/** Tokens of one or several calls; `input` includes `cachedInput`, `output` includes reasoning. */
export interface Usage {
  readonly input: number
  readonly cachedInput: number
  readonly output: number
  /** In the currency of `prices`; absent where no prices are known. */
  readonly cost?: number
}

/**
 * Why an answer ended: `stop` it is whole; `tool-calls` it wants tools; `length` it was cut at the limit of its output;
 * `refusal` a filter cut it; `interrupted` the stream broke after text had come; `other`.
 */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'refusal' | 'interrupted' | 'other'

/** A part of one answer. */
export type ModelPart =
  /** A candidate is asked. */
  | { readonly type: 'start'; readonly provider: string; readonly model: string }
  /** A candidate failed before it said anything; what came since its `start` is void. `to` is asked next. */
  | { readonly type: 'fallback'; readonly from: Candidate; readonly to: Candidate; readonly error: ModelError }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** A call is being written; for those who show it. */
  | { readonly type: 'tool-input'; readonly id: string; readonly name: string; readonly text: string }
  | ToolCallPart
  | FilePart
  /** Once, at the end. */
  | Finish

/** The end of an answer and the whole of it. */
export interface Finish {
  readonly type: 'finish'
  readonly reason: FinishReason
  readonly usage: Usage
  /** What was said, complete; the partial text where the stream broke. */
  readonly message: AssistantMessage
  readonly provider: string
  readonly model: string
  /** Of `interrupted`. */
  readonly error?: ModelError
}

/** How a call is made. */
export interface StreamOptions {
  /** In order; the first that is free and fits is asked. */
  readonly candidates: readonly Candidate[]
  readonly signal?: AbortSignal | undefined
  /** Until the first part, ms; default 60,000. */
  readonly firstChunkTimeout?: number | undefined
  /** Between two parts, ms; default 60,000. */
  readonly chunkTimeout?: number | undefined
}

/** What is wanted of a model. */
export interface ModelChoice {
  /** Alias; without it every provider is looked through, in the order of the file. */
  readonly provider?: string | undefined
  /** Without it the best-scored model. */
  readonly model?: string | undefined
  /** `alias` or `alias:model`, in place of the candidates that would follow by themselves; `[]` for none. */
  readonly fallback?: readonly string[] | undefined
  /** Models known to lack one of these are left out of what follows the first. */
  readonly needs?: Partial<Capabilities> | undefined
}

/** What is known of a model. */
export interface ModelView {
  readonly id: string
  /** 0–100: larger and newer is more. */
  readonly score: number
  readonly contextWindow?: number
  /** Billions of parameters, where its name or its provider tells. */
  readonly billions?: number
  readonly capabilities: Partial<Capabilities>
  /** Milliseconds since the epoch. */
  readonly cooldownUntil?: number
  readonly cooldownReason?: string
}

/** What is known of a provider. */
export interface ProviderView {
  readonly alias: string
  readonly sdk: string
  readonly status: 'ready' | 'discovering' | 'failed'
  readonly error?: string
  /** Best first. */
  readonly models: readonly ModelView[]
}

/** A picture to be made; what a family does not know is left out with a note in `warnings`. */
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
export interface MadeImage {
  readonly data: Uint8Array
  readonly mediaType: string
}
export interface ImageResult {
  readonly images: readonly MadeImage[]
  readonly provider: string
  readonly model: string
  readonly warnings: readonly string[]
  readonly usage: Usage
}

/** Sound to be written down. Without `provider` the first that can is asked. */
export interface TranscriptionRequest extends Attribution {
  readonly data: Uint8Array
  readonly mediaType: string
  readonly provider?: string | undefined
  readonly model?: string | undefined
}
export interface TranscriptionResult {
  readonly text: string
  readonly language?: string
  readonly seconds?: number
  readonly provider: string
  readonly model: string
}

/** Text to be spoken. Without `provider` the first that can is asked. */
export interface SpeechRequest extends Attribution {
  readonly text: string
  readonly voice?: string | undefined
  readonly format?: string | undefined
  readonly provider?: string | undefined
  readonly model?: string | undefined
}
export interface SpeechResult {
  readonly data: Uint8Array
  readonly mediaType: string
  readonly provider: string
  readonly model: string
}

/** How a call of a medium is made. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** ms; default 120,000. */ readonly timeout?: number | undefined
}

/** Models of all configured providers, with fallback. Every failure is a {@link ModelError}. */
export interface Models {
  /**
   * Asks the first free candidate and passes its parts on; where it fails before text has come, the next. Nobody outside
   * asks again. Iterating throws {@link ModelError} where no candidate answered.
   */
  stream(request: ModelRequest, options: StreamOptions): AsyncIterable<ModelPart>
  /**
   * The candidates for a choice, best first. Waits for the first discovery only where it needs to know what there is.
   * Throws `not-allowed` for a model outside its provider's list, naming the nearest, and `unconfigured` where there is none at all.
   */
  candidatesFor(
    choice: ModelChoice,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Candidate[]>
  /** What is known now; asks nobody. */
  list(): readonly ProviderView[]
  /** What is known of one model; with the window that requests to it have. */
  model(candidate: Candidate): ModelView | undefined
  /** Asks every provider that is discovered what models it has. Resolves with the new list; failures stand in it. */
  refresh(): Promise<readonly ProviderView[]>
  /** Tokens that `request` has for a model: an estimate, corrected by what its provider counted before. */
  estimate(request: Pick<ModelRequest, 'messages' | 'tools'>, candidate?: Candidate): number
  /** Throws `unsupported` where the family makes no pictures. */
  image(request: ImageRequest, options?: CallOptions): Promise<ImageResult>
  /** Throws `unsupported` where nothing configured can transcribe. */
  transcribe(request: TranscriptionRequest, options?: CallOptions): Promise<TranscriptionResult>
  /** Throws `unsupported` where nothing configured can speak. */
  speech(request: SpeechRequest, options?: CallOptions): Promise<SpeechResult>
}
export const Models: Service<Models> = service<Models>('ai.models')

/** What one call has used. */
export interface UsageReport extends Attribution, Candidate {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly kind: 'text' | 'image' | 'transcription' | 'speech'
  readonly usage: Usage
}
/** Emitted after each call that a provider has answered, whoever made it. */
export const usageReported = hook<UsageReport>('ai.usage')

/** Emitted where a model or a provider becomes unusable for a while, and where it is asked again. */
export interface ModelStateChange {
  readonly provider: string
  /** Absent where the whole provider is meant. */
  readonly model?: string
  readonly state: 'cooling' | 'free'
  /** Milliseconds since the epoch. */
  readonly until?: number
  readonly reason?: string
}
/** Once for each change of state. */
export const modelStateChanged = hook<ModelStateChange>('ai.model-state')

/** The budget of the day is used up; once a day. */
export interface BudgetExceeded {
  readonly limit: 'tokensPerDay' | 'costPerDay'
  readonly used: number
  readonly allowed: number
  readonly until: number
}
/** For whoever tells the owner. */
export const budgetExceeded = hook<BudgetExceeded>('ai.budget-exceeded')
