// Media of a message as parts of its entry. Images, and videos for models that take them, are stored and shown. Sound
// is transcribed, stored or named. Documents become text, and are stored for tools. Everything else is named.
import { messageOf } from '@mynah/kernel'
import type { Segment } from '@mynah/contract/types'
import { wrapped, type Attribution, type Candidate, type Models } from '@mynah/plugin-ai/api'
import { renderToPlainText } from '@mynah/plugin-chat/api'
import { DocumentParts } from '../documents/document-parts.js'
import { bracketed } from '../prompt/speakers.js'
import type { AgentRuntime } from '../runtime.js'
import type { UserPart } from '../session/types.js'
import { loadBytes, nonEmptyString, sniffVideoType, type LoadedMedia, type MediaSources } from './media-bytes.js'
import { mediaKinds, SOUND_TYPES } from './media-kinds.js'

const MAX_MEDIA = 8
const MAX_SEGMENTS = 64
/** Media that are loaded at the same time: one that hangs does not block the others, and few are in memory. */
const PARALLEL_LOADS = 3
const MAX_NAME = 200
const MAX_ADDRESS = 1_000
const FACE_TYPES = new Set(['face', 'sticker', 'emoji'])

/** The kinds of media that the models of a turn take. */
export interface MediaTarget {
  /** Whether one of them takes videos. */
  readonly takesVideo: boolean
  /** Whether one of them takes PDF. */
  readonly takesPdf: boolean
  /** The context window of the first one, in tokens. */
  readonly windowTokens: number
}

/** Returns what candidates take. `contextTokens` is the window of one whose window is unknown. */
export function mediaTargetOf(models: Models, candidates: readonly Candidate[], contextTokens: number): MediaTarget {
  const known = candidates.map((candidate) => models.model(candidate))
  return {
    takesVideo: known.some((model) => model?.capabilities.video === true),
    takesPdf: known.some((model) => model?.capabilities.pdf === true),
    windowTokens: known[0]?.contextWindow ?? contextTokens,
  }
}

export interface MediaOptions extends Pick<MediaSources, 'platform'> {
  /** The user and the turn on whose behalf sound is transcribed. */
  readonly about: Attribution
  readonly models: MediaTarget
  readonly signal: AbortSignal
  /** Time for all media together. Those that are not loaded by then are named. */
  readonly timeoutMs: number
  /** Receives the outcome of each transcription, for the trace. */
  readonly onTranscribed: (outcome: 'written down' | 'failed', reason?: string) => void
  /** Receives the outcome of each document that is read, for the trace. */
  readonly onRead: (outcome: 'read' | 'failed', reason?: string) => void
}

type Runtime = Pick<
  AgentRuntime,
  'web' | 'speech' | 'media' | 'documents' | 'config' | 'clock' | 'log' | 'warnNoSpeech'
>

/** Returns whether a document is an image, by the type that its sender declares. */
/** Returns the text without the placeholders of media, such as `[image]`, which are parts of their own. */
export function textWithoutMedia(text: string, segments: readonly Segment[]): string {
  const placeholders = segments
    .filter((segment) => mediaKinds([segment]).size > 0)
    .map((segment) => renderToPlainText([segment]))
    .filter((word) => /^\[\w+\]$/.test(word))
  if (placeholders.length === 0) return text
  return placeholders
    .reduce((words, word) => words.replace(word, ''), text)
    .replace(/\n{2,}/g, '\n')
    .trim()
}

/** Returns the media of a message as parts of an entry, in order. A medium that fails to load is named. */
export async function loadMediaParts(
  runtime: Runtime,
  segments: readonly Segment[],
  options: MediaOptions,
): Promise<UserPart[]> {
  const expiry = new AbortController()
  const cancelExpiry = runtime.clock.setTimeout(
    () => expiry.abort(new Error(`not loaded within ${Math.round(options.timeoutMs / 1_000)} s`)),
    options.timeoutMs,
  )
  const documents = Math.min(MAX_MEDIA, segments.filter(({ type }) => type === 'file').length)
  const loader = new MediaLoader(runtime, options, AbortSignal.any([options.signal, expiry.signal]), documents)
  const parts: (readonly UserPart[])[] = []
  const loads: (() => Promise<void>)[] = []
  try {
    for (const [index, segment] of segments.slice(0, MAX_SEGMENTS).entries()) {
      if (!isLoaded(segment, options)) parts[index] = namedParts(segment)
      else if (loads.length === MAX_MEDIA) parts[index] = [{ type: 'text', text: `[another ${segment.type}]` }]
      else
        loads.push(async () => {
          parts[index] = await loader.load(segment)
        })
    }
    const workers = Array.from({ length: PARALLEL_LOADS }, async () => {
      for (let load = loads.shift(); load; load = loads.shift()) await load()
    })
    await Promise.all(workers)
    if (expiry.signal.aborted)
      runtime.log.warn(`the message is answered without some of its media: ${messageOf(expiry.signal.reason)}`)
    return parts.flat()
  } finally {
    cancelExpiry()
  }
}

const isLoaded = ({ type }: Segment, { models }: MediaOptions): boolean =>
  type === 'image' || type === 'file' || SOUND_TYPES.has(type) || (type === 'video' && models.takesVideo)

const idOf = (id: unknown): string | undefined =>
  typeof id === 'string' || typeof id === 'number' ? String(id) : undefined

const namedParts = (segment: Segment): UserPart[] => {
  const part = namedPart(segment)
  return part ? [part] : []
}

