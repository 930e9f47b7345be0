// The bytes of a medium, wherever a segment says that they are: in itself, at an address, or with the platform that it came from.
import type { Segment } from '@mynah/contract/types'
import type { Web } from '@mynah/plugin-ai/api'

/** Bytes of one medium. */
export const MAX_BYTES = 20 * 1024 * 1024
/** The longest base64 of that many bytes, its line ends included. */
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

export interface Sources {
  readonly web: () => Web | undefined
  /** Asks the platform that the segment came from; absent where it came from none. */
  readonly platform:
    | ((segment: Segment, limits: { readonly maxBytes: number; readonly signal: AbortSignal }) => Promise<Uint8Array>)
    | undefined
  readonly signal: AbortSignal
}

export interface Found {
  readonly bytes: Uint8Array
  readonly mediaType: string
  /** Whether models know such pictures: the bytes themselves show it. */
  readonly isPicture: boolean
}

export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The type that the bytes themselves show, for the few kinds that models take. */
function sniffed(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 12))
  if (head.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]))) return 'image/png'
  if (head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  if (head.toString('latin1', 0, 4) === 'GIF8') return 'image/gif'
  const name = head.toString('latin1', 0, 4)
  if (name === 'RIFF') return { WEBP: 'image/webp', WAVE: 'audio/wav' }[head.toString('latin1', 8, 12)]
  if (name === 'OggS') return 'audio/ogg'
  if (name === 'fLaC') return 'audio/flac'
  if (name.startsWith('ID3') || (head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2)) return 'audio/mpeg'
  return undefined
}

/** The type of a video, as the bytes themselves show it. Sound may stand in the same containers. */
export function videoType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (head.slice(4, 8) === 'ftyp')
    return head.startsWith('qt', 8)
      ? 'video/quicktime'
      : head.startsWith('3g', 8)
        ? 'video/3gpp'
        : head.startsWith('M4A', 8)
          ? undefined
          : 'video/mp4'
  if (head.startsWith('\x1a\x45\xdf\xa3')) return 'video/webm'
  if (head.startsWith('RIFF') && head.slice(8) === 'AVI ') return 'video/avi'
  if (head.startsWith('FLV')) return 'video/x-flv'
  return head.startsWith('\x00\x00\x01\xba') || head.startsWith('\x00\x00\x01\xb3') ? 'video/mpeg' : undefined
}

function found(bytes: Uint8Array, declared: string | undefined): Found | undefined {
  if (bytes.length === 0 || bytes.length > MAX_BYTES) return undefined
  const shown = sniffed(bytes)
  return {
    bytes,
    mediaType: shown ?? declared ?? 'application/octet-stream',
    isPicture: shown?.startsWith('image/') === true,
  }
}

/** The bytes of a segment, `undefined` where it has none; fails where they cannot be fetched. */
export async function bytesOf(
  segment: Segment,
  { web, platform, signal }: Sources,
  isSound: boolean,
): Promise<Found | undefined> {
  const { data } = segment
  const declared = stringOf(data.mime) ?? TYPES[String(data.format ?? '').toLowerCase()]
  const places = [data.url, data.src, data.file].map(stringOf).filter((place) => place !== undefined)
  const inline =
    stringOf(data.base64) ?? (isSound ? stringOf(data.data) : undefined) ?? places.find((place) => INLINE.test(place))
  if (inline !== undefined) {
    const [head = '', type] = INLINE.exec(inline) ?? []
    return inline.length > MAX_BASE64
      ? undefined
      : found(Buffer.from(inline.slice(head.length), 'base64'), stringOf(type) ?? declared)
  }
  const address = places.find((place) => /^https?:\/\//i.test(place))
  if (address === undefined)
    return platform && found(await platform(segment, { maxBytes: MAX_BYTES, signal }), declared)
  const answer = await web()?.fetch(address, { maxBytes: MAX_BYTES, signal })
  return answer && answer.status < 400 ? found(answer.body, answer.mediaType || declared) : undefined
}
