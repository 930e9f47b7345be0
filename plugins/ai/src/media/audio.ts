import { ModelError } from '../api/errors.js'
import type { SpeechRequest, SpeechResult, TranscriptionRequest, TranscriptionResult } from '../api/models.js'
import type { Connection } from '../providers/connection.js'
import type { RegisteredProvider } from '../registry/registry.js'

/** The parts of the service that an audio call needs. */
export interface AudioHost {
  readonly signal: AbortSignal
  connect(provider: RegisteredProvider): Promise<Connection>
}

/**
 * The provider that hears or speaks: the one named, else the first whose family can. Throws `unsupported` where there
 * is none.
 */
export function audioProvider(
  providers: readonly RegisteredProvider[],
  alias: string | undefined,
  what: 'transcription' | 'speech',
): RegisteredProvider {
  const can = ({ family }: RegisteredProvider): boolean =>
    (what === 'transcription' ? family.transcriptionModel : family.speechModel) !== undefined
  const named = alias === undefined ? undefined : providers.find((provider) => provider.alias === alias)
  if (alias !== undefined && !named)
    throw new ModelError('unconfigured', `There is no provider "${alias}" in ai.providers`, { provider: alias })
  const found = named ?? providers.find(can)
  const act = what === 'transcription' ? 'write down what is said' : 'speak'
  if (!found) throw new ModelError('unsupported', `Nothing configured can ${act}`)
  if (!can(found)) throw new ModelError('unsupported', `${found.alias} cannot ${act}`, { provider: found.alias })
  return found
}

/** Transcribes a recording. */
export async function transcribe(
  request: TranscriptionRequest,
  provider: RegisteredProvider,
  host: AudioHost,
): Promise<TranscriptionResult> {
  const model = request.model ?? (provider.family.transcriptionModel as string)
  const { transcription } = await host.connect(provider)
  if (!transcription)
    throw new ModelError('unsupported', `${provider.alias} cannot write down what is said`, {
      provider: provider.alias,
    })
  const { text, language, durationInSeconds } = await transcription(model).doGenerate({
    audio: request.data,
    mediaType: request.mediaType,
    abortSignal: host.signal,
  })
  return {
    text,
    ...(language === undefined ? {} : { language }),
    ...(durationInSeconds === undefined ? {} : { seconds: durationInSeconds }),
    provider: provider.alias,
    model,
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
}

/** Speaks a text. */
export async function speak(
  request: SpeechRequest,
  provider: RegisteredProvider,
  host: AudioHost,
): Promise<SpeechResult> {
  const model = request.model ?? (provider.family.speechModel as string)
  const { speech } = await host.connect(provider)
  if (!speech) throw new ModelError('unsupported', `${provider.alias} cannot speak`, { provider: provider.alias })
  const format = request.format ?? 'mp3'
  const { audio, response } = await speech(model).doGenerate({
    text: request.text,
    outputFormat: format,
    abortSignal: host.signal,
    ...(request.voice === undefined ? {} : { voice: request.voice }),
  })
  const data = typeof audio === 'string' ? new Uint8Array(Buffer.from(audio, 'base64')) : audio
  const type = Object.entries(response.headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  // The answer is text of any content.
  if (/^(?:application\/json|text\/)/i.test(type))
    throw new ModelError('server', `${provider.alias}:${model} gave text in the place of sound`, {
      provider: provider.alias,
      model,
    })
  if (data.length === 0)
    throw new ModelError('server', `${provider.alias}:${model} gave no sound`, { provider: provider.alias, model })
  return { data, mediaType: FORMATS[format] ?? 'application/octet-stream', provider: provider.alias, model }
}
