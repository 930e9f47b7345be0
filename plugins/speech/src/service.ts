import type { Logger, Ref } from '@mynah/kernel'
import { keepByHash } from '@mynah/kernel/files'
import { WireError } from '@mynah/contract'
import type { Segment } from '@mynah/contract/types'
import type { Recording, Speech, SpeechOptions } from '@mynah/plugin-agent/api'
import type { Models } from '@mynah/plugin-ai/api'
import type { Config } from './config.js'
import { durationOf } from './duration.js'

/** Limits for callers without a deadline, in milliseconds. Turns of the agent have shorter ones. */
const TRANSCRIBE_MS = 45_000
const SPEAK_MS = 60_000

/** The parts of the host that speech works with. */
export interface SpeechParts {
  readonly models: Ref<Models>
  /** Folder of media files. */
  readonly media: string
  readonly config: () => Config
  readonly log: Logger
}

/** Transcribes and speaks with the models of the host, within the configured limits. */
export class ModelSpeech implements Speech {
  readonly #parts: SpeechParts

  constructor(parts: SpeechParts) {
    this.#parts = parts
  }

  async transcribe(recording: Recording, { signal, ...context }: SpeechOptions): Promise<string> {
    const { transcription, maxBytes, maxSeconds } = this.#parts.config()
    const { bytes, mediaType, seconds: claimed } = recording
    assertAtMost('bytes', bytes.length, 'maxBytes', maxBytes)
    if (claimed !== undefined) assertAtMost('seconds', claimed, 'maxSeconds', maxSeconds)
    const models = this.#models()
    const seconds = await durationOf(recording, this.#parts.log)
    if (seconds !== undefined) assertAtMost('seconds', seconds, 'maxSeconds', maxSeconds)
    const { text } = await models.transcribe(
      { data: bytes, mediaType, ...transcription, ...context, purpose: 'transcription' },
      { signal, timeout: TRANSCRIBE_MS },
    )
    return text
  }

  async speak(text: string, { signal, ...context }: SpeechOptions): Promise<Segment> {
    const {
      voice: { name: voice, ...target },
      maxBytes,
      maxCharacters,
    } = this.#parts.config()
    assertAtMost('characters', text.length, 'maxCharacters', maxCharacters)
    const { data, mediaType } = await this.#models().speech(
      { text, voice, ...target, ...context, purpose: 'speech' },
      { signal, timeout: SPEAK_MS },
    )
    assertAtMost('bytes', data.length, 'maxBytes', maxBytes)
    const hash = await keepByHash(this.#parts.media, data)
    return {
      type: 'audio',
      data: {
        hash,
        mime: mediaType,
        name: `voice.${target.format === 'opus' ? 'ogg' : target.format}`,
        transcript: text,
      },
    }
  }

  #models(): Models {
    const models = this.#parts.models.current
    if (!models) throw new WireError('not_ready', 'The plugin ai is not ready')
    return models
  }
}

function assertAtMost(what: string, found: number, key: string, limit: number): void {
  if (found <= limit) return
  const message = `allows ${limit} ${what}`
  throw new WireError('too_large', `It has ${Math.ceil(found)} ${what}; ai.speech.${key} ${message}`, {
    details: [{ path: `ai.speech.${key}`, message }],
  })
}
