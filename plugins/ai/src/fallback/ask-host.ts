import type { Clock, Logger } from '@mynah/kernel'
import type { ModelError } from '../api/errors.js'
import type { Candidate, ModelPart, ModelRequest } from '../api/models.js'
import type { Cooldowns } from './cooldowns.js'

/** The limits of one attempt. Times are in milliseconds. */
export interface AttemptLimits {
  readonly firstChunk: number
  readonly chunk: number
  readonly signal: AbortSignal | undefined
  /** Leaves out what a model may have refused. */
  readonly plain: boolean
  /** Whether pictures and files are sent. */
  readonly media: boolean
  /** Index of the key to use, for a provider with several. */
  readonly key: number | undefined
}

/** The parts of the service that `askWithFallback` needs. */
export interface AskHost {
  readonly clock: Clock
  readonly log: Logger
  readonly cooldowns: Cooldowns
  /** Makes one attempt. Rejects when nothing visible came. */
  attempt(request: ModelRequest, candidate: Candidate, limits: AttemptLimits): Promise<AsyncIterable<ModelPart>>
  /** Called for each attempt that failed. */
  onFailure(candidate: Candidate, error: ModelError): void
  /** Returns the candidates that may be asked. Throws when none may. */
  admit(candidates: readonly Candidate[]): readonly Candidate[]
  /** Returns the context window of a model in tokens, if known. */
  window(candidate: Candidate): number | undefined
  /** Whether a request has parts that can be left out. */
  canSimplify(request: ModelRequest): boolean
  /** Whether a candidate is sent pictures or files with a request. */
  sendsMedia(request: ModelRequest, candidate: Candidate): boolean
  /** Notes that a candidate has answered a request with pictures or files. */
  sawMedia(candidate: Candidate): void
  /** Notes that a candidate has refused a request for its pictures or files: without them it has answered. */
  refusedMedia(candidate: Candidate, error: ModelError): void
  onFallback(): void
  /** Returns a random number of milliseconds between the bounds. */
  jitter(least: number, most: number): number
  /** Returns where a provider is, as `https://api.example.com`, for the log. */
  originOf(candidate: Candidate): string
  /** Returns the key for an attempt, or `undefined` where the provider has no choice of keys. */
  takeKey(candidate: Candidate): number | undefined
  /** Lets a key rest. Returns the milliseconds until one of the provider's keys is free. */
  restKey(candidate: Candidate, key: number, ms: number): number
}
