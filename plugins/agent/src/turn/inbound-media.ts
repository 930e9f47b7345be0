// Media of a message: pictures are kept and shown, and videos where a model takes them; sound is written down, stored or named, documents
// are stored for tools, everything else is named.
import { messageOf, type Clock, type Logger } from '@mynah/kernel'
import type { Segment } from '@mynah/contract/types'
import type { Attribution } from '@mynah/plugin-ai/api'
import { renderToPlainText } from '@mynah/plugin-chat/api'
import { labelOf } from '../prompt/speakers.js'
import type { UserPart } from '../session/types.js'
import type { Speech } from '../speech.js'
import type { MediaFolder } from '../view/media.js'
import { bytesOf, stringOf, videoType, type Found, type Sources } from './media-bytes.js'

const MAX_MEDIA = 8
/** Media that are loaded at once: one that hangs does not keep the others, and few lie in memory. */
const AT_ONCE = 3
const MAX_NAME = 200
const MAX_ADDRESS = 1_000
const SOUNDS = new Set(['audio', 'record', 'voice'])
const FACES = new Set(['face', 'sticker', 'emoji'])

export interface MediaDeps extends Pick<Sources, 'web' | 'platform'> {
  readonly folder: MediaFolder | undefined
  readonly speech: () => Speech | undefined
  /** On whose behalf sound is written down. */
  readonly about: Attribution
  /** Who answers takes videos. */
  readonly takesVideo: boolean
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Time for all of them together, ms: what is not there by then is named. */
  readonly patience: number
  readonly strategy: 'transcribe' | 'mcp' | 'text-only'
  readonly log: Logger
  /** Says once that nothing can transcribe. */
  readonly cannotTranscribe: () => void
  /** Tells what became of a sound. */
  readonly told: (outcome: 'written down' | 'failed', reason?: string) => void
}

/** Whether a document is a picture, as whoever sent it says. */
const isPicture = ({ type, data }: Segment): boolean =>
  type === 'file' && stringOf(data.mime)?.startsWith('image/') === true

/** Kinds of media in a message, for choosing who answers. */
export function mediaKinds(segments: readonly Segment[]): ReadonlySet<string> {
  return new Set(
    segments.flatMap((segment) => {
      const { type } = segment
      if (SOUNDS.has(type)) return ['audio']
      return [
        ...(type === 'image' || type === 'video' || type === 'file' ? [type] : []),
        ...(isPicture(segment) ? ['image'] : []),
      ]
    }),
  )
}

/** What was said beside media: these are parts of their own, and need no word in their place that says nothing but their kind. */
export function wordsOf(text: string, segments: readonly Segment[]): string {
  const bare = segments
    .filter((segment) => mediaKinds([segment]).size > 0)
    .map((segment) => renderToPlainText([segment]))
    .filter((word) => /^\[\w+\]$/.test(word))
  return bare.length
    ? bare
        .reduce((words, word) => words.replace(word, ''), text)
        .replace(/\n{2,}/g, '\n')
        .trim()
    : text
}

/** The media of a message as parts of an entry, in order. A medium that cannot be had, or not in time, is named; nothing fails for it. */
export async function mediaParts(segments: readonly Segment[], deps: MediaDeps): Promise<UserPart[]> {
  const late = new AbortController()
  const cancel = deps.clock.setTimeout(
    () => late.abort(new Error(`not within ${Math.round(deps.patience / 1_000)} s`)),
    deps.patience,
  )
  const until = AbortSignal.any([deps.signal, late.signal])
  const parts: (UserPart | undefined)[] = []
  const loads: (() => Promise<void>)[] = []
  try {
    for (const [at, segment] of segments.slice(0, 64).entries()) {
      if (!isLoaded(segment, deps)) parts[at] = namedPart(segment)
      else if (loads.length === MAX_MEDIA) parts[at] = { type: 'text', text: `[another ${segment.type}]` }
      else
        loads.push(async () => {
          parts[at] = await loaded(segment, deps, until)
        })
    }
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let load = loads.shift(); load; load = loads.shift()) await load()
      }),
    )
    if (late.signal.aborted)
      deps.log.warn(`media of a message were ${messageOf(late.signal.reason)}; it is answered without them`)
    return parts.filter((part) => part !== undefined)
  } finally {
    cancel()
  }
}

const isLoaded = ({ type }: Segment, { takesVideo }: MediaDeps): boolean =>
  type === 'image' || type === 'file' || SOUNDS.has(type) || (type === 'video' && takesVideo)

