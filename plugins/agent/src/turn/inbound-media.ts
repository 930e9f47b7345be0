// Media of a message: pictures are kept and shown, sound is written down, stored or named, everything else is named.
import { messageOf, type Logger } from '@mynah/kernel'
import type { Segment } from '@mynah/contract/types'
import type { Models, Web } from '@mynah/plugin-ai/api'
import type { MediaFolder } from '../view/media.js'
import type { UserPart } from '../session/types.js'

const MAX_BYTES = 20 * 1024 * 1024
const MAX_MEDIA = 8
const IMAGES = new Set(['image'])
const SOUNDS = new Set(['audio', 'record', 'voice'])
const FACES = new Set(['face', 'sticker', 'emoji'])
const TYPES: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp', wav: 'audio/wav', mp3: 'audio/mpeg', ogg: 'audio/ogg', m4a: 'audio/mp4' }

export interface MediaDeps {
  readonly folder: MediaFolder | undefined
  readonly web: () => Web | undefined
  readonly models: () => Models | undefined
  readonly strategy: 'transcribe' | 'mcp' | 'text-only'
  readonly log: Logger
  /** Says once that nothing can transcribe. */
  readonly cannotTranscribe: () => void
  readonly signal: AbortSignal
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
  if (head.toString('latin1', 0, 4) === 'RIFF') return head.toString('latin1', 8, 12) === 'WEBP' ? 'image/webp' : 'audio/wav'
  return undefined
}

async function bytesOf(segment: Segment, deps: MediaDeps): Promise<{ readonly bytes: Uint8Array; readonly mediaType: string } | undefined> {
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
  const answer = await web.fetch(address, { maxBytes: MAX_BYTES, signal: deps.signal })
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
        } else say(await heard(found, deps))
      } catch (error) {
        deps.log.debug(`a medium could not be loaded: ${messageOf(error)}`)
        say(`[${type} that could not be loaded]`)
      }
    }
  }
  return parts
}

/** What stands for a sound. */
async function heard(found: { readonly bytes: Uint8Array; readonly mediaType: string } | undefined, deps: MediaDeps): Promise<string> {
  if (!found) return '[sound]'
  if (deps.strategy === 'mcp' && deps.folder) return `[sound, stored as ${await deps.folder.inbound(found.bytes, found.mediaType)}]`
  if (deps.strategy !== 'transcribe') return '[sound]'
  try {
    const models = deps.models()
    if (!models) throw new Error('no models')
    const { text } = await models.transcribe({ data: found.bytes, mediaType: found.mediaType }, { signal: deps.signal })
    return `[said] ${text}`
  } catch (error) {
    deps.cannotTranscribe()
    deps.log.debug(`a sound was not written down: ${messageOf(error)}`)
    return '[sound that could not be written down]'
  }
}
