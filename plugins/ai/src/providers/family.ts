// What the host knows of a family of providers, and how it talks to one of its providers.
import type { ImageModelV3, LanguageModelV3, SpeechModelV3, TranscriptionModelV3 } from '@ai-sdk/provider'
import type { FamilyName, ProviderConfig } from '../config.js'
import type { Capabilities } from '../api/models.js'
import type { Endpoint } from './endpoint.js'

/** The models of one provider, as its package makes them. */
export interface Connection {
  /** Under which options for the provider stand in a request. */
  readonly optionsKey: string
  /** Tokens that every request asks the native interface of ollama for. */
  readonly window?: number
  language(model: string): LanguageModelV3
  image?(model: string): ImageModelV3
  transcription?(model: string): TranscriptionModelV3
  speech?(model: string): SpeechModelV3
}

/** A family. */
export interface Family {
  readonly name: FamilyName
  /** Where its providers are unless the configuration says so; the path is added to a bare origin too. */
  readonly baseUrl: string
  /** Environment variable that its package reads; without one no key is needed. */
  readonly keyVariable?: string
  /** Results of tools may hold media. */
  readonly toolMedia: boolean
  /** Prefixes are cached where they are marked. */
  readonly cacheMarks: boolean
  /** What all its models can or cannot do. */
  readonly capabilities?: Partial<Capabilities>
  /** Models that take videos, and whose package sends them. */
  readonly videoModels?: RegExp
  readonly imageModel?: string
  readonly transcriptionModel?: string
  readonly speechModel?: string
  /** Request headers that carry the key, for discovery. */
  keyHeaders(key: string | undefined): Record<string, string>
  /** npm package that is needed. */
  packageOf(config: ProviderConfig): string
  /** Imports the package, on first use. */
  connect(config: ProviderConfig, endpoint: Endpoint): Promise<Connection>
}

/** `Authorization: Bearer`. */
export const bearer = (key: string | undefined): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {})
