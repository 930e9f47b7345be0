import { service, type Service } from '@mynah/kernel'
import type { Segment } from '@mynah/contract/types'
import type { Attribution } from '@mynah/plugin-ai/api'

/** A sound that a person sent. */
export interface Recording {
  readonly bytes: Uint8Array
  readonly mediaType: string
  /** Duration in seconds, as the sender declares it. */
  readonly seconds?: number | undefined
}

/** The user and the turn on whose behalf the service works. */
export interface SpeechOptions extends Attribution {
  readonly signal?: AbortSignal | undefined
}

/**
 * Turns sound into text and text into sound. A plugin such as `speech` provides it. Without one, sound is only named.
 *
 * @throws a `ModelError` of the provider, or a `WireError` when the service itself refuses
 */
export interface Speech {
  /** Returns the words of a recording. */
  transcribe(recording: Recording, options: SpeechOptions): Promise<string>
  /** Returns a segment that speaks a text and has it as its transcript. */
  speak(text: string, options: SpeechOptions): Promise<Segment>
}
export const Speech: Service<Speech> = service<Speech>('speech', { plugin: 'speech' })
