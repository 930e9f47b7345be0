// The connection to a provider. It is separate from its family, because only this file needs the types of the packages,
// which a plugin that reads the registry may not have.
import type { ImageModelV3, LanguageModelV3, SpeechModelV3, TranscriptionModelV3 } from '@ai-sdk/provider'
import type { ProviderConfig } from '../config.js'
import type { Endpoint } from './endpoint.js'
import type { Family } from './family.js'

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

/** The configuration of a provider, with the one key to use. */
export type KeyedConfig = Omit<ProviderConfig, 'apiKey'> & { readonly apiKey: string | undefined }

/** A family with the way to its providers. */
export interface ReachableFamily extends Family {
  /** Imports the package, on first use. */
  connect(config: KeyedConfig, endpoint: Endpoint): Promise<Connection>
}
