import type { Segment } from '@mynah/contract/types'
import type { Web } from '@mynah/plugin-ai/api'

/** The largest medium, in bytes. */
const MAX_BYTES = 20 * 1024 * 1024
/** The longest base64 of that many bytes, with line breaks. */
const MAX_BASE64 = Math.ceil(MAX_BYTES / 3) * 4 + 1_000_000
const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  webm: 'audio/webm',
  m4a: 'audio/mp4',
}
const INLINE = /^(?:data:([^,;]{0,100})[^,]{0,100};base64,|base64:\/\/)/i

export interface MediaSources {
  readonly web: Web | undefined
  /** Fetches from the platform of the segment; absent for a segment that came from none. */
  readonly platform:
    | ((segment: Segment, limits: { readonly maxBytes: number; readonly signal: AbortSignal }) => Promise<Uint8Array>)
    | undefined
  readonly signal: AbortSignal
}

export interface LoadedMedia {
  readonly bytes: Uint8Array
  readonly mediaType: string
  /** Whether the bytes are an image of a type that models know. */
  readonly isPicture: boolean
}

export const nonEmptyString = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47])
const JPEG = Buffer.from([0xff, 0xd8, 0xff])

/** Returns the media type that the bytes show, for the few kinds that models take. */
function sniffType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 12))
  if (head.subarray(0, 4).equals(PNG)) return 'image/png'
  if (head.subarray(0, 3).equals(JPEG)) return 'image/jpeg'
  const name = head.toString('latin1', 0, 4)
  if (name === 'GIF8') return 'image/gif'
  if (name === 'RIFF') return { WEBP: 'image/webp', WAVE: 'audio/wav' }[head.toString('latin1', 8, 12)]
  if (name === 'OggS') return 'audio/ogg'
  if (name === 'fLaC') return 'audio/flac'
  const isMp3 = name.startsWith('ID3') || (head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2)
  return isMp3 ? 'audio/mpeg' : undefined
}

/** Returns the type of a video that the bytes show. Sound in the same containers is none. */
export function sniffVideoType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (head.slice(4, 8) === 'ftyp') return isoVideoType(head.slice(8))
  if (head.startsWith('\x1a\x45\xdf\xa3')) return 'video/webm'
  if (head.startsWith('RIFF') && head.slice(8) === 'AVI ') return 'video/avi'
  if (head.startsWith('FLV')) return 'video/x-flv'
  return head.startsWith('\x00\x00\x01\xba') || head.startsWith('\x00\x00\x01\xb3') ? 'video/mpeg' : undefined
}

/** Returns the type for the brand of an ISO base media file. */
function isoVideoType(brand: string): string | undefined {
  if (brand.startsWith('qt')) return 'video/quicktime'
  if (brand.startsWith('3g')) return 'video/3gpp'
  return brand.startsWith('M4A') ? undefined : 'video/mp4'
}

function inspect(bytes: Uint8Array, declared: string | undefined): LoadedMedia | undefined {
  if (bytes.length === 0 || bytes.length > MAX_BYTES) return undefined
  const sniffed = sniffType(bytes)
  return {
    bytes,
    mediaType: sniffed ?? declared ?? 'application/octet-stream',
    isPicture: sniffed?.startsWith('image/') === true,
  }
}

/** Returns the bytes of a base64 text or data URL. */
function decodeInline(inline: string, declared: string | undefined): LoadedMedia | undefined {
  if (inline.length > MAX_BASE64) return undefined
  const [head = '', type] = INLINE.exec(inline) ?? []
  return inspect(Buffer.from(inline.slice(head.length), 'base64'), nonEmptyString(type) ?? declared)
}

/**
 * Loads the bytes of a segment from the segment itself, from its address, or from its platform. Returns `undefined`
 * when it has none. Rejects when they cannot be fetched.
 */
export async function loadBytes(
  segment: Segment,
  sources: MediaSources,
  isSound: boolean,
): Promise<LoadedMedia | undefined> {
  const { data } = segment
  const declared = nonEmptyString(data.mime) ?? TYPES[String(data.format ?? '').toLowerCase()]
  const addresses = [data.url, data.src, data.file].map(nonEmptyString).filter((address) => address !== undefined)
  const inline =
    nonEmptyString(data.base64) ??
    (isSound ? nonEmptyString(data.data) : undefined) ??
    addresses.find((address) => INLINE.test(address))
  if (inline !== undefined) return decodeInline(inline, declared)
  const address = addresses.find((candidate) => /^https?:\/\//i.test(candidate))
  return address === undefined ? fromPlatform(segment, sources, declared) : fromWeb(address, sources, declared)
}

async function fromPlatform(
  segment: Segment,
  { platform, signal }: MediaSources,
  declared: string | undefined,
): Promise<LoadedMedia | undefined> {
  return platform && inspect(await platform(segment, { maxBytes: MAX_BYTES, signal }), declared)
}

async function fromWeb(
  address: string,
  { web, signal }: MediaSources,
  declared: string | undefined,
): Promise<LoadedMedia | undefined> {
  const answer = await web?.fetch(address, { maxBytes: MAX_BYTES, signal })
  return answer && answer.status < 400 ? inspect(answer.body, answer.mediaType || declared) : undefined
}
