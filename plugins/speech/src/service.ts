// Sound to words and words to sound, over the models of the host, within the limits of the configuration.
import type { Logger } from '@mynah/kernel'
import { keepByHash } from '@mynah/kernel/files'
import { WireError } from '@mynah/contract'
import type { Segment } from '@mynah/contract/types'
import type { Recording, Speech, SpeechOptions } from '@mynah/plugin-agent/api'
import type { Models } from '@mynah/plugin-ai/api'
import type { Config } from './config.js'
import { secondsOf } from './duration.js'

/** For whoever asks without a deadline of their own; a turn of the agent has less patience. */
const HEAR_MS = 45_000
const SPEAK_MS = 60_000

export interface SpeechDeps {
  readonly models: () => Models | undefined
  /** `data/media`. */
  readonly media: string
  readonly config: () => Config
  readonly log: Logger
}

export class ModelSpeech implements Speech {
  readonly #deps: SpeechDeps

  constructor(deps: SpeechDeps) {
    this.#deps = deps
  }

  async transcribe(recording: Recording, { signal, ...about }: SpeechOptions): Promise<string> {
    const { transcription, maxBytes, maxSeconds } = this.#deps.config()
    const { bytes, mediaType, seconds: told } = recording
    assertAtMost('bytes', bytes.length, 'maxBytes', maxBytes)
    if (told !== undefined) assertAtMost('seconds', told, 'maxSeconds', maxSeconds)
    const models = this.#models()
    const seconds = await secondsOf(recording, this.#deps.log)
    if (seconds !== undefined) assertAtMost('seconds', seconds, 'maxSeconds', maxSeconds)
    const { text } = await models.transcribe(
      { data: bytes, mediaType, ...transcription, ...about, purpose: 'transcription' },
      { signal, timeout: HEAR_MS },
    )
    return text
  }

  async speak(text: string, { signal, ...about }: SpeechOptions): Promise<Segment> {
    const {
      voice: { name: voice, ...who },
      maxBytes,
      maxCharacters,
    } = this.#deps.config()
    assertAtMost('characters', text.length, 'maxCharacters', maxCharacters)
    const { data, mediaType } = await this.#models().speech(
      { text, voice, ...who, ...about, purpose: 'speech' },
      { signal, timeout: SPEAK_MS },
    )
    assertAtMost('bytes', data.length, 'maxBytes', maxBytes)
    const hash = await keepByHash(this.#deps.media, data)
    return {
      type: 'audio',
      data: { hash, mime: mediaType, name: `voice.${who.format === 'opus' ? 'ogg' : who.format}`, transcript: text },
    }
  }

  #models(): Models {
    const models = this.#deps.models()
    if (!models) throw new WireError('not_ready', 'The plugin ai is not ready')
    return models
  }
}

function assertAtMost(what: string, found: number, key: string, most: number): void {
  if (found <= most) return
  const message = `allows ${most} ${what}`
  throw new WireError('too_large', `It has ${Math.ceil(found)} ${what}; ai.speech.${key} ${message}`, {
    details: [{ path: `ai.speech.${key}`, message }],
  })
}
