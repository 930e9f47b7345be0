// Media of a message: pictures are kept and shown, sound is written down, stored or named, documents are stored for tools, everything else is named.
import { messageOf, type Logger } from '@mynah/kernel'
import type { Segment } from '@mynah/contract/types'
import type { UserPart } from '../session/types.js'
import type { Speech, SpeechOptions } from '../speech.js'
import type { MediaFolder } from '../view/media.js'
import { bytesOf, stringOf, type Found, type Sources } from './media-bytes.js'

const MAX_MEDIA = 8
const MAX_NAME = 200
const SOUNDS = new Set(['audio', 'record', 'voice'])
const FACES = new Set(['face', 'sticker', 'emoji'])

export interface MediaDeps extends Pick<Sources, 'web' | 'platform'> {
  readonly folder: MediaFolder | undefined
  readonly speech: () => Speech | undefined
  /** On whose behalf sound is written down, and until when. */
  readonly about: SpeechOptions & { readonly signal: AbortSignal }
  readonly strategy: 'transcribe' | 'mcp' | 'text-only'
  readonly log: Logger
  /** Says once that nothing can transcribe. */
  readonly cannotTranscribe: () => void
  /** Tells what became of a sound. */
  readonly told: (outcome: 'written down' | 'failed', reason?: string) => void
}

/** Whether a document is a picture, as whoever sent it says. */
const isPicture = ({ type, data }: Segment): boolean => type === 'file' && stringOf(data.mime)?.startsWith('image/') === true

/** Kinds of media in a message, for choosing who answers. */
export function mediaKinds(segments: readonly Segment[]): ReadonlySet<string> {
  return new Set(segments.flatMap((segment) => {
    const { type } = segment
    if (SOUNDS.has(type)) return ['audio']
    return [...(type === 'image' || type === 'video' || type === 'file' ? [type] : []), ...(isPicture(segment) ? ['image'] : [])]
  }))
}

/** The media of a message as parts of an entry, in order. A medium that cannot be had is named; nothing fails for it. */
export async function mediaParts(segments: readonly Segment[], deps: MediaDeps): Promise<UserPart[]> {
  const parts: UserPart[] = []
  const say = (text: string): void => void parts.push({ type: 'text', text })
  let fetched = 0
  for (const segment of segments.slice(0, 64)) {
    const { type, data } = segment
    if (FACES.has(type)) say(`[${stringOf(data.text) ?? stringOf(data.name) ?? stringOf(data.describe) ?? `${type} ${String(data.id ?? data.face_id ?? '')}`}]`)
    else if (type === 'video') say(`[video ${stringOf(data.name) ?? stringOf(data.url) ?? stringOf(data.src) ?? stringOf(data.file) ?? ''}]`)
    else if (type === 'image' || type === 'file' || SOUNDS.has(type)) {
      if (fetched++ >= MAX_MEDIA) {
        say(`[another ${type}]`)
        continue
      }
      try {
        const bytes = (): Promise<Found | undefined> => bytesOf(segment, { web: deps.web, platform: deps.platform, signal: deps.about.signal }, SOUNDS.has(type))
        if (SOUNDS.has(type)) say(await heard(bytes, data, deps))
        else parts.push(await seen(segment, await bytes(), deps.folder))
      } catch (error) {
        deps.about.signal.throwIfAborted()
        deps.log.debug(`a medium could not be loaded: ${messageOf(error)}`)
        say(`[${type} that could not be loaded${named(data)}]`)
      }
    }
  }
  return parts
}

/** What its sender calls a medium. */
function named({ name, alt }: Segment['data']): string {
  const words = stringOf(alt) ?? stringOf(name)
  return words === undefined ? '' : `: ${words.slice(0, MAX_NAME)}`
}

/** A picture, however it was sent, or where tools find a document. */
async function seen({ type, data }: Segment, found: Found | undefined, folder: MediaFolder | undefined): Promise<UserPart> {
  if (found?.isPicture && folder) return folder.keep(found.bytes, found.mediaType, type === 'file' ? stringOf(data.name)?.slice(0, MAX_NAME) : undefined)
  if (type === 'file' && found && folder) return { type: 'text', text: `[file${named(data)}, stored as ${await folder.inbound(found.bytes, found.mediaType, stringOf(data.name))}]` }
  return { type: 'text', text: type === 'file' ? `[file${named(data)}]` : `[image that could not be loaded${named(data)}]` }
}

/** What stands for a sound. */
async function heard(load: () => Promise<Found | undefined>, data: Segment['data'], deps: MediaDeps): Promise<string> {
  if (deps.strategy === 'text-only') return '[sound]'
  const speech = deps.speech()
  if (deps.strategy === 'transcribe' && !speech) {
    deps.cannotTranscribe()
    return '[sound that nobody here can write down]'
  }
  const found = await load()
  if (!found) return '[sound]'
  const { bytes, mediaType } = found
  if (!speech || deps.strategy === 'mcp') return deps.folder ? `[sound, stored as ${await deps.folder.inbound(bytes, mediaType)}]` : '[sound]'
  try {
    const text = await speech.transcribe({ bytes, mediaType, seconds: typeof data.duration === 'number' ? data.duration : undefined }, deps.about)
    deps.told('written down')
    return text.trim() === '' ? '[sound without words]' : `[said] ${text}`
  } catch (error) {
    deps.told('failed', messageOf(error))
    deps.log.warn(`a sound was not written down: ${messageOf(error)}`)
    return '[sound that could not be written down]'
  }
}
