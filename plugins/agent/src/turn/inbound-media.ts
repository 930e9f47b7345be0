// Media of a message: pictures are kept and shown, sound is written down, stored or named, everything else is named.
import { messageOf, type Logger } from '@mynah/kernel'
import type { Segment } from '@mynah/contract/types'
import type { Web } from '@mynah/plugin-ai/api'
import type { UserPart } from '../session/types.js'
import type { Speech, SpeechOptions } from '../speech.js'
import type { MediaFolder } from '../view/media.js'

const MAX_BYTES = 20 * 1024 * 1024
const MAX_MEDIA = 8
const IMAGES = new Set(['image'])
const SOUNDS = new Set(['audio', 'record', 'voice'])
const FACES = new Set(['face', 'sticker', 'emoji'])
const TYPES: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp', wav: 'audio/wav', mp3: 'audio/mpeg', ogg: 'audio/ogg', opus: 'audio/ogg', flac: 'audio/flac', webm: 'audio/webm', m4a: 'audio/mp4' }

export interface MediaDeps {
  readonly folder: MediaFolder | undefined
  readonly web: () => Web | undefined
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

/** Kinds of media in a message, for choosing who answers. */
export function mediaKinds(segments: readonly Segment[]): ReadonlySet<string> {
  return new Set(segments.flatMap(({ type }) => (IMAGES.has(type) ? ['image'] : SOUNDS.has(type) ? ['audio'] : type === 'video' || type === 'file' ? [type] : [])))
}

const stringOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** The type that the bytes themselves show, for the few kinds that models take. */
function sniffed(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 12))
  if (head.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]))) return 'image/png'
  if (head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  if (head.toString('latin1', 0, 4) === 'GIF8') return 'image/gif'
  const name = head.toString('latin1', 0, 4)
  if (name === 'RIFF') return head.toString('latin1', 8, 12) === 'WEBP' ? 'image/webp' : 'audio/wav'
  if (name === 'OggS') return 'audio/ogg'
  if (name === 'fLaC') return 'audio/flac'
  if (name.startsWith('ID3') || (head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2)) return 'audio/mpeg'
  return undefined
}

interface Found { readonly bytes: Uint8Array; readonly mediaType: string }

async function bytesOf(segment: Segment, deps: MediaDeps): Promise<Found | undefined> {
  const { data } = segment
  const inline = stringOf(data.base64) ?? (SOUNDS.has(segment.type) ? stringOf(data.data) : undefined)
  const declared = stringOf(data.mime) ?? TYPES[String(data.format ?? '').toLowerCase()]
  if (inline !== undefined) {
    const bytes = Buffer.from(inline.replace(/^data:[^,]{0,100},/, ''), 'base64')
    return bytes.length === 0 || bytes.length > MAX_BYTES ? undefined : { bytes, mediaType: sniffed(bytes) ?? declared ?? 'application/octet-stream' }
  }
  const address = [data.url, data.src, data.file].map(stringOf).find((candidate) => candidate !== undefined && /^https?:\/\//i.test(candidate))
  const web = deps.web()
  if (address === undefined || !web) return undefined
  const answer = await web.fetch(address, { maxBytes: MAX_BYTES, signal: deps.about.signal })
  if (answer.status >= 400) return undefined
  return { bytes: answer.body, mediaType: sniffed(answer.body) ?? (answer.mediaType || declared || 'application/octet-stream') }
}

/** The media of a message as parts of an entry, in order. A medium that cannot be had is named; nothing fails for it. */
export async function mediaParts(segments: readonly Segment[], deps: MediaDeps): Promise<UserPart[]> {
  const parts: UserPart[] = []
  const say = (text: string): void => void parts.push({ type: 'text', text })
  for (const segment of segments.slice(0, 64)) {
    const { type, data } = segment
    if (FACES.has(type)) say(`[${stringOf(data.text) ?? stringOf(data.name) ?? stringOf(data.describe) ?? `${type} ${String(data.id ?? data.face_id ?? '')}`}]`)
    else if (type === 'video') say(`[video ${stringOf(data.name) ?? stringOf(data.url) ?? stringOf(data.src) ?? ''}]`)
    else if (type === 'file') say(`[file ${stringOf(data.name) ?? ''}]`)
    else if (IMAGES.has(type) || SOUNDS.has(type)) {
      if (parts.filter((part) => part.type === 'media').length >= MAX_MEDIA) {
        say(`[another ${type}]`)
        continue
      }
      try {
        const found = await bytesOf(segment, deps)
        if (IMAGES.has(type)) {
          if (found && deps.folder && found.mediaType.startsWith('image/')) parts.push(await deps.folder.keep(found.bytes, found.mediaType))
          else say(`[image that could not be loaded${stringOf(data.alt) ? `: ${stringOf(data.alt)}` : ''}]`)
        } else say(await heard(found, data, deps))
      } catch (error) {
        deps.log.debug(`a medium could not be loaded: ${messageOf(error)}`)
        say(`[${type} that could not be loaded]`)
      }
    }
  }
  return parts
}

/** What stands for a sound. */
async function heard(found: Found | undefined, data: Segment['data'], deps: MediaDeps): Promise<string> {
  if (!found) return '[sound]'
  if (deps.strategy === 'mcp' && deps.folder) return `[sound, stored as ${await deps.folder.inbound(found.bytes, found.mediaType)}]`
  if (deps.strategy !== 'transcribe') return '[sound]'
  const speech = deps.speech()
  if (!speech) {
    deps.cannotTranscribe()
    return '[sound that nobody here can write down]'
  }
  try {
    const text = await speech.transcribe({ ...found, seconds: typeof data.duration === 'number' ? data.duration : undefined }, deps.about)
    deps.told('written down')
    return text.trim() === '' ? '[sound without words]' : `[said] ${text}`
  } catch (error) {
    deps.told('failed', messageOf(error))
    deps.log.warn(`a sound was not written down: ${messageOf(error)}`)
    return '[sound that could not be written down]'
  }
}