/** What of a segment is only told of. */
function namedPart({ type, data }: Segment): UserPart | undefined {
  if (FACES.has(type))
    return {
      type: 'text',
      text: `[${labelOf(stringOf(data.text) ?? stringOf(data.name) ?? stringOf(data.describe) ?? `${type} ${idOf(data.id) ?? idOf(data.face_id) ?? ''}`, MAX_NAME)}]`,
    }
  if (type === 'video')
    return {
      type: 'text',
      text: `[video ${labelOf(stringOf(data.name) ?? stringOf(data.url) ?? stringOf(data.src) ?? stringOf(data.file) ?? '', MAX_ADDRESS)}]`,
    }
  return undefined
}

const idOf = (id: unknown): string | undefined =>
  typeof id === 'string' || typeof id === 'number' ? String(id) : undefined

async function loaded(segment: Segment, deps: MediaDeps, until: AbortSignal): Promise<UserPart> {
  const isSound = SOUNDS.has(segment.type)
  const bytes = (): Promise<Found | undefined> =>
    within(until, () => bytesOf(segment, { web: deps.web, platform: deps.platform, signal: until }, isSound))
  try {
    return isSound
      ? { type: 'text', text: await heard(bytes, segment.data, deps, until) }
      : await seen(segment, await bytes(), deps.folder)
  } catch (error) {
    deps.signal.throwIfAborted()
    deps.log.debug(`a medium could not be loaded: ${messageOf(error)}`)
    return (
      namedPart(segment) ?? { type: 'text', text: `[${segment.type} that could not be loaded${named(segment.data)}]` }
    )
  }
}

/** Work, until a signal ends the wait for it: not everybody listens to one. */
function within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const end = (): void => reject(signal.reason as Error)
    if (signal.aborted) return end()
    signal.addEventListener('abort', end, { once: true })
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', end))
  })
}

/** What its sender calls a medium. */
function named({ name, alt }: Segment['data']): string {
  const words = stringOf(alt) ?? stringOf(name)
  return words === undefined ? '' : `: ${labelOf(words, MAX_NAME)}`
}

/** A picture or a video, however it was sent, or where tools find a document. */
async function seen(
  { type, data }: Segment,
  found: Found | undefined,
  folder: MediaFolder | undefined,
): Promise<UserPart> {
  if (type === 'video') {
    const mediaType = found && videoType(found.bytes)
    return mediaType && folder
      ? folder.keep(found.bytes, mediaType, stringOf(data.name)?.slice(0, MAX_NAME))
      : (namedPart({ type, data } as Segment) as UserPart)
  }
  if (found?.isPicture && folder)
    return folder.keep(
      found.bytes,
      found.mediaType,
      type === 'file' ? stringOf(data.name)?.slice(0, MAX_NAME) : undefined,
    )
  if (type === 'file' && found && folder)
    return {
      type: 'text',
      text: `[file${named(data)}, stored as ${await folder.inbound(found.bytes, found.mediaType, stringOf(data.name))}]`,
    }
  return {
    type: 'text',
    text: type === 'file' ? `[file${named(data)}]` : `[image that could not be loaded${named(data)}]`,
  }
}

/** What stands for a sound. */
async function heard(
  load: () => Promise<Found | undefined>,
  data: Segment['data'],
  deps: MediaDeps,
  until: AbortSignal,
): Promise<string> {
  if (deps.strategy === 'text-only') return '[sound]'
  const speech = deps.speech()
  if (deps.strategy === 'transcribe' && !speech) {
    deps.cannotTranscribe()
    return '[sound that nobody here can write down]'
  }
  const found = await load()
  if (!found) return '[sound]'
  const { bytes, mediaType } = found
  if (!speech || deps.strategy === 'mcp')
    return deps.folder ? `[sound, stored as ${await deps.folder.inbound(bytes, mediaType)}]` : '[sound]'
  try {
    const text = await within(until, () =>
      speech.transcribe(
        { bytes, mediaType, seconds: typeof data.duration === 'number' ? data.duration : undefined },
        { ...deps.about, signal: until },
      ),
    )
    deps.told('written down')
    return text.trim() === '' ? '[sound without words]' : `[said] ${text}`
  } catch (error) {
    deps.signal.throwIfAborted()
    deps.told('failed', messageOf(error))
    deps.log.warn(`a sound was not written down: ${messageOf(error)}`)
    return '[sound that could not be written down]'
  }
}