/** Returns a text that names a segment without its bytes, for the types that have one. */
function namedPart({ type, data }: Segment): UserPart | undefined {
  if (FACE_TYPES.has(type)) {
    const id = idOf(data.id) ?? idOf(data.face_id) ?? ''
    const name = [data.text, data.name, data.describe].map(nonEmptyString).find((text) => text !== undefined)
    return { type: 'text', text: `[${bracketed(name ?? `${type} ${id}`, MAX_NAME)}]` }
  }
  if (type === 'video') {
    const name = [data.name, data.url, data.src, data.file].map(nonEmptyString).find((text) => text !== undefined)
    return { type: 'text', text: `[video ${bracketed(name ?? '', MAX_ADDRESS)}]` }
  }
  return undefined
}

/** Returns the words by which the sender describes a medium, after a colon. */
function captionOf({ name, alt }: Segment['data']): string {
  const words = nonEmptyString(alt) ?? nonEmptyString(name)
  return words === undefined ? '' : `: ${bracketed(words, MAX_NAME)}`
}

/** Rejects when the signal aborts, even if the work does not listen to it. */
function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Returns a text for a sound. The words of a quoted or forwarded one have a mark of their own. */
const soundPart = (text: string, isForeign: boolean): UserPart =>
  isForeign
    ? { type: 'text', text: wrapped(text, 'quoted message', 'quote'), isDocument: true }
    : { type: 'text', text }

/** Loads the media of one message. */
class MediaLoader {
  readonly #runtime: Runtime
  readonly #options: MediaOptions
  /** Aborts with the turn, and when the time for media is over. */
  readonly #signal: AbortSignal
  readonly #documents: DocumentParts

  constructor(runtime: Runtime, options: MediaOptions, signal: AbortSignal, documents: number) {
    this.#runtime = runtime
    this.#options = options
    this.#signal = signal
    const { about, models, onRead } = options
    const chat = about.session ?? ''
    this.#documents = new DocumentParts({ ...models, reader: runtime.documents, chat, count: documents, onRead })
  }

  /** Returns the parts for a segment. A failure other than the turn's abort is named in a part. */
  async load(segment: Segment): Promise<readonly UserPart[]> {
    const isSound = SOUND_TYPES.has(segment.type)
    try {
      if (isSound) return [soundPart(await this.#audioText(segment), segment.data.quoted === true)]
      return await this.#visualParts(segment, await this.#bytes(segment, isSound))
    } catch (error) {
      this.#options.signal.throwIfAborted()
      this.#runtime.log.debug(`failed to load a medium: ${messageOf(error)}`)
      const text = `[${segment.type} that could not be loaded${captionOf(segment.data)}]`
      return [namedPart(segment) ?? { type: 'text', text }]
    }
  }

  #bytes(segment: Segment, isSound: boolean): Promise<LoadedMedia | undefined> {
    const sources = { web: this.#runtime.web, platform: this.#options.platform, signal: this.#signal }
    return untilAborted(this.#signal, () => loadBytes(segment, sources, isSound))
  }

  /** Returns an image or a video, however it was sent, or a document: its path for tools, and its text. */
  async #visualParts(segment: Segment, loaded: LoadedMedia | undefined): Promise<readonly UserPart[]> {
    const { media: folder } = this.#runtime
    const { type, data } = segment
    const name = nonEmptyString(data.name)
    const filename = name === undefined ? undefined : bracketed(name, MAX_NAME)
    if (type === 'video') {
      const mediaType = loaded && sniffVideoType(loaded.bytes)
      if (mediaType && folder) return [await folder.store(loaded.bytes, mediaType, filename)]
      return namedParts(segment)
    }
    if (loaded?.isPicture && folder)
      return [await folder.store(loaded.bytes, loaded.mediaType, type === 'file' ? filename : undefined)]
    if (type !== 'file') return [{ type: 'text', text: `[image that could not be loaded${captionOf(data)}]` }]
    if (!loaded || !folder) return [{ type: 'text', text: `[file${captionOf(data)}]` }]
    const path = await folder.storeInbound(loaded.bytes, loaded.mediaType, nonEmptyString(data.name))
    return [
      { type: 'text', text: `[file${captionOf(data)}, stored as ${path}]` },
      ...(await this.#documents.of({ ...loaded, name: name ?? '' }, folder, this.#signal)),
    ]
  }

  /** Returns the words of a sound, or a text in their place. */
  async #audioText(segment: Segment): Promise<string> {
    const { strategy } = this.#runtime.config['ai.multimodal'].audio
    if (strategy === 'text-only') return '[sound]'
    const { speech, media: folder } = this.#runtime
    if (strategy === 'transcribe' && !speech) {
      this.#runtime.warnNoSpeech()
      return '[sound that cannot be transcribed here]'
    }
    const loaded = await this.#bytes(segment, true)
    if (!loaded) return '[sound]'
    if (speech && strategy !== 'mcp') return this.#transcribe(speech, loaded, segment)
    return folder ? `[sound, stored as ${await folder.storeInbound(loaded.bytes, loaded.mediaType)}]` : '[sound]'
  }

  async #transcribe(
    speech: NonNullable<Runtime['speech']>,
    { bytes, mediaType }: LoadedMedia,
    { data }: Segment,
  ): Promise<string> {
    const { about, signal, onTranscribed } = this.#options
    const seconds = typeof data.duration === 'number' ? data.duration : undefined
    try {
      const text = await untilAborted(this.#signal, () =>
        speech.transcribe({ bytes, mediaType, seconds }, { ...about, signal: this.#signal }),
      )
      onTranscribed('written down')
      return text.trim() === '' ? '[sound without words]' : `[said] ${text}`
    } catch (error) {
      signal.throwIfAborted()
      onTranscribed('failed', messageOf(error))
      this.#runtime.log.warn(`failed to transcribe a sound: ${messageOf(error)}`)
      return '[sound that could not be written down]'
    }
  }
}
