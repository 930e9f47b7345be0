// The port behind which sound is words, and words are sound: some plugin provides it, or sound is only named.
import { service, type Service } from '@mynah/kernel'
import type { Segment } from '@mynah/contract/types'
import type { Attribution } from '@mynah/plugin-ai/api'

/** Sound that somebody sent. */
export interface Recording {
  readonly bytes: Uint8Array
  readonly mediaType: string
  /** How long its sender says that it is, seconds. */
  readonly seconds?: number | undefined
}

/** On whose behalf, and until when. */
export interface SpeechOptions extends Attribution {
  readonly signal?: AbortSignal | undefined
}

/** Speech. Failures are `ModelError`s of the provider, or `WireError`s where the service itself refuses. */
export interface Speech {
  /** What is said in a recording. */
  transcribe(recording: Recording, options: SpeechOptions): Promise<string>
  /** A segment that says a text and carries it as its transcript. */
  speak(text: string, options: SpeechOptions): Promise<Segment>
}
export const Speech: Service<Speech> = service<Speech>('speech')
